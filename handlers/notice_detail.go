package handlers

import (
	"context"
	"errors"
	"net/http"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// noticePeoplePage is the number of people on a page, and plannedPeople the number
// of those up to which the page says when a reminder would reach them. For more,
// only the question before it does.
const (
	noticePeoplePage = 50
	plannedPeople    = 5000
)

// noticeTab returns the handler of a tab of a notice's page.
func (h *handlers) noticeTab(tab noticeviews.Tab) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h.showNoticeTab(w, r, tab, false) }
}

// askToRemind shows who has not read a notice below a dialog, which says when a
// reminder would reach them.
func (h *handlers) askToRemind(w http.ResponseWriter, r *http.Request) error {
	return h.showNoticeTab(w, r, noticeviews.ReadersTab, true)
}

func (h *handlers) showNoticeTab(w http.ResponseWriter, r *http.Request, tab noticeviews.Tab, ask bool) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	companyID := person(r).CompanyID
	view := noticeviews.Detail{Frame: h.frame(r), Tab: tab}
	if view.Full, err = h.db.Notices.Full(r.Context(), companyID, id); err != nil {
		return err
	}
	if view.Targets, err = h.db.Notices.ListedTargets(r.Context(), view.Notice); err != nil {
		return err
	}
	if tab == noticeviews.ReadersTab && view.StatusAt(h.db.Now()) != notice.Reserved {
		if err := h.addReaders(r, &view, ask); err != nil {
			return err
		}
	}
	if tab == noticeviews.HistoryTab {
		if err := h.addHistory(r, &view); err != nil {
			return err
		}
	}
	if ask {
		readers := noticeviews.Action(id, string(noticeviews.ReadersTab))
		if view.Plan == nil {
			return redirect(w, r, readers)
		}
		if refused := view.Plan.Refusal(); refused != "" {
			return h.redirectWithToast(w, r, readers, string(refused))
		}
		view.Frame.Dialog = noticeviews.ReminderDialog(id, *view.Plan, view.Frame.Zone())
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, noticeviews.DetailPage(view))
}

// addReaders adds the coverage and a page of people.
func (h *handlers) addReaders(r *http.Request, view *noticeviews.Detail, ask bool) error {
	ctx, companyID := r.Context(), person(r).CompanyID
	var err error
	view.Filter, err = notice.ReadReaderFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	view.Filter.Limit = noticePeoplePage
	if view.Coverage, err = h.db.Notices.Coverage(ctx, person(r).Person, view.Notice, view.Filter.DepartmentID); err != nil {
		return err
	}
	if view.Refused == "" {
		if view.People, err = h.db.Notices.People(ctx, companyID, view.ID, view.Filter); err != nil {
			return err
		}
		if err := h.addWork(ctx, companyID, view); err != nil {
			return err
		}
	}
	if !ask && (view.Filter.Read || view.Coverage.Unread() > plannedPeople) {
		return nil
	}
	plan, err := h.db.Notices.PlanReminder(ctx, companyID, view.ID)
	view.Plan = &plan
	return err
}

// addWork adds what the people of the page do and when they were last seen.
func (h *handlers) addWork(ctx context.Context, companyID int64, view *noticeviews.Detail) (err error) {
	ids := notice.UserIDs(view.People.Rows)
	if view.Work, err = h.db.Attendance.CurrentWork(ctx, companyID, ids); err != nil {
		return err
	}
	view.LastAccess, err = h.db.Identity.LastAccess(ctx, companyID, ids)
	return err
}

// remind reminds those who have not read a notice. What is refused is said in a
// toast, as there is nothing to correct.
func (h *handlers) remind(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	back := noticeviews.Action(id, string(noticeviews.ReadersTab))
	plan, err := h.db.Notices.Remind(r.Context(), actor(r), id)
	var tooSoon notice.ReminderTooSoon
	if errors.As(err, &tooSoon) {
		return h.redirectWithUndo(w, r, back, locales.T(r.Context(), tooSoon.Error(), "Time", locales.Time(r.Context(), tooSoon.Until.In(zone(person(r))))), "")
	}
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		return h.redirectWithToast(w, r, back, string(refused))
	}
	if errors.Is(err, queries.NotFound) {
		return h.redirectFromGoneNotices(w, r, noticeviews.Path, id)
	}
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, back, locales.N(r.Context(), "reader.reminded", plan.People()), "")
}
