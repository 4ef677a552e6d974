package handlers

import (
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	noticeviews "officeconsole/views/notice"
)

// noticeForm returns the form for a draft.
func noticeForm(d notice.Draft, zone *time.Location) noticeviews.Form {
	form := noticeviews.Form{Title: d.Title, Body: d.Body, Targets: d.Targets, AttachmentIDs: d.AttachmentIDs}
	if d.PublishAt != nil {
		at := d.PublishAt.In(zone)
		form.Reserved, form.Date, form.Clock = true, at.Format(time.DateOnly), at.Format("15:04")
	}
	return form
}

// noticeFormOf returns a form as it was entered.
func noticeFormOf(f url.Values) (noticeviews.Form, error) {
	version, _ := strconv.ParseInt(f.Get("version"), 10, 32) // 0 saves whatever there is
	form := noticeviews.Form{
		Version: int32(version), Title: f.Get("title"), Body: f.Get("body"), Reserved: f.Get("when") == "reserved",
		Date: f.Get("date"), Clock: f.Get("time"), Find: f.Get("find"), Typed: true,
	}
	var err error
	if form.AttachmentIDs, err = rowIDs(f["attachment_id"]); err != nil {
		return form, queries.Invalid("error.unreadable")
	}
	chosen, err := typedTargets(f)
	if err != nil {
		return form, err
	}
	form.Targets.Everyone = f.Get("audience") == "everyone"
	for _, t := range chosen {
		if t.Type == policy.DepartmentTarget {
			form.Targets.Departments = append(form.Targets.Departments, notice.DepartmentTarget{ID: t.ID, IncludeChildren: t.IncludeChildren})
		} else {
			form.Targets.UserIDs = append(form.Targets.UserIDs, t.ID)
		}
	}
	return form, nil
}

// noticeDraft returns the draft that a form asks for, and the refusal of a
// reservation that cannot be read.
func noticeDraft(form noticeviews.Form, zone *time.Location) (notice.Draft, queries.FieldErrors) {
	d := notice.Draft{Title: form.Title, Body: form.Body, Targets: form.Targets, AttachmentIDs: form.AttachmentIDs}
	if !form.Reserved {
		return d, nil
	}
	at, err := notice.ParseReservation(form.Date, form.Clock, zone)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		return d, queries.FieldErrors{"publish_at": refused}
	}
	d.PublishAt = &at
	return d, nil
}

// readNoticeForm reads the form of a notice and stores the files that came with
// it. Files that cannot be stored are refused; the rest of the form is shown again.
func (h *handlers) readNoticeForm(w http.ResponseWriter, r *http.Request) (noticeviews.Form, queries.FieldErrors, error) {
	allowLongAnswer(w)
	err := readMultipart(r)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w: %w", notice.ErrStorageFull, err)
	}
	if err != nil {
		return noticeviews.Form{}, nil, err
	}
	defer r.MultipartForm.RemoveAll()
	if len(r.MultipartForm.Value["action"]) == 0 {
		return noticeviews.Form{}, nil, queries.Invalid("error.unreadable")
	}
	form, err := noticeFormOf(r.MultipartForm.Value)
	if err != nil {
		return form, nil, err
	}
	files := slices.DeleteFunc(r.MultipartForm.File["file"], func(f *multipart.FileHeader) bool { return f.Filename == "" })
	refused := queries.FieldErrors{}
	if len(form.AttachmentIDs)+len(files) > notice.MaxAttachments {
		refused["attachment_ids"] = "notice.attachments.too_many"
		return form, refused, nil
	}
	for _, file := range files {
		id, err := h.uploadFile(r, file)
		var fields queries.FieldErrors
		if errors.As(err, &fields) {
			refused["attachment_ids"] = fields.First()
			continue
		}
		if err != nil {
			return form, nil, err
		}
		form.AttachmentIDs = append(form.AttachmentIDs, id)
	}
	return form, refused, nil
}

// uploadFile stores a file of a form and returns its id.
func (h *handlers) uploadFile(r *http.Request, header *multipart.FileHeader) (int64, error) {
	content, err := header.Open()
	if err != nil {
		return 0, err
	}
	defer content.Close()
	stored, err := h.db.Notices.Upload(r.Context(), actor(r), h.Blobs, notice.Upload{Name: header.Filename, Content: content})
	return stored.ID, err
}
