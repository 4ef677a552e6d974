package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	attendanceviews "officeconsole/views/attendance"
)

// viewerChoices is the maximum number of people or departments that a search
// without scripts offers.
const viewerChoices = 20

func (h *handlers) newViewer(w http.ResponseWriter, r *http.Request) error {
	draft := attendance.ViewerDraft{By: attendance.ViewerByPosition, WholeCompany: true}
	return h.fillViewerForm(w, r, attendanceviews.ViewerForm{Draft: draft})
}

func (h *handlers) editViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(r.URL.Query().Get("edit"))
	if err != nil {
		return err
	}
	stored, err := h.db.Attendance.Viewer(r.Context(), person(r).CompanyID, id)
	if err != nil {
		return err
	}
	return h.fillViewerForm(w, r, attendanceviews.ViewerForm{ID: id, Version: stored.VersionNo, Draft: stored.Draft()})
}

// fillViewerForm shows the form, or the selections of a search without scripts, which
// are in the URL with the version that they were made from.
func (h *handlers) fillViewerForm(w http.ResponseWriter, r *http.Request, form attendanceviews.ViewerForm) error {
	if query := r.URL.Query(); query.Has("by") {
		chosen, err := viewerDraft(query)
		if err != nil {
			return errPageNotFound
		}
		if form.Version, err = formVersion(query); err != nil {
			return errPageNotFound
		}
		form.Draft, form.Typed = chosen, true
	}
	return h.showViewerForm(w, r, http.StatusOK, form, r.URL.Query())
}

func (h *handlers) registerViewer(w http.ResponseWriter, r *http.Request) error {
	return h.saveViewer(w, r, 0, "viewer.registered", func(form attendanceviews.ViewerForm) error {
		_, err := h.db.Attendance.RegisterViewer(r.Context(), actor(r), form.Draft)
		return err
	})
}

func (h *handlers) updateViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	return h.saveViewer(w, r, id, "viewer.updated", func(form attendanceviews.ViewerForm) error {
		_, err := h.db.Attendance.UpdateViewer(r.Context(), actor(r), id, form.Version, form.Draft)
		return err
	})
}

// saveViewer reads the form and saves. A refused form is shown again with everything in
// it; after somebody else has saved, saving again replaces that.
func (h *handlers) saveViewer(w http.ResponseWriter, r *http.Request, id int64, toast string, save func(attendanceviews.ViewerForm) error) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := attendanceviews.ViewerForm{ID: id, Typed: true}
	var err error
	if form.Draft, err = viewerDraft(r.PostForm); err != nil {
		return err
	}
	if form.Version, err = formVersion(r.PostForm); err != nil {
		return err
	}
	err = save(form)
	status := http.StatusUnprocessableEntity
	switch {
	case errors.As(err, &form.Refused):
	case errors.As(err, new(queries.Conflict)):
		stored, err := h.db.Attendance.Viewer(r.Context(), person(r).CompanyID, id)
		if err != nil {
			return err
		}
		if form.Earlier, err = h.savedFirst(r, form.Path(), "viewer", id, "viewer.updated", "viewer.restored"); err != nil {
			return err
		}
		form.Version, status = stored.VersionNo, http.StatusConflict
	case err != nil:
		return err
	default:
		return h.redirectWithToast(w, r, attendanceviews.ViewersPath, toast)
	}
	return h.showViewerForm(w, r, status, form, r.PostForm)
}

// formVersion reads the version that a form was filled with; 0 for a form without one,
// which saves whatever there is.
func formVersion(form url.Values) (int32, error) {
	text := form.Get("version")
	if text == "" {
		return 0, nil
	}
	version, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, queries.Invalid("error.unreadable")
	}
	return int32(version), nil
}

func (h *handlers) showViewerForm(w http.ResponseWriter, r *http.Request, status int, form attendanceviews.ViewerForm, typed url.Values) (err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	if form.Ranks, err = h.db.Directory.Ranks(ctx, companyID); err != nil {
		return err
	}
	form.Chosen, err = h.db.Attendance.ChosenPeople(ctx, attendance.ChosenPeopleParams{CompanyID: companyID, Ids: form.Draft.UserIDs})
	if err != nil {
		return err
	}
	for _, departments := range []*[]attendance.ViewerDepartment{&form.Draft.Within, &form.Draft.Departments} {
		if *departments, err = h.nameDepartments(ctx, companyID, *departments); err != nil {
			return err
		}
	}
	if form.People, err = h.findViewers(ctx, companyID, typed.Get("people_q")); err != nil {
		return err
	}
	if form.Scopes, err = h.findDepartments(ctx, companyID, typed.Get("scope_q")); err != nil {
		return err
	}
	if form.Managed, err = h.findDepartments(ctx, companyID, typed.Get("departments_q")); err != nil {
		return err
	}
	form.Frame = h.frame(r)
	form.Frame.Path = form.Path() // also after a refused form, which has an address of its own
	return h.renderStatus(w, r, status, attendanceviews.ViewerFormPage(form))
}

