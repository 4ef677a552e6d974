package demo

import (
	"context"
	"net/url"

	"officeconsole/queries"
	"officeconsole/queries/audit"
)

// reads fills the log of reads: the lists that people read, and the records whose views
// the attendance has.
func (f *filler) reads(ctx context.Context, c *Company) error {
	if first, last := c.Period(); first > last {
		return nil
	}
	if err := queries.New(f.tx).EnsurePartitionsOf(ctx, "reads", c.today.AddDate(0, 0, -readDays), c.Now()); err != nil {
		return err
	}
	columns := []string{"company_id", "at", "reader_id", "reader_name", "address", "kind", "via", "query", "rows", "object", "object_name", "positions"}
	_, err := f.copy(ctx, "reads", columns, func(yield func([]any) bool) {
		for r := range c.ListReads() {
			via := audit.ViaPage
			if r.Exported {
				via = audit.ViaExport
			}
			query, _ := url.ParseQuery(r.Query) // which is valid
			if !yield([]any{f.companyID, r.At, idOf(f.users, r.By), c.Named(r.By), officeAddress(r.By), string(r.Kind), string(via), query.Encode(), r.Rows, "", "", false}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	_, err = f.tx.Exec(ctx, `insert into reads (company_id, at, reader_id, reader_name, address, kind, via, query, rows, subject_id, object, object_name, positions)
		select company_id, at, viewer_id, viewer_name, ('203.0.113.' || 10 + (viewer_id - $5) % 200)::inet, $2, $3, '', 1, user_id, user_id || '-' || work_date, '', false
		from attendance_views where company_id = $1 order by at desc limit $4`, f.companyID, string(audit.ReadRecord), string(audit.ViaPage), maxRecordReads, f.users)
	return err
}

// maxRecordReads is the maximum number of reads of records of a company.
const maxRecordReads = 5000
