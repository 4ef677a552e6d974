package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
	"officeconsole/workday"
)

// holidays lists the holidays of a year. The dialogs for a new one, and for changing or
// deleting one, are in the URL.
func (h *handlers) holidays(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case query.Has("create"):
		return h.showHolidays(w, r, http.StatusOK, holidayDialog(policyviews.HolidayForm{}))
	case query.Has("edit"):
		stored, err := h.holidayIn(r, query.Get("edit"))
		if errors.Is(err, queries.NotFound) {
			return h.showWithoutHoliday(w, r, query.Get("edit"))
		}
		if err != nil {
			return err
		}
		return h.showHolidays(w, r, http.StatusOK, holidayDialog(policyviews.NewHolidayForm(stored)))
	case query.Has("delete"):
		return h.askToDeleteHoliday(w, r, query.Get("delete"))
	}
	return h.showHolidays(w, r, http.StatusOK, nil)
}

func (h *handlers) askToDeleteHoliday(w http.ResponseWriter, r *http.Request, text string) error {
	stored, err := h.holidayIn(r, text)
	if errors.Is(err, queries.NotFound) {
		return h.showWithoutHoliday(w, r, text)
	}
	if err != nil {
		return err
	}
	preview, err := h.previewHoliday(r, policy.HolidayChange{ID: stored.ID})
	var refused queries.FieldErrors
	if errors.As(err, &refused) {
		return refused.First()
	}
	if err != nil {
		return err
	}
	return h.showHolidays(w, r, http.StatusOK, func(year int) templ.Component { return policyviews.HolidayDeletionDialog(stored, preview, year) })
}

// showWithoutHoliday shows the page without a dialog for the holiday that a parameter names,
// and says who has deleted it and when; NotFound if there was no such holiday.
func (h *handlers) showWithoutHoliday(w http.ResponseWriter, r *http.Request, text string) error {
	id, err := rowID(text)
	if err != nil {
		return err
	}
	deleted, err := h.lastChange(r, "holiday", id, "holiday.deleted")
	if err != nil {
		return err
	}
	return h.showHolidays(w, withToast(r, changedText(r, "holiday.gone", deleted)), http.StatusOK, nil)
}

// holidayIn returns the holiday that a parameter names.
func (h *handlers) holidayIn(r *http.Request, text string) (policy.Holiday, error) {
	id, err := rowID(text)
	if err != nil {
		return policy.Holiday{}, err
	}
	all, err := h.db.Policies.Holidays(r.Context(), person(r).CompanyID)
	if err != nil {
		return policy.Holiday{}, err
	}
	at := slices.IndexFunc(all, func(one policy.Holiday) bool { return one.ID == id })
	if at < 0 {
		return policy.Holiday{}, queries.NotFound
	}
	return all[at], nil
}

// previewHoliday returns what a change does to records; nil where there are none.
func (h *handlers) previewHoliday(r *http.Request, c policy.HolidayChange) (*attendance.PastPreview, error) {
	companyID := person(r).CompanyID
	plan, err := h.db.Policies.PlanHoliday(r.Context(), companyID, c)
	if err != nil || plan == nil || !plan.Records {
		return nil, err
	}
	preview, err := h.db.Attendance.PreviewHoliday(r.Context(), companyID, plan)
	return &preview, err
}

func holidayDialog(form policyviews.HolidayForm) func(year int) templ.Component {
	return func(year int) templ.Component { return policyviews.HolidayDialog(form, year) }
}

// showHolidays shows the page below the dialog that dialog returns for its year, unless it
// is nil. The year is in the URL, or in the dialog's form.
func (h *handlers) showHolidays(w http.ResponseWriter, r *http.Request, status int, dialog func(year int) templ.Component) error {
	page := policyviews.Holidays{Frame: h.frame(r), Year: h.db.Now().In(zone(person(r))).Year()}
	if text := r.FormValue("year"); text != "" {
		var err error
		if page.Year, err = strconv.Atoi(text); err != nil || page.Year < workday.FirstYear || page.Year > workday.LastYear {
			return errPageNotFound
		}
	}
	page.Frame.Path = policyviews.HolidayYearURL(page.Year) // a form has a URL of its own
	if dialog != nil {
		page.Frame.Dialog = dialog(page.Year)
	}
	var err error
	if page.Entries, err = h.db.Attendance.HolidayCalendar(r.Context(), person(r).Person, page.Year); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, policyviews.HolidaysPage(page))
}

// createHoliday saves a new holiday.
func (h *handlers) createHoliday(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	return h.saveHoliday(w, r, readHolidayForm(r.PostForm))
}