// nameDepartments returns the selected departments with their names, in order.
// Departments that no longer exist are left out.
func (h *handlers) nameDepartments(ctx context.Context, companyID int64, chosen []attendance.ViewerDepartment) ([]attendance.ViewerDepartment, error) {
	include := map[int64]bool{}
	ids := []int64{}
	for _, d := range chosen {
		include[d.ID] = d.IncludeChildren
		ids = append(ids, d.ID)
	}
	rows, err := h.db.Attendance.ChosenDepartments(ctx, attendance.ChosenDepartmentsParams{CompanyID: companyID, Ids: ids})
	named := make([]attendance.ViewerDepartment, len(rows))
	for i, row := range rows {
		named[i] = attendance.ViewerDepartment{ID: row.ID, Name: row.Name, Path: row.Path, IncludeChildren: include[row.ID]}
	}
	return named, err
}

// findViewers searches people who can be registered. For an invalid search text
// it returns nobody and the message.
func (h *handlers) findViewers(ctx context.Context, companyID int64, q string) (attendanceviews.ViewerSearch[directory.ListedUser], error) {
	found := attendanceviews.ViewerSearch[directory.ListedUser]{Query: q}
	search, err := lists.ParseSearch(q)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		found.Refused = string(refused)
	}
	if err != nil || search.Empty() {
		return found, nil
	}
	filter := directory.UserFilter{CompanyID: companyID, Scope: directory.Scope{Everybody: true}, Search: search, Limit: viewerChoices}
	people, err := h.db.Directory.Users(ctx, filter)
	for _, p := range people.Rows {
		if !p.Bot {
			found.Found = append(found.Found, p)
		}
	}
	return found, err
}

// findDepartments searches departments, or returns the top-level departments
// without a search text.
func (h *handlers) findDepartments(ctx context.Context, companyID int64, q string) (attendanceviews.ViewerSearch[attendance.ViewerDepartment], error) {
	found := attendanceviews.ViewerSearch[attendance.ViewerDepartment]{Query: q}
	search, err := lists.ParseSearch(q)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		found.Refused = string(refused)
		return found, nil
	}
	if search.Empty() {
		rows, err := h.db.Policies.UpperDepartments(ctx, companyID)
		for _, row := range rows[:min(len(rows), viewerChoices)] {
			found.Found = append(found.Found, attendance.ViewerDepartment{ID: row.ID, Name: row.Name, IncludeChildren: true})
		}
		return found, err
	}
	rows, err := h.db.Directory.Departments(ctx, companyID, directory.Scope{Everybody: true}, search)
	for _, row := range rows[:min(len(rows), viewerChoices)] {
		found.Found = append(found.Found, attendance.ViewerDepartment{ID: row.ID, Name: row.Name, Path: row.Path, IncludeChildren: true})
	}
	return found, err
}

// viewerDraft reads a form. The pickers send JSON, their fallbacks one field
// for each selection.
func viewerDraft(form url.Values) (d attendance.ViewerDraft, err error) {
	d.By, d.WholeCompany, d.MayEdit = form.Get("by"), form.Get("within") == "company", form.Get("may_edit") == "yes"
	if rank := form.Get("rank_id"); rank != "" {
		if d.RankID, err = strconv.ParseInt(rank, 10, 64); err != nil {
			return d, queries.Invalid("error.unreadable")
		}
	}
	people, err := viewerTargets(form, "users", "user_ids", "")
	if err != nil {
		return d, err
	}
	for _, p := range people {
		d.UserIDs = append(d.UserIDs, p.ID)
	}
	if d.Within, err = viewerTargets(form, "scope", "scope_ids", "scope_children"); err != nil {
		return d, err
	}
	d.Departments, err = viewerTargets(form, "departments", "department_ids", "department_children")
	return d, err
}

// viewerTargets returns the selections of a picker without duplicates.
func viewerTargets(form url.Values, picked, ids, children string) (targets []attendance.ViewerDepartment, err error) {
	if form.Has(picked) {
		if err := json.Unmarshal([]byte(form.Get(picked)), &targets); err != nil {
			return nil, queries.Invalid("error.unreadable")
		}
		return targets, nil
	}
	seen := map[string]bool{}
	include := map[string]bool{}
	for _, id := range form[children] {
		include[id] = true
	}
	for _, text := range form[ids] {
		if seen[text] {
			continue
		}
		seen[text] = true
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, queries.Invalid("error.unreadable")
		}
		targets = append(targets, attendance.ViewerDepartment{ID: id, IncludeChildren: include[text]})
	}
	return targets, nil
}
