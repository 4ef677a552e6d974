package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	attendanceviews "officeconsole/views/attendance"
	auditviews "officeconsole/views/audit"
)

// changePageSize is the number of changes on a page.
const changePageSize = 50

// changes lists the change log. The filters are in the URL, see audit.ReadFilter;
// open is the id of the change that is shown with its differences.
func (h *handlers) changes(w http.ResponseWriter, r *http.Request) error {
	view, status := auditviews.List{}, http.StatusOK
	var err error
	view.Filter, err = audit.ReadFilter(r.URL.Query(), zone(person(r)))
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	var open *audit.Change
	if text := r.URL.Query().Get("open"); text != "" {
		id, err := rowID(text)
		if err != nil {
			return err
		}
		found, err := h.db.Audit.Change(r.Context(), audit.ChangeParams{CompanyID: person(r).CompanyID, ID: id})
		if err != nil {
			return err
		}
		open = &found
	}
	return h.showChanges(w, r, status, view, open, reversalRefusal{})
}

// reversalRefusal is why a change could not be reverted. The zero value is none.
type reversalRefusal struct {
	message    string // in the reader's language
	mayConfirm bool
	overlap    *audit.Overlap // the fields that have changed since; nil for another refusal
}

// showChanges shows the change log with a change open; nil for none.
func (h *handlers) showChanges(w http.ResponseWriter, r *http.Request, status int, view auditviews.List, open *audit.Change, refusal reversalRefusal) (err error) {
	ctx := r.Context()
	view.Filter.CompanyID, view.Filter.Limit = person(r).CompanyID, changePageSize
	filter := view.Filter
	if view.Page, err = h.db.Audit.Changes(ctx, filter); err != nil {
		return err
	}
	if open != nil {
		if !slices.ContainsFunc(view.Page.Rows, func(c audit.Change) bool { return c.ID == open.ID }) {
			filter.Cursor = audit.CursorAt(*open)
			if view.Page, err = h.db.Audit.Changes(ctx, filter); err != nil {
				return err
			}
		}
		if view.Open, err = h.changeDetail(r, *open); err != nil {
			return err
		}
		view.Open.Refused, view.Open.MayConfirm, view.Open.Overlap = refusal.message, refusal.mayConfirm, refusal.overlap
	}
	if view.Actors, err = h.db.Audit.Actors(ctx, filter.CompanyID); err != nil {
		return err
	}
	switch verified, err := h.db.Audit.LastVerification(ctx, filter.CompanyID); {
	case err == nil:
		view.Verified = &verified
	case !errors.Is(err, queries.NotFound):
		return err
	}
	view.Frame = h.frame(r)
	return h.renderStatus(w, r, status, auditviews.ListPage(view))
}

// exportChanges answers with the list of the page as a file.
func (h *handlers) exportChanges(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	query.Del("cursor") // a file has every page
	request := exports.ChangeRequest{List: exports.ChangesList, Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format) {
		return errPageNotFound
	}
	var err error
	request.ChangeFilter, err = audit.ReadFilter(query, zone(person(r)))
	refused, err := refusedFilter(err)
	if err != nil {
		return err
	}
	if refused != "" {
		return queries.Invalid(refused)
	}
	return h.sendExport(w, r, request, auditviews.Path)
}

// changeDetail returns what a change changed, with the names of all it refers to.
func (h *handlers) changeDetail(r *http.Request, c audit.Change) (*auditviews.Detail, error) {
	ctx := r.Context()
	d := &auditviews.Detail{Change: c}
	var err error
	if d.Later, err = h.db.Audit.Later(ctx, c, auditviews.MostLater); err != nil {
		return nil, err
	}
	if c.RevertsFields(h.db.Now()) {
		if d.LaterFields, err = h.db.Audit.LaterFields(ctx, c); err != nil {
			return nil, err
		}
	}
	var prevented queries.Invalid
	if d.Reversal, err = h.db.Audit.ObjectReversal(ctx, c); errors.As(err, &prevented) {
		d.Prevented = string(prevented)
	} else if err != nil {
		return nil, err
	}
	if c.ObjectType == "export" && c.New != nil {
		exported, err := exports.ReadRecord(c.New)
		if err != nil {
			return nil, fmt.Errorf("change %d: %w", c.ID, err)
		}
		shown := auditviews.Export(exported)
		d.Export = &shown
		d.Names, err = h.db.Audit.FilterNames(ctx, c.CompanyID, exported.Filter)
		return d, err
	}
	if c.ObjectType != "policy" {
		if d.Elsewhere, err = attendancePage(c); err != nil {
			return nil, err
		}
		if d.Differences, err = c.Differences(); err != nil {
			return nil, err
		}
		d.Names, err = h.db.Audit.Names(ctx, c.CompanyID, d.Differences)
		return d, err
	}
	if d.Policy, d.People, err = h.policyDifferences(r, c); err != nil {
		return nil, err
	}
	if d.Effect, err = h.reversalEffect(r, c); err != nil || d.Effect == nil || d.Effect.Past == nil {
		return d, err
	}
	past, err := h.db.Attendance.PreviewPast(ctx, c.CompanyID, *d.Effect.Past)
	d.Past = &past
	return d, err
}

