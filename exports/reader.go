package exports

import (
	"context"
	"fmt"
	"io"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/notice"
)

// ReaderRequest is the list of the people of a notice with its filter, as the page
// shows it.
type ReaderRequest struct {
	NoticeID     int64               `json:"notice_id"`
	Read         bool                `json:"read"`
	DepartmentID int64               `json:"department_id,omitempty"`
	Query        string              `json:"q,omitempty"`
	Format       string              `json:"format"`
	Filter       notice.ReaderFilter `json:"-"`
	Locale       locales.Locale      `json:"locale"`
}

// FileName returns the name of the file: "notice-12-unread.xlsx".
func (r ReaderRequest) FileName() string {
	of := "unread"
	if r.Read {
		of = "read"
	}
	return fmt.Sprintf("notice-%d-%s.%s", r.NoticeID, of, r.Format)
}

// WriteReaders writes the people of a notice, page by page.
func WriteReaders(ctx context.Context, w io.Writer, db *areas.Areas, reader directory.Person, r ReaderRequest) error {
	zone, err := time.LoadLocation(reader.TimeZone)
	if err != nil {
		return err
	}
	f, err := NewFile(w, r.Format, r.Locale.T("export.sheet.readers"))
	if err != nil {
		return err
	}
	var heads []any
	for _, id := range []string{"export.name", "export.employee_id", "export.department", "reader.people.rank", "reader.people.read_at", "reader.people.downloaded_at", "reader.people.reminded_at"} {
		heads = append(heads, r.Locale.T(id))
	}
	if err := f.Row(heads...); err != nil {
		return err
	}
	filter := r.Filter
	filter.Limit, filter.Cursor = pageSize, nil
	moment := func(t *time.Time) any {
		if t == nil {
			return nil
		}
		return t.In(zone).Format("2006-01-02 15:04")
	}
	for {
		page, err := db.Notices.People(ctx, reader.CompanyID, r.NoticeID, filter)
		if err != nil {
			return err
		}
		for _, p := range page.Rows {
			if err := f.Row(p.Name, p.EmployeeID, p.DepartmentName, p.RankName, moment(p.ReadAt), moment(p.DownloadedAt), moment(p.RemindedAt)); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return f.Finish()
		}
		filter.Cursor = page.Next
	}
}
