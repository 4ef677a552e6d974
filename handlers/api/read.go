package api

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/audit"
)

// noteRead records in the log of reads what a response tells about other people.
func (c *calls) noteRead(ctx context.Context, read audit.Read) {
	read.Via = cmp.Or(read.Via, audit.ViaAPI)
	c.db.Audit.NoteRead(actor(ctx), read)
}

// registerReads registers the log of reads.
func (c *calls) registerReads(administrators huma.Middlewares) {
	huma.Register(c.api, call{id: "reads", path: u + "/audit/reads", tag: "Change log", errors: []int{http.StatusUnprocessableEntity},
		summary:     "Who read what about other people, the latest first",
		description: "For administrators. Every page of a list, record and file that somebody read, and every exported file. A read is in the list at most a second later.",
	}.operation(append(administrators, c.fromReplica)), c.reads)
}

type readsInput struct {
	OwnPath
	ReadFilterInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// ReadFilterInput is the filter of the log of reads.
type ReadFilterInput struct {
	ReaderID  int64  `query:"reader_id" json:"reader_id,omitempty" minimum:"1" doc:"What this person read."`
	SubjectID int64  `query:"subject_id" json:"subject_id,omitempty" minimum:"1" doc:"Records, periods and files of this person. Lists are of nobody."`
	Kind      string `query:"kind" json:"kind,omitempty" enum:"day,desk,week,month,payroll,management,record,corrections,files,file,status,people,clients,access,changes,reads"`
	Via       string `query:"via" json:"via,omitempty" enum:"page,api,export"`
	Positions bool   `query:"positions" json:"positions,omitempty" doc:"Only reads of coordinates."`
	From      string `query:"from" json:"from,omitempty" format:"date" doc:"By the company's clocks, this day included."`
	To        string `query:"to" json:"to,omitempty" format:"date" doc:"By the company's clocks, this day included."`
}

func (in ReadFilterInput) filter(at string) (audit.ReadsFilter, error) {
	return audit.ReadReadsFilter(url.Values{
		"reader": {idWord(in.ReaderID)}, "subject": {idWord(in.SubjectID)}, "kind": {in.Kind}, "via": {in.Via}, "positions": {flagWord(in.Positions)},
		"from": {in.From}, "to": {in.To}, "cursor": {at},
	})
}

type read struct {
	ID         int64       `json:"id"`
	At         time.Time   `json:"at"`
	Reader     userName    `json:"reader" doc:"As they were called then."`
	Address    *netip.Addr `json:"address"`
	Kind       string      `json:"kind" enum:"day,desk,week,month,payroll,management,record,corrections,files,file,status,people,clients,access,changes,reads"`
	Via        string      `json:"via" enum:"page,api,export"`
	Filter     string      `json:"filter" doc:"Of a list: as in the URL of its page."`
	Rows       int64       `json:"rows" doc:"How many were shown."`
	SubjectID  *int64      `json:"subject_id" doc:"Whose record, period or file it was; null for a list."`
	Object     string      `json:"object" doc:"The id of the record or file."`
	ObjectName string      `json:"object_name" doc:"The name of the file."`
	Positions  bool        `json:"positions" doc:"Whether coordinates were shown."`
}

func newRead(r audit.ReadRow) read {
	return read{
		ID: r.ID, At: r.At.UTC(), Reader: userName{r.ReaderID, r.ReaderName}, Address: r.Address, Kind: string(r.Kind), Via: string(r.Via), Filter: r.Query, Rows: r.Rows,
		SubjectID: r.SubjectID, Object: r.Object, ObjectName: r.ObjectName, Positions: r.Positions,
	}
}

type readsOutput struct{ Body list[read] }

func (c *calls) reads(ctx context.Context, in *readsInput) (*readsOutput, error) {
	filter, err := in.filter(in.Cursor.String())
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return nil, err
	}
	page, err := c.db.Audit.Reads(ctx, in.CompanyID, zone, filter)
	if err != nil {
		return nil, err
	}
	return &readsOutput{listed(page, newRead)}, nil
}