// attendancePage returns the address of the page on which a change of attendance is undone; ""
// for any other change. It does not ask for the record, which would store that it was read.
func attendancePage(c audit.Change) (string, error) {
	switch c.ObjectType {
	case "attendance_month":
		return attendanceviews.ManagementPath + "#locks", nil
	case "attendance":
		key, err := c.RecordKey()
		if errors.Is(err, queries.NotFound) {
			return "", nil
		}
		return attendanceviews.RecordPath(key, ""), err
	}
	return "", nil
}

// reversalEffect returns whom reverting the change of a policy affects; nil where it
// cannot be reverted.
func (h *handlers) reversalEffect(r *http.Request, c audit.Change) (*policy.Preview, error) {
	effect, err := h.db.Audit.PreviewReversal(r.Context(), actor(r), c)
	var conflict queries.Conflict
	var refused queries.FieldErrors
	if errors.As(err, &conflict) || errors.As(err, &refused) || errors.Is(err, queries.NotFound) {
		return nil, nil
	}
	if err != nil || effect == nil {
		return nil, err
	}
	effect.Lost, err = h.db.Policies.NameTargets(r.Context(), c.CompanyID, effect.Lost)
	return effect, err
}

// verifyChanges compares the change log with its hashes now.
func (h *handlers) verifyChanges(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.db.Audit.Verify(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	return redirect(w, r, auditviews.Path)
}

// revertChange reverts a change. What prevents that is shown beside the change.
func (h *handlers) revertChange(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	c, err := h.db.Audit.Change(ctx, audit.ChangeParams{CompanyID: person(r).CompanyID, ID: id})
	if err != nil {
		return err
	}
	if c.NeedsProof() {
		if r, err = h.proveFirst(w, r); err != nil || r == nil {
			return err
		}
	}
	reverted, err := h.db.Audit.Revert(ctx, actor(r), id, r.PostForm.Get("confirmed") == "1")
	refusal, status, err := describeReversal(ctx, err)
	if err != nil {
		return err
	}
	if refusal.message != "" {
		return h.showChanges(w, r, status, auditviews.List{}, &c, refusal)
	}
	text := locales.T(ctx, "change.reverted")
	if len(reverted.Lost) > 0 {
		text = locales.N(ctx, "change.reverted.lost", len(reverted.Lost))
	}
	undo := ""
	if reverted.Change.Revertible() {
		undo = auditviews.RevertURL(reverted.Change.ID)
	}
	return h.redirectWithUndo(w, r, auditviews.Path, withBrokenCheck(ctx, text, reverted.Broken), undo)
}

// describeReversal returns why a change was not reverted and the status of the
// response, or the error if it is no refusal.
func describeReversal(ctx context.Context, err error) (reversalRefusal, int, error) {
	var conflict queries.Conflict
	var invalid queries.Invalid
	var lockout *policy.Lockout
	var broken *policy.CheckRefusal
	var overlap *audit.Overlap
	var unconfirmed audit.Unconfirmed
	switch {
	case errors.As(err, &unconfirmed):
		return reversalRefusal{message: locales.T(ctx, string(unconfirmed.Conflict)), mayConfirm: true}, http.StatusConflict, nil
	case errors.As(err, &lockout):
		return reversalRefusal{message: locales.T(ctx, "change.lockout"), mayConfirm: true}, http.StatusConflict, nil
	case errors.As(err, &broken):
		return reversalRefusal{message: locales.T(ctx, "check.broken.sentence", "Sentence", brokenSentence(ctx, broken.Broken))}, http.StatusUnprocessableEntity, nil
	case errors.As(err, &overlap):
		return reversalRefusal{message: locales.T(ctx, "change.revert.overlap"), overlap: overlap}, http.StatusConflict, nil
	case errors.As(err, &conflict):
		return reversalRefusal{message: locales.T(ctx, string(conflict))}, http.StatusConflict, nil
	case errors.As(err, &invalid):
		return reversalRefusal{message: locales.T(ctx, string(invalid))}, http.StatusUnprocessableEntity, nil
	}
	return reversalRefusal{}, 0, err
}
