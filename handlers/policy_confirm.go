package handlers

import (
	"errors"
	"net/http"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
)

// confirmVersion confirms a provisional version, which would otherwise revert.
func (h *handlers) confirmVersion(w http.ResponseWriter, r *http.Request) error {
	p, seen, err := h.seenPolicy(r)
	if err != nil {
		return err
	}
	if _, err := h.db.Policies.ConfirmVersion(r.Context(), actor(r), p.ID, seen); err != nil {
		return withoutField(err)
	}
	return h.redirectWithToast(w, r, policyPath(p), "policy.confirmed")
}

// confirmVersions confirms the provisional versions that the list names:
// versions=5-3,6-2. A version that has expired, or that would not let this browser in,
// does not prevent the others from being confirmed.
func (h *handlers) confirmVersions(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	confirmed, late := 0, error(nil)
	var refused queries.Invalid
	for text := range strings.SplitSeq(r.PostForm.Get("versions"), ",") {
		err := h.confirmNamed(r, text)
		switch {
		case errors.As(err, new(queries.Conflict)) || errors.Is(err, queries.NotFound):
			late = err
		case errors.As(err, &refused):
		case err != nil:
			return err
		default:
			confirmed++
		}
	}
	switch {
	case confirmed == 0 && refused != "":
		return refused
	case confirmed == 0:
		return late
	}
	said := locales.N(r.Context(), "policy.confirmed.several", confirmed)
	if late != nil {
		said = locales.T(r.Context(), "policy.confirmed.late", "Text", said)
	}
	if refused != "" {
		said = locales.T(r.Context(), "policy.confirmed.refused", "Text", said, "Refusal", locales.T(r.Context(), string(refused)))
	}
	return h.redirectWithUndo(w, r, h.backToList(r), said, "")
}

// confirmNamed confirms a version given as policy.VersionKey writes it.
func (h *handlers) confirmNamed(r *http.Request, text string) error {
	key, err := policy.ParseVersionKey(text)
	if err != nil {
		return errPageNotFound // a NotFound is a version that has ended
	}
	if _, err := h.policyOfKind(r, key.PolicyID); err != nil {
		return err
	}
	_, err = h.db.Policies.ConfirmVersion(r.Context(), actor(r), key.PolicyID, key.No)
	return err
}
