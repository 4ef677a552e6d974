package exports

import (
	"context"
	"fmt"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
)

// ReadersList is ReaderRequest.List.
const ReadersList = "readers"

// ReaderRequest is the list of the people of a notice with its filter, as the page
// shows it.
type ReaderRequest struct {
	List         string         `json:"list"` // ReadersList
	NoticeID     int64          `json:"notice_id"`
	Read         bool           `json:"read"`
	DepartmentID int64          `json:"department_id,omitempty"`
	Query        string         `json:"q,omitempty"`
	Format       string         `json:"format"`
	Locale       locales.Locale `json:"locale"`
}

// NewReaderRequest returns the request of a list with the filter of its page.
func NewReaderRequest(noticeID int64, f notice.ReaderFilter, format string, locale locales.Locale) ReaderRequest {
	return ReaderRequest{List: ReadersList, NoticeID: noticeID, Read: f.Read, DepartmentID: f.DepartmentID, Query: f.Query, Format: format, Locale: locale}
}

// FileName returns the name of the file: "notice-12-unread.xlsx".
func (r ReaderRequest) FileName() string {
	of := "unread"
	if r.Read {
		of = "read"
	}
	return fmt.Sprintf("notice-%d-%s.%s", r.NoticeID, of, r.Format)
}

func (r ReaderRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.readers")} }

func (r ReaderRequest) read() audit.Read {
	f := notice.ReaderFilter{Read: r.Read, DepartmentID: r.DepartmentID, Query: r.Query}
	return audit.Read{Kind: audit.ReadPeople, Query: f.Values()}
}

func (r ReaderRequest) open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	if _, err := db.Notices.Notice(ctx, reader.CompanyID, r.NoticeID); err != nil {
		return nil, err
	}
	f := notice.ReaderFilter{Read: r.Read, DepartmentID: r.DepartmentID, Query: r.Query, Limit: pageSize}
	if f.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	return table{
		heads: heads(r.Locale, "export.name", "export.employee_id", "export.department",
			"reader.people.rank", "reader.people.read_at", "reader.people.downloaded_at", "reader.people.reminded_at", "reader.people.work", "reader.people.last_access"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			page, err := db.Notices.People(ctx, reader.CompanyID, r.NoticeID, f)
			if err != nil {
				return nil, nil, err
			}
			ids := notice.UserIDs(page.Rows)
			work, err := db.Attendance.CurrentWork(ctx, reader.CompanyID, ids)
			if err != nil {
				return nil, nil, err
			}
			seen, err := db.Identity.LastAccess(ctx, reader.CompanyID, ids)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page, func(p notice.Recipient) []any {
				var last *time.Time
				if at, found := seen[p.UserID]; found {
					last = &at
				}
				return []any{
					p.Name, p.EmployeeID, p.DepartmentName, p.RankName, minuteCell(p.ReadAt, zone), minuteCell(p.DownloadedAt, zone), minuteCell(p.RemindedAt, zone),
					r.workText(work[p.UserID], zone), minuteCell(last, zone),
				}
			})
		},
	}.write, nil
}

// total is unknown: counting the people of a notice reads them all.
func (r ReaderRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

// workText names what somebody is doing; nil if that is not known.
func (r ReaderRequest) workText(work attendance.CurrentWork, zone *time.Location) any {
	switch {
	case work.State == "":
		return nil
	case work.State == attendance.BeforeWork && work.StartsAt != nil:
		return r.Locale.T("reader.work.starts", "Time", work.StartsAt.In(zone).Format("15:04"))
	}
	return r.Locale.T("reader.work." + string(work.State))
}
