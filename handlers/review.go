package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
)

// askToReview asks whether to decide the items that were picked, or all of a kind.
func (h *handlers) askToReview(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	back := backToReviews(r, query.Get("back"))
	if query.Get("bulk") == "1" {
		back = withPicked(back, query["item"], false)
	}
	return h.showQuestion(w, r, http.StatusOK, deskQuestion{
		Question: attendanceviews.Question{Decision: attendance.Decision(query.Get("decision")), Back: back, Next: query.Get("next")},
		values:   query["item"], kind: attendance.DeskKind(query.Get("kind")),
	})
}

// deskQuestion is a question about items by the values of their fields, or about all of
// a kind.
type deskQuestion struct {
	attendanceviews.Question
	values []string
	kind   attendance.DeskKind
}

// showQuestion shows a question above the desk or the waiting requests.
func (h *handlers) showQuestion(w http.ResponseWriter, r *http.Request, status int, q deskQuestion) error {
	p := person(r).Person
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if !scope.EditsAnybody() {
		return errPageNotFound
	}
	u, err := url.Parse(q.Back)
	if err != nil || !slices.Contains(attendance.Decisions, q.Decision) {
		return errPageNotFound
	}
	q.Desk.Frame = h.frameWithoutToast(r)
	if q.kind != "" {
		chosen := u.Query()
		chosen.Set("kind", string(q.kind))
		chosen.Set("more", string(q.kind))
		if q.Desk, err = h.readDesk(r, chosen, scope); err != nil {
			return err
		}
	}
	items, changed, err := h.askedItems(r, scope, q)
	if err != nil {
		return err
	}
	q.markChanged(changed)
	for _, item := range items {
		if q.Decision == attendance.Approve && attendanceviews.NeedsTime(item) {
			q.LeftOut = append(q.LeftOut, item)
		} else {
			q.Items = append(q.Items, item)
		}
	}
	return h.renderUnderDialog(w, r, status, q.Back, attendanceviews.DeskQuestion(q.Question))
}

// markChanged says of items how they have changed since they were picked. The question
// shows them as they are now, so that its answer decides that.
func (q *deskQuestion) markChanged(changed map[attendance.DeskKey]queries.FieldErrors) {
	if len(changed) == 0 || len(q.Errors) > 0 {
		return
	}
	q.Errors, q.Refused = queries.FieldErrors{"item": "desk.question.changed"}, changed
}

// askedItems returns the items that a question is about, with the times that were shown,
// and how some have changed since they were shown: they come first.
func (h *handlers) askedItems(r *http.Request, scope attendance.RecordScope, q deskQuestion) (items []attendance.DeskItem, changed map[attendance.DeskKey]queries.FieldErrors, err error) {
	asked, err := reviewItems(q.values)
	if err != nil {
		return nil, nil, err
	}
	for _, group := range q.Desk.Groups {
		for _, item := range group.Items {
			asked = append(asked, attendance.ReviewItem{DeskKey: item.DeskKey})
		}
	}
	if len(asked) == 0 {
		return nil, nil, nil
	}
	keys := make([]attendance.DeskKey, len(asked))
	for i := range asked {
		keys[i] = asked[i].DeskKey
	}
	found, err := h.db.Attendance.DeskItems(r.Context(), person(r).CompanyID, scope, keys)
	if err != nil {
		return nil, nil, err
	}
	changed = map[attendance.DeskKey]queries.FieldErrors{}
	for _, one := range asked {
		item := found[one.DeskKey]
		if item == nil || !item.MayDecide {
			continue
		}
		if one.At != nil {
			item.Suggestion.At = *one.At
		}
		if why := one.Outdated(*item, q.Decision); why != "" {
			items = slices.Insert(items, len(changed), *item)
			changed[item.DeskKey] = queries.FieldErrors{"item": why}
		} else {
			items = append(items, *item)
		}
	}
	return items, changed, nil
}

