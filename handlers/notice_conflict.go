package handlers

import (
	"errors"
	"net/http"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// showNoticeConflict shows the form again after somebody else changed or deleted
// its notice, or after it was published: with everything that was typed, what
// happened, and what can be done. Other errors are returned.
func (h *handlers) showNoticeConflict(w http.ResponseWriter, r *http.Request, page noticeviews.Edit, err error) error {
	if page.ID == 0 {
		return err
	}
	var edited *notice.EditConflict
	var gone *notice.Gone
	switch {
	case errors.As(err, &edited):
		page.Form.Version = edited.VersionNo // saving once more replaces what they saved
		page.Conflict = &noticeviews.Conflict{Message: "notice.edited", By: edited.ByName, At: edited.At, Changes: edited.Changes}
		names, err := h.db.Notices.TargetNames(r.Context(), person(r).CompanyID, edited.Changes.Before, edited.Changes.After)
		if err != nil {
			return err
		}
		page.Conflict.Names = names
	case errors.As(err, &gone):
		page.Conflict = &noticeviews.Conflict{Message: "notice.gone", By: gone.ByName, At: gone.At, Restore: gone.CanRestore}
	case errors.Is(err, queries.Conflict("notice.published")):
		n, err := h.db.Notices.Notice(r.Context(), person(r).CompanyID, page.ID)
		if err != nil {
			return err
		}
		page.Conflict = &noticeviews.Conflict{Message: "notice.published", At: n.PublishAt}
	default:
		return err
	}
	return h.showNotice(w, r, http.StatusConflict, page)
}