// updateHoliday saves another version of a holiday.
func (h *handlers) updateHoliday(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := readHolidayForm(r.PostForm)
	var err error
	if form.ID, err = rowID(chi.URLParam(r, "id")); err != nil {
		return err
	}
	return h.saveHoliday(w, r, form)
}

func readHolidayForm(values url.Values) policyviews.HolidayForm {
	version, _ := strconv.ParseInt(values.Get("version"), 10, 32)
	return policyviews.HolidayForm{VersionNo: int32(version), Name: values.Get("name"), First: values.Get("first_date"), Last: values.Get("last_date")}
}

// saveHoliday saves the form. A change of records is shown first.
func (h *handlers) saveHoliday(w http.ResponseWriter, r *http.Request, form policyviews.HolidayForm) error {
	change, err := holidayChange(form)
	if err == nil {
		change.Confirmed = r.PostForm.Get("confirmed") == form.Confirmation()
		_, err = h.db.Policies.SaveHoliday(r.Context(), actor(r), change)
	}
	status := http.StatusUnprocessableEntity
	switch {
	case errors.As(err, &form.Refused):
	case errors.Is(err, policy.ErrHolidayUnconfirmed):
		if form.Preview, err = h.previewHoliday(r, change); err != nil {
			return err
		}
	case errors.As(err, new(queries.Conflict)):
		stored, err := h.holidayIn(r, strconv.FormatInt(form.ID, 10))
		if err != nil {
			return err
		}
		form.Conflict, form.VersionNo, status = true, stored.VersionNo, http.StatusConflict
	case errors.Is(err, queries.NotFound):
		deleted, err := h.lastChange(r, "holiday", form.ID, "holiday.deleted")
		if err != nil {
			return err
		}
		form.Gone, form.ID, form.VersionNo, status = changedText(r, "holiday.gone", deleted), 0, 0, http.StatusConflict // the next save adds it anew
	case err != nil:
		return err
	default:
		toast := "holiday.saved"
		if change.Confirmed {
			toast = "holiday.saved.recompute"
		}
		return h.redirectWithToast(w, r, policyviews.HolidayYearURL(change.Draft.First.Year()), toast)
	}
	return h.showHolidays(w, r, status, holidayDialog(form))
}

// holidayChange reads a form. It refuses dates that are none with FieldErrors.
func holidayChange(form policyviews.HolidayForm) (policy.HolidayChange, error) {
	draft, refused := policy.HolidayDraft{Name: form.Name}, queries.FieldErrors{}
	for _, field := range []struct {
		name, text string
		date       *workday.Date
	}{{"first_date", form.First, &draft.First}, {"last_date", form.Last, &draft.Last}} {
		if field.text == "" {
			continue
		}
		var err error
		if *field.date, err = workday.ParseDate(field.text); err != nil {
			refused[field.name] = "holiday.date.invalid"
		}
	}
	if len(refused) > 0 {
		return policy.HolidayChange{}, refused
	}
	return policy.HolidayChange{ID: form.ID, VersionNo: form.VersionNo, Draft: &draft}, nil
}

// deleteHoliday deletes a holiday. Without a confirmation of the records that change it
// asks first.
func (h *handlers) deleteHoliday(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	stored, err := h.holidayIn(r, chi.URLParam(r, "id"))
	if errors.Is(err, queries.NotFound) {
		return h.redirectToDeletedHoliday(w, r)
	}
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	change := policy.HolidayChange{ID: stored.ID, VersionNo: int32(version), Confirmed: r.PostForm.Get("confirmed") == "1"}
	_, err = h.db.Policies.SaveHoliday(r.Context(), actor(r), change)
	var refused queries.FieldErrors
	switch {
	case errors.Is(err, policy.ErrHolidayUnconfirmed):
		return h.askToDeleteHoliday(w, r, chi.URLParam(r, "id"))
	case errors.As(err, &refused):
		return refused.First()
	case err != nil:
		return err
	}
	toast := "holiday.deleted"
	if change.Confirmed {
		toast = "holiday.deleted.recompute"
	}
	return h.redirectWithToast(w, r, policyviews.HolidayYearURL(stored.First.Year()), toast)
}

// redirectToDeletedHoliday leads from the deletion of a holiday that somebody else has
// deleted back to its year, where nothing is left to do.
func (h *handlers) redirectToDeletedHoliday(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	deleted, err := h.lastChange(r, "holiday", id, "holiday.deleted")
	if err != nil {
		return err
	}
	year, err := strconv.Atoi(r.PostForm.Get("year"))
	if err != nil {
		year = h.db.Now().In(zone(person(r))).Year()
	}
	return h.redirectWithUndo(w, r, policyviews.HolidayYearURL(year), changedText(r, "holiday.gone", deleted), "")
}