// reviewItems reads the values of fields that name items.
func reviewItems(values []string) ([]attendance.ReviewItem, error) {
	var items []attendance.ReviewItem
	for _, value := range values {
		item, err := attendanceviews.ParseDeskItem(value)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// review decides items of the desk. A single item, from the desk itself, is shown there
// again if it is refused; several, from a question, in the question, and so are the
// waiting requests, which have no evidence beside them.
func (h *handlers) review(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if !scope.EditsAnybody() {
		return errPageNotFound
	}
	f, isQuestion := r.PostForm, r.PostForm.Get("question") == "1"
	draft := attendance.ReviewDraft{
		Decision: attendance.Decision(f.Get("decision")), Comment: f.Get("comment"),
		Reason: func(item attendance.DeskItem) string { return attendanceviews.SuggestionReason(r.Context(), item) },
	}
	if draft.Items, err = reviewItems(f["item"]); err != nil {
		return err
	}
	back := backToReviews(r, f.Get("back"))
	if !slices.Contains(attendance.Decisions, draft.Decision) {
		return errPageNotFound
	}
	if len(draft.Items) == 0 {
		return redirect(w, r, back)
	}
	var result attendance.ReviewResult
	if refused := h.readTypedTime(r, &draft); refused != nil {
		result.Refused = map[attendance.DeskKey]queries.FieldErrors{draft.Items[0].DeskKey: refused}
	} else if result, err = h.db.Attendance.Review(r.Context(), actor(r), scope, draft); err == nil && result.Set != 0 {
		return h.reviewed(w, r, back, draft, result)
	}
	var fields queries.FieldErrors
	if errors.As(err, &fields) {
		err = nil
	}
	switch {
	case err != nil:
		return err
	case isQuestion || draft.Decision == attendance.Reject || isCorrections(back):
		q := deskQuestion{values: f["item"]}
		q.Question = attendanceviews.Question{Decision: draft.Decision, Comment: draft.Comment, Back: back, Next: f.Get("next"), Errors: fields, Refused: result.Refused}
		if len(result.Refused) > 0 {
			q.Errors = queries.FieldErrors{"item": "desk.question.refused"}
		}
		return h.showQuestion(w, r, http.StatusUnprocessableEntity, q)
	}
	return h.showRefusedItem(w, r, scope, deskAnswer{draft.Items[0].DeskKey, timeField(f, "time"), result.Refused[draft.Items[0].DeskKey]})
}

// readTypedTime sets the time of the only item of a form that has a field for it. It
// returns the refusal of the field, or nil.
func (h *handlers) readTypedTime(r *http.Request, draft *attendance.ReviewDraft) queries.FieldErrors {
	item := &draft.Items[0]
	isAsked := r.PostForm.Has("time") && len(draft.Items) == 1 && draft.Decision == attendance.Approve && item.Kind.Field() != ""
	if !isAsked {
		return nil
	}
	if r.PostForm.Get("time") == "" {
		return queries.FieldErrors{"time": "desk.time.required"}
	}
	var reason queries.Invalid
	if item.At, reason = h.typedTime(r, timeField(r.PostForm, "time"), item.DeskKey); reason != "" {
		return queries.FieldErrors{"time": reason}
	}
	return nil
}

// showRefusedItem shows the desk with the item open that was refused.
func (h *handlers) showRefusedItem(w http.ResponseWriter, r *http.Request, scope attendance.RecordScope, a deskAnswer) error {
	u, err := url.Parse(backToDesk(r, r.PostForm.Get("back")))
	if err != nil {
		return errPageNotFound
	}
	view, err := h.readDesk(r, u.Query(), scope)
	if err != nil {
		return err
	}
	view.Frame.Path = u.RequestURI()
	view.Peek, err = h.deskPeek(r, scope, view, a)
	if errors.Is(err, queries.NotFound) { // somebody else has decided it
		return h.redirectWithToast(w, r, u.RequestURI(), "desk.gone")
	}
	if err != nil {
		return err
	}
	if !r.PostForm.Has("time") && a.refused["time"] == "desk.time.required" {
		view.Peek.AskTimed, view.Peek.Errors = true, nil // the list has no field for it
	}
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, attendanceviews.DeskPage(view))
}

// reviewed leads back to the list, on the desk with the next item open, and says what was
// done. What has changed meanwhile stays ticked, to be looked at again.
func (h *handlers) reviewed(w http.ResponseWriter, r *http.Request, back string, draft attendance.ReviewDraft, result attendance.ReviewResult) error {
	said := locales.N(r.Context(), "desk.done."+string(draft.Decision), len(result.Done))
	if len(result.Done) == 1 {
		said = locales.T(r.Context(), "desk.done.one."+string(draft.Decision), "Name", result.Done[0].Name)
	}
	if n := len(result.Refused) - len(result.Changed); n > 0 {
		said += " · " + locales.N(r.Context(), "desk.done.left", n)
	}
	back = withoutPicked(back)
	next := back
	if n := len(result.Changed); n > 0 {
		picked := make([]string, n)
		for i, item := range result.Changed {
			picked[i] = attendanceviews.DeskItemValue(item)
		}
		said += " · " + attendanceviews.ChangedText(r.Context(), result.Changed)
		next = withPicked(back, picked, false)
	}
	if key, err := attendance.ParseDeskKey(r.PostForm.Get("next")); err == nil {
		next = withOpen(next, key.String())
	}
	return h.redirectWithUndo(w, r, next, said, attendanceviews.UndoReviewsPath(result.Set, back))
}

// undoReviews undoes what was decided at once, and opens the first item again.
func (h *handlers) undoReviews(w http.ResponseWriter, r *http.Request) error {
	set, err := rowID(chi.URLParam(r, "set"))
	if err != nil {
		return err
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	undone, err := h.db.Attendance.UndoReviews(r.Context(), actor(r), scope, set, locales.T(r.Context(), "desk.undo.reason"))
	if err != nil {
		return err
	}
	back := r.URL.Query().Get("back")
	if path := backToDesk(r, back); path == back {
		back = withOpen(path, undone[0].Key().String())
	} else if back = backToLog(r, back); back == "" {
		back = path
	}
	said, err := h.undoneText(r, scope, undone)
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, back, said, "")
}

// undoneText says what is on the desk again: a single record by its person and date.
func (h *handlers) undoneText(r *http.Request, scope attendance.RecordScope, undone []attendance.Review) (string, error) {
	ctx, key := r.Context(), undone[0].Key()
	if len(undone) == 1 {
		items, err := h.db.Attendance.DeskItems(ctx, person(r).CompanyID, scope, []attendance.DeskKey{key})
		if err != nil {
			return "", err
		}
		if item := items[key]; item != nil {
			now := h.db.Now().In(zone(person(r)))
			return locales.T(ctx, "desk.undone.one", "Name", item.Name, "Date", locales.ShortDate(ctx, key.Date.Time(), now)), nil
		}
	}
	return locales.N(ctx, "desk.undone", len(undone)), nil
}

// backToReviews returns the address of the desk or of the waiting requests that a form
// came from.
func backToReviews(r *http.Request, back string) string {
	if path := backToLog(r, back); isCorrections(path) {
		return path
	}
	return backToDesk(r, back)
}

// isCorrections reports whether an address is that of the waiting requests.
func isCorrections(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return path == attendanceviews.CorrectionsPath
}

// backToDesk returns the address of the desk that a form came from.
func backToDesk(r *http.Request, back string) string {
	u, err := url.Parse(backToLog(r, back))
	if err != nil || u.Path != employeeHome || len(u.Query()) > 0 && u.Query().Get("view") != "desk" {
		return employeeHome + "?view=desk"
	}
	return u.RequestURI()
}

// withOpen returns an address of the desk with an item open.
func withOpen(desk, key string) string {
	u, err := url.Parse(desk)
	if err != nil {
		return desk
	}
	query := u.Query()
	query.Set("view", "desk")
	query.Set("open", key)
	return fmt.Sprintf("%s?%s", u.Path, query.Encode())
}
