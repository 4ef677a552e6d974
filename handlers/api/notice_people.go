package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
)

type noticeReadersInput struct {
	OwnPath
	NoticeID     int64  `path:"notice_id"`
	Read         bool   `query:"read" doc:"True for those who have read it."`
	DepartmentID int64  `query:"department_id" minimum:"1" doc:"With those below it."`
	Q            string `query:"q" doc:"At most three keywords of at least two characters, all of which must occur in name, email or employee id."`
	Limit        int    `query:"limit" minimum:"1" maximum:"500" default:"100"`
	Cursor       string `query:"cursor" doc:"next_cursor of the page before."`
}

// readerName is a person or a department.
type readerName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type noticeReader struct {
	User         readerName `json:"user"`
	Department   readerName `json:"department"`
	ReadAt       *time.Time `json:"read_at"`
	DownloadedAt *time.Time `json:"downloaded_at" doc:"When they first downloaded one of its files."`
	RemindedAt   *time.Time `json:"reminded_at" doc:"The last time."`
	Work         *work      `json:"work" doc:"What the person is doing at the moment by their attendance; null where that says nothing."`
	LastAccessAt *time.Time `json:"last_access_at" doc:"When the person was last seen in a browser with this console; null for over 30 days ago."`
}

// work is what a person is doing at the moment.
type work struct {
	State    attendance.WorkState `json:"state" enum:"working,outside,before,left,leave,day_off" doc:"outside: at work, not at a place of the policy."`
	StartsAt *time.Time           `json:"starts_at" doc:"When the work of the day begins; null where the policy sets no time."`
}

// newWork returns nil for no state.
func newWork(w attendance.CurrentWork) *work {
	if w.State == "" {
		return nil
	}
	return &work{w.State, inUTC(w.StartsAt)}
}

type noticeReadersOutput struct{ Body list[noticeReader] }

func (c *calls) noticeReaders(ctx context.Context, in *noticeReadersInput) (*noticeReadersOutput, error) {
	filter, err := readerFilter(ReaderExport{in.NoticeID, in.Read, in.DepartmentID, in.Q}, in.Cursor)
	if err != nil {
		return nil, err
	}
	if _, err := c.db.Notices.Notice(ctx, in.CompanyID, in.NoticeID); err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	page, err := c.db.Notices.People(ctx, in.CompanyID, in.NoticeID, filter)
	if err != nil {
		return nil, err
	}
	ids := notice.UserIDs(page.Rows)
	states, err := c.db.Attendance.CurrentWork(ctx, in.CompanyID, ids)
	if err != nil {
		return nil, err
	}
	seen, err := c.db.Identity.LastAccess(ctx, in.CompanyID, ids)
	if err != nil {
		return nil, err
	}
	return &noticeReadersOutput{listed(page, func(p notice.Recipient) noticeReader {
		r := noticeReader{
			User: readerName{p.UserID, p.Name}, Department: readerName{p.DepartmentID, p.DepartmentName},
			ReadAt: inUTC(p.ReadAt), DownloadedAt: inUTC(p.DownloadedAt), RemindedAt: inUTC(p.RemindedAt), Work: newWork(states[p.UserID]),
		}
		if at, found := seen[p.UserID]; found {
			r.LastAccessAt = inUTC(&at)
		}
		return r
	}).searched(ctx, in.Q)}, nil
}

// ReaderExport names the people of a notice for an export.
type ReaderExport struct {
	NoticeID     int64  `json:"notice_id"`
	Read         bool   `json:"read,omitempty" doc:"True for those who have read it."`
	DepartmentID int64  `json:"department_id,omitempty" minimum:"1" doc:"With those below it."`
	Q            string `json:"q,omitempty"`
}

// readerFilter refuses what the page of the list refuses.
func readerFilter(of ReaderExport, cursor string) (notice.ReaderFilter, error) {
	query := url.Values{"q": {of.Q}, "cursor": {cursor}}
	lists.SetID(query, "department_id", of.DepartmentID)
	if of.Read {
		query.Set("read", "true")
	}
	return notice.ReadReaderFilter(query)
}

// exportOfReaders validates the request of an export like the list does.
func (c *calls) exportOfReaders(ctx context.Context, asked exportRequest) (exports.List, error) {
	caller := callerOf(ctx)
	if !caller.IsAdmin {
		return nil, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	if asked.Readers == nil {
		return nil, queries.FieldErrors{"readers": "api.field.required"}
	}
	filter, err := readerFilter(*asked.Readers, "")
	if err != nil {
		return nil, err
	}
	n, err := c.db.Notices.Notice(ctx, caller.CompanyID, asked.Readers.NoticeID)
	if err != nil {
		return nil, err
	}
	if n.StatusAt(c.db.Now()) == notice.Reserved {
		return nil, queries.NotFound
	}
	return exports.NewReaderRequest(n.ID, filter, asked.Format, locales.FromContext(ctx)), nil
}
