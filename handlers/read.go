package handlers

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	auditviews "officeconsole/views/audit"
)

// noteRead records in the log of reads what the reader is shown about other people,
// on a page unless read says otherwise.
func (h *handlers) noteRead(r *http.Request, read audit.Read) {
	read.Via = cmp.Or(read.Via, audit.ViaPage)
	h.db.Audit.NoteRead(actor(r), read)
}

// readPageSize is the number of reads on a page.
const readPageSize = 50

// writeReadsTime is how long the page waits for the reads of the last second.
const writeReadsTime = time.Second

// reads lists the log of reads. The filters are in the URL, see
// audit.ReadReadsFilter.
func (h *handlers) reads(w http.ResponseWriter, r *http.Request) error {
	ctx, p := r.Context(), person(r)
	var err error
	view := auditviews.Reads{}
	view.ReadsFilter, err = audit.ReadReadsFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	h.writeReads(ctx)
	view.Limit = readPageSize
	if view.Page, err = h.db.Audit.Reads(ctx, p.CompanyID, zone(p), view.ReadsFilter); err != nil {
		return err
	}
	if view.Names, err = h.db.Audit.ReadNames(ctx, p.CompanyID, view.Page.Rows); err != nil {
		return err
	}
	if view.Readers, err = h.db.Audit.Readers(ctx, p.CompanyID); err != nil {
		return err
	}
	if view.Subject, err = h.readSubject(r, view.ReadsFilter); err != nil {
		return err
	}
	view.Frame = h.frame(r)
	return h.renderStatus(w, r, statusOf(view.Refused), auditviews.ReadsPage(view))
}

// readSubject returns the name of the person of whom the filter chooses the reads, or "".
func (h *handlers) readSubject(r *http.Request, filter audit.ReadsFilter) (string, error) {
	if filter.SubjectID == 0 {
		return "", nil
	}
	subject, err := h.db.Directory.Person(r.Context(), directory.PersonParams{CompanyID: person(r).CompanyID, ID: filter.SubjectID})
	return subject.Name, err
}

// writeReads stores what was read until now, so that the page shows it. If the
// database is too busy, the page comes without it.
func (h *handlers) writeReads(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, writeReadsTime)
	defer cancel()
	if err := h.db.Audit.WriteReads(ctx); err != nil {
		slog.WarnContext(ctx, "the log of reads is shown without the latest ones", "err", err)
	}
}

// exportReads answers with the list of the page as a file.
func (h *handlers) exportReads(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	query.Del("cursor") // a file has every page
	request := exports.ReadRequest{List: exports.ReadsList, Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format) {
		return errPageNotFound
	}
	var err error
	request.ReadsFilter, err = audit.ReadReadsFilter(query)
	refused, err := refusedFilter(err)
	if err != nil {
		return err
	}
	if refused != "" {
		return queries.Invalid(refused)
	}
	if _, err := h.readSubject(r, request.ReadsFilter); err != nil {
		return err
	}
	h.writeReads(r.Context())
	return h.sendExport(w, r, request, auditviews.ReadsPath)
}
