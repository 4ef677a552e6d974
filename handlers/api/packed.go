package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
)

// newPacked returns the cache of compressed department lists for
// administrators: compressing 10,000 departments takes longer than the rest of
// the response.
func newPacked(now func() time.Time) *cache.Cache[packedKey, packedList] {
	return cache.New[packedKey](cache.Options[packedList]{Name: "packed_departments", Size: maxPacked, Now: now})
}

// packedKey is a company and the caller's own department, which the list marks.
type packedKey struct {
	companyID, departmentID int64
}

type packedList struct {
	body             []byte
	directoryVersion int64
}

// maxPacked bounds the cache: 150 kB for each list of 10,000 departments.
const maxPacked = 16

// packedDepartments answers with the compressed list of all departments of a
// company.
func (c *calls) packedDepartments(in PageInput, who caller, read func(context.Context) ([]department, error)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		s := stream{ctx: ctx, tag: etag(who, directory.Scope{Everybody: true}, in.query)}
		if matches(in.IfNoneMatch, s.tag) {
			s.begin(http.StatusNotModified)
			return
		}
		key := packedKey{companyID: who.CompanyID}
		if who.DepartmentID != nil {
			key.departmentID = *who.DepartmentID
		}
		valid := func(l packedList) bool { return l.directoryVersion == who.DirectoryVersion }
		packed, err := c.packed.GetValid(ctx.Context(), key, valid, func(ctx context.Context) (packedList, error) {
			rows, err := read(ctx)
			if err != nil {
				return packedList{}, err
			}
			body, err := pack(list[department]{Data: rows})
			return packedList{body, who.DirectoryVersion}, err
		})
		if err != nil {
			c.fail(&s, err)
			return
		}
		ctx.SetHeader("Content-Encoding", "gzip")
		s.out.Write(packed.body)
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

// takesGzip reports whether a client accepts gzip.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		name, weight, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}
