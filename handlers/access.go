package handlers

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"
	usageviews "officeconsole/views/usage"
)

// accessPageSize is the number of rows of the access history on a page.
const accessPageSize = 50

// accessHistory lists the access history. The filters are in the URL, see
// usage.AccessFilter; open is the key of a row whose details are shown; reset asks
// before the second factors of its person are removed, unlink before the accounts of
// providers are unlinked.
func (h *handlers) accessHistory(w http.ResponseWriter, r *http.Request) error {
	ctx, p := r.Context(), person(r)
	view := usageviews.Access{}
	var err error
	view.AccessFilter, err = usage.ReadAccessFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	view.Limit, view.DirectoryVersion = accessPageSize, p.DirectoryVersion
	if err := h.openAccess(r, &view); err != nil {
		return err
	}
	if view.List, err = h.db.Usage.AccessEvents(ctx, p.CompanyID, zone(p), view.AccessFilter); err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadAccess, Query: view.Values(), Rows: len(view.List.Rows)})
	if view.Counts, err = h.db.Usage.CountAccess(ctx, p.CompanyID, zone(p), view.AccessFilter, view.List); err != nil {
		return err
	}
	view.Frame = h.frame(r)
	if r.URL.Query().Has("reset") && view.MayResetFactors() {
		view.Frame.Dialog = usageviews.FactorResetDialog(view)
	}
	if r.URL.Query().Has("unlink") && view.MayUnlink() {
		view.Frame.Dialog = usageviews.UnlinkDialog(view)
	}
	return h.renderStatus(w, r, statusOf(view.Refused), usageviews.AccessPage(view))
}

// openAccess reads the row that the URL opens, and what its person has open; without
// a row, that of the person of the filter.
func (h *handlers) openAccess(r *http.Request, view *usageviews.Access) error {
	userID := view.UserID
	if text := r.URL.Query().Get("open"); text != "" {
		key, ok := usage.ParseAccessKey(text)
		if !ok {
			return errPageNotFound
		}
		row, err := h.db.Usage.AccessAt(r.Context(), person(r).CompanyID, key)
		if err != nil {
			return err
		}
		if view.Opened = &row; row.UserID != nil && row.User.Name != "" {
			userID = *row.UserID
		}
	}
	if userID == 0 {
		return nil
	}
	panel, err := h.accessPerson(r, userID)
	if view.Panel = panel; err == nil && userID == view.UserID {
		view.Person = panel.Name
	} else if err == nil && view.UserID != 0 {
		view.Person, err = h.nameOf(r, view.UserID)
	}
	return err
}

func (h *handlers) nameOf(r *http.Request, userID int64) (string, error) {
	p, err := h.db.Directory.Person(r.Context(), directory.PersonParams{CompanyID: person(r).CompanyID, ID: userID})
	return p.Name, err
}

// accessPerson returns what a person has open.
func (h *handlers) accessPerson(r *http.Request, userID int64) (*usageviews.AccessPerson, error) {
	ctx, reader, now := r.Context(), person(r), h.db.Now()
	of, err := h.db.Directory.Person(ctx, directory.PersonParams{CompanyID: reader.CompanyID, ID: userID})
	if err != nil {
		return nil, err
	}
	panel := &usageviews.AccessPerson{ID: of.ID, Name: of.Name, Email: of.Email, Hidden: of.HiddenAt != nil}
	if userID == reader.ID {
		panel.OwnSession = reader.SignInID
	}
	user, err := h.db.Usage.AccessUser(ctx, reader.CompanyID, userID)
	if err != nil {
		return nil, err
	}
	panel.Department = user.Department
	if panel.Sessions, err = h.db.Identity.SignIns(ctx, identity.SignInsParams{CompanyID: reader.CompanyID, UserID: userID, Now: now}); err != nil {
		return nil, err
	}
	if panel.LockedUntil, err = h.db.Identity.LockedUntil(ctx, reader.CompanyID, userID); err != nil {
		return nil, err
	}
	if panel.Factors, err = h.db.Identity.Factors(ctx, reader.CompanyID, userID); err != nil {
		return nil, err
	}
	if panel.Identities, err = h.db.Identity.Identities(ctx, identity.IdentitiesParams{CompanyID: reader.CompanyID, UserID: userID}); err != nil {
		return nil, err
	}
	if panel.Sums, err = h.db.Usage.SumAccess(ctx, reader.CompanyID, userID); err != nil {
		return nil, err
	}
	link, err := h.db.Identity.PasswordLink(ctx, identity.PasswordLinkParams{CompanyID: reader.CompanyID, UserID: userID, Now: now})
	if errors.Is(err, queries.NotFound) {
		return panel, nil
	}
	panel.Link = &link
	return panel, err
}

