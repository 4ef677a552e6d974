package handlers

import (
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
	usageviews "officeconsole/views/usage"
)

// filePageSize is the number of saved files on a page.
const filePageSize = 50

// savedFiles lists the saved files. The filters are in the URL, see
// usage.FileFilter.
func (h *handlers) savedFiles(w http.ResponseWriter, r *http.Request) error {
	ctx, p := r.Context(), person(r)
	view := usageviews.Files{}
	var err error
	view.FileFilter, err = usage.ReadFileFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if view.People, err = h.filePeople(r, view.FileFilter); err != nil {
		return err
	}
	tree, err := h.db.Policies.Tree(ctx, p.Person)
	if err != nil {
		return err
	}
	view.Departments = tree.Upper()
	view.Limit, view.DirectoryVersion = filePageSize, p.DirectoryVersion
	if view.List, err = h.db.Usage.Files(ctx, p.CompanyID, zone(p), view.FileFilter); err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadFiles, Query: view.Values(), Rows: len(view.List.Rows)})
	if view.Sums, err = h.db.Usage.FileSumsOf(ctx, p.CompanyID, zone(p), view.FileFilter, view.List); err != nil {
		return err
	}
	view.Frame = h.frame(r)
	return h.renderStatus(w, r, statusOf(view.Refused), usageviews.FilesPage(view))
}

// filePeople returns the names of the people whom the filter names by their ids.
func (h *handlers) filePeople(r *http.Request, f usage.FileFilter) (map[int64]string, error) {
	people := map[int64]string{}
	for _, id := range []int64{f.SenderID, f.ReceiverID} {
		if id == 0 {
			continue
		}
		p, err := h.db.Directory.Person(r.Context(), directory.PersonParams{CompanyID: person(r).CompanyID, ID: id})
		if err != nil {
			return nil, err
		}
		people[id] = p.Name
	}
	return people, nil
}

// savedFile shows a file of the log.
func (h *handlers) savedFile(w http.ResponseWriter, r *http.Request) error {
	key, ok := usage.ParseFileKey(chi.URLParam(r, "file"))
	if !ok {
		return errPageNotFound
	}
	use, err := h.db.Usage.OpenFile(r.Context(), actor(r), key)
	if err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadFile, Rows: 1, SubjectID: use.UserID, Object: key.String(), ObjectName: usage.PlainName(use.Name)})
	return h.render(w, r, usageviews.FilePage(usageviews.File{Frame: h.frame(r), FileUse: use}))
}

// exportFiles answers with the list of a page as a file. Invalid values are
// errPageNotFound, so that no file has more or less than the request names.
func (h *handlers) exportFiles(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	query.Del("cursor") // a file has every page
	request := exports.FileRequest{List: exports.FilesList, Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format) {
		return errPageNotFound
	}
	filter, err := usage.ReadFileFilter(query)
	refused, err := refusedFilter(err)
	if err != nil {
		return err
	}
	if refused != "" {
		return queries.Invalid(refused)
	}
	if _, err := h.filePeople(r, filter); err != nil {
		return err
	}
	request.FileFilter = filter
	return h.sendExport(w, r, request, usageviews.FilesPath)
}
