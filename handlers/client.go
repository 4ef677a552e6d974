package handlers

import (
	"net/http"
	"slices"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
	usageviews "officeconsole/views/usage"
	"officeconsole/workday"
)

// clientPageSize is the number of people on a page with their clients.
const clientPageSize = 50

// releaseSpan is the number of days of the picture of releases.
const releaseSpan = 182

// clients returns a handler that lists the people with their clients on a platform.
// The filters are in the URL, see usage.ClientFilter.
func (h *handlers) clients(platform string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, p, status := r.Context(), person(r), http.StatusOK
		view := usageviews.Clients{}
		var err error
		view.ClientFilter, err = usage.ReadClientFilter(r.URL.Query(), platform)
		if view.Refused, err = refusedFilter(err); err != nil {
			return err
		}
		if view.Departments, err = h.clientDepartments(r, view.DepartmentID); err != nil {
			return err
		}
		rules, err := h.db.Usage.InstallationRules(ctx, p.CompanyID)
		if err != nil {
			return err
		}
		view.Rules, view.Limit = rules.Rules, clientPageSize
		if view.Counts, err = h.db.Usage.ClientCounts(ctx, p.Person, platform, view.Rules, view.IdleFor()); err != nil {
			return err
		}
		if r.URL.Query().Has("departments") {
			if view.ByDepartment, err = h.db.Usage.ClientDepartments(ctx, p.CompanyID, platform, view.Rules); err != nil {
				return err
			}
		}
		today := workday.DateOf(h.db.Now().In(zone(p)))
		if view.Days, err = h.db.Usage.ReleaseDays(ctx, p.CompanyID, platform, today-releaseSpan, today); err != nil {
			return err
		}
		if view.Refused != "" {
			status = http.StatusUnprocessableEntity
		}
		if view.List, err = h.db.Usage.Clients(ctx, p.CompanyID, view.Rules, view.ClientFilter); err != nil {
			return err
		}
		applied := view.ClientFilter
		if view.Refused != "" {
			applied.Query = "" // the rows are those without the search
		}
		h.noteRead(r, audit.ReadOfClients(applied, len(view.List.Rows)))
		view.Frame = h.frame(r)
		return h.renderStatus(w, r, status, usageviews.ClientsPage(view))
	}
}

// clientDepartments are the choices of the filter. A department of another company is
// not found.
func (h *handlers) clientDepartments(r *http.Request, chosen int64) ([]policy.UpperDepartment, error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	if chosen != 0 {
		if _, err := h.db.Policies.Department(ctx, policy.DepartmentParams{CompanyID: companyID, ID: chosen}); err != nil {
			return nil, err
		}
	}
	return h.db.Policies.UpperDepartments(ctx, companyID)
}

// exportClients returns a handler that answers with the list of a page as a file.
// Invalid values are errPageNotFound, so that no file has more or less than the
// request names.
func (h *handlers) exportClients(platform string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		query.Del("cursor") // a file has every page
		request := exports.ClientRequest{List: exports.ClientsList, Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
		if !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format) {
			return errPageNotFound
		}
		filter, err := usage.ReadClientFilter(query, platform)
		refused, err := refusedFilter(err)
		if err != nil {
			return err
		}
		if refused != "" {
			return queries.Invalid(refused)
		}
		if _, err := h.clientDepartments(r, filter.DepartmentID); err != nil {
			return err
		}
		request.ClientFilter = filter
		return h.sendExport(w, r, request, usageviews.ClientsPath(platform))
	}
}