// exportAccess answers with the list of a page as a file. Invalid values are
// errPageNotFound, so that no file has more or less than the request names.
func (h *handlers) exportAccess(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	query.Del("cursor") // a file has every page
	request := exports.AccessRequest{List: exports.AccessList, Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format) {
		return errPageNotFound
	}
	filter, err := usage.ReadAccessFilter(query)
	refused, err := refusedFilter(err)
	if err != nil {
		return err
	}
	if refused != "" {
		return queries.Invalid(refused)
	}
	if filter.UserID != 0 {
		if _, err := h.nameOf(r, filter.UserID); err != nil {
			return err
		}
	}
	request.AccessFilter = filter
	return h.sendExport(w, r, request, usageviews.AccessPath)
}

// endSession ends a session or access token of another person. One that has ended
// meanwhile is no error. The reader's own are ended on the profile page, which asks
// for the password.
func (h *handlers) endSession(w http.ResponseWriter, r *http.Request) error {
	userID, id, err := accessIDs(r)
	if err != nil {
		return err
	}
	if userID == person(r).ID {
		return redirect(w, r, profilePath)
	}
	ended, err := h.db.Identity.EndSession(r.Context(), actor(r), identity.Confirmation{}, userID, id)
	if err != nil {
		return err
	}
	if !ended {
		return h.backToAccess(w, r, "access.session.gone")
	}
	return h.backToAccess(w, r, "access.session.ended")
}

// endSessions ends everything that another person has open, as endSession.
func (h *handlers) endSessions(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	if userID == person(r).ID {
		return redirect(w, r, profilePath)
	}
	if _, err := h.db.Identity.EndAll(r.Context(), actor(r), identity.Confirmation{}, userID, 0); err != nil {
		return err
	}
	return h.backToAccess(w, r, "access.sessions.ended")
}

// unlockAccount lets a person try to sign in again.
func (h *handlers) unlockAccount(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	unlocked, err := h.db.Identity.Unlock(r.Context(), actor(r), userID)
	if err != nil {
		return err
	}
	if !unlocked {
		return h.backToAccess(w, r, "access.unlock.gone")
	}
	return h.backToAccess(w, r, "access.unlocked")
}

// unlink forgets with which accounts of providers a person signs in.
func (h *handlers) unlink(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	of, err := h.db.Directory.Person(r.Context(), directory.PersonParams{CompanyID: person(r).CompanyID, ID: userID})
	if err != nil {
		return err
	}
	n, err := h.db.Identity.Unlink(r.Context(), actor(r), of)
	var conflict queries.Conflict
	switch {
	case errors.As(err, &conflict):
		return h.backToAccess(w, r, string(conflict))
	case err != nil:
		return err
	case n == 0:
		return h.backToAccess(w, r, "access.unlink.none")
	}
	return h.backToAccess(w, r, "access.unlink.done")
}

// accessIDs reads the form and the ids of the URL: of a person, and of a session or
// token, if it has one.
func accessIDs(r *http.Request) (userID, id int64, err error) {
	if err := readForm(r); err != nil {
		return 0, 0, err
	}
	if userID, err = strconv.ParseInt(chi.URLParam(r, "id"), 10, 64); err != nil {
		return 0, 0, errPageNotFound
	}
	if text := chi.URLParam(r, "session"); text != "" {
		if id, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, 0, errPageNotFound
		}
	}
	return userID, id, nil
}

// backToAccess returns to the page of the access history from which a form came.
func (h *handlers) backToAccess(w http.ResponseWriter, r *http.Request, toast string) error {
	return h.redirectWithToast(w, r, backToListAt(r, usageviews.AccessPath), toast)
}
