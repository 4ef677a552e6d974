package handlers

import (
	"net/http"

	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// noticeHistoryPage is the number of changes on a page.
const noticeHistoryPage = 30

// addHistory adds a page of the changes of a notice.
func (h *handlers) addHistory(r *http.Request, view *noticeviews.Detail) error {
	ctx, companyID := r.Context(), person(r).CompanyID
	cursor, err := lists.ParseCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		return errPageNotFound
	}
	page, err := h.db.Audit.Changes(ctx, audit.ChangeFilter{CompanyID: companyID, ObjectType: "notice", ObjectID: view.ID, Since: view.CreatedAt, Cursor: cursor, Limit: noticeHistoryPage})
	if err != nil {
		return err
	}
	history := noticeviews.History{Later: !cursor.IsStart()}
	if page.Next != nil {
		history.Earlier = page.Next.String()
	}
	var records []notice.Record
	for _, c := range page.Rows {
		event, err := noticeviews.NewEvent(c.At, c.ActorName, c.Action, c.Old, c.New)
		if err != nil {
			return err
		}
		history.Events, records = append(history.Events, event), append(records, event.Before, event.After)
	}
	history.AddClock(*view)
	view.History = history
	view.History.Names, err = h.db.Notices.TargetNames(ctx, companyID, records...)
	return err
}
