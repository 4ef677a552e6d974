package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"officeconsole/queries"
)

// packed keeps the whole list of departments that administrators load, packed,
// until the directory changes: packing 10,000 of them well takes longer than
// everything else of the answer.
type packed struct {
	mutex sync.Mutex
	kept  map[packedKey][]byte
}

// packedKey is all that such a list depends on. The department is the caller's
// own, which the list marks.
type packedKey struct {
	companyID, directoryVersion, departmentID int64
}

// keptPacked bounds the memory: 150 kB for 10,000 departments.
const keptPacked = 16

func (p *packed) list(key packedKey, build func() ([]byte, error)) ([]byte, error) {
	p.mutex.Lock()
	body, ok := p.kept[key]
	p.mutex.Unlock()
	if ok {
		return body, nil
	}
	body, err := build()
	if err != nil {
		return nil, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.kept == nil || len(p.kept) >= keptPacked {
		p.kept = map[packedKey][]byte{}
	}
	p.kept[key] = body
	return body, nil
}

// packedDepartments answers all departments of a company, packed.
func (c *calls) packedDepartments(in PageInput, who caller, read func(context.Context) ([]department, error)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		s := stream{ctx: ctx, tag: etag(who, queries.Scope{Everybody: true}, in.query)}
		if matches(in.IfNoneMatch, s.tag) {
			s.begin(http.StatusNotModified)
			return
		}
		key := packedKey{companyID: who.CompanyID, directoryVersion: who.DirectoryVersion}
		if who.DepartmentID != nil {
			key.departmentID = *who.DepartmentID
		}
		body, err := c.packed.list(key, func() ([]byte, error) {
			rows, err := read(ctx.Context())
			if err != nil {
				return nil, err
			}
			return pack(list[department]{Data: rows})
		})
		if err != nil {
			c.fail(&s, err)
			return
		}
		ctx.SetHeader("Content-Encoding", "gzip")
		s.out.Write(body)
		if err := s.flush(); err != nil {
			c.fail(&s, err)
		}
	}}
}

func pack(answer any) ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	encoder := json.NewEncoder(zip)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, fmt.Errorf("pack list: %w", err)
	}
	err = zip.Close()
	return out.Bytes(), err
}

// takesGzip tells whether a client understands gzip.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		name, weight, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}
