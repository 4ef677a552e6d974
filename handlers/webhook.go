package handlers

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/webhook"
	"officeconsole/seal"
	"officeconsole/views"
	webhookviews "officeconsole/views/webhook"
)

// webhook shows the outgoing webhook with its log, whose filter is in the URL.
// With new=1 it shows the form of a company that has none; with delete=1 or
// delivery=ID there is a dialog above the page.
func (h *handlers) webhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.db.Webhooks.Endpoint(r.Context(), person(r).CompanyID)
	switch {
	case errors.Is(err, queries.NotFound):
		if r.URL.Query().Has("new") {
			return h.render(w, r, webhookviews.NewPage(webhookviews.View{Frame: h.frame(r), Form: webhookviews.Form{All: true}}))
		}
		return h.render(w, r, webhookviews.EmptyPage(h.frame(r)))
	case err != nil:
		return err
	}
	return h.showWebhook(w, r, http.StatusOK, e, webhookviews.NewForm(e))
}

const deliveryPageSize = 20

// showWebhook shows the page of a webhook with a form that may be refused.
func (h *handlers) showWebhook(w http.ResponseWriter, r *http.Request, status int, e webhook.Endpoint, form webhookviews.Form) error {
	view := webhookviews.View{Frame: h.frame(r), Endpoint: e, Form: form, Secret: h.takeSecret(r)}
	var err error
	if view.Filter, err = webhook.ReadFilter(r.URL.Query()); err != nil {
		return errPageNotFound // the page offers no such filter
	}
	view.Filter.Limit = deliveryPageSize
	if view.Health, err = h.db.Webhooks.Health(r.Context(), e); err != nil {
		return err
	}
	if view.Log, err = h.db.Webhooks.Deliveries(r.Context(), e.CompanyID, view.Filter); err != nil {
		return err
	}
	query := r.URL.Query()
	switch {
	case query.Has("delete"):
		view.Frame.Dialog = webhookviews.DeleteDialog(e)
	case query.Has("delivery"):
		id, err := rowID(query.Get("delivery"))
		if err != nil {
			return err
		}
		d, err := h.db.Webhooks.Delivery(r.Context(), webhook.DeliveryParams{CompanyID: e.CompanyID, ID: id})
		if err != nil {
			return err
		}
		view.Frame.Dialog = webhookviews.DeliveryDialog(view, d)
	}
	return h.renderStatus(w, r, status, webhookviews.Page(view))
}

// secretKey is where the session has a new secret, sealed, until the next page shows
// it.
const secretKey = "webhook_secret"

func secretField(r *http.Request) seal.Field {
	return seal.Field{Table: "sessions", Column: secretKey, CompanyID: person(r).CompanyID, RowID: person(r).ID}
}

// passSecret gives the next page a new secret.
func (h *handlers) passSecret(r *http.Request, secret string) error {
	sealed, err := h.db.SealSecret(r.Context(), secretField(r), secret)
	if err == nil {
		h.sessions.Put(r.Context(), secretKey, sealed)
	}
	return err
}

// takeSecret returns the secret that the page before has passed, or "".
func (h *handlers) takeSecret(r *http.Request) string {
	sealed := h.sessions.PopString(r.Context(), secretKey)
	if sealed == "" {
		return ""
	}
	secret, err := h.db.OpenSecret(r.Context(), secretField(r), sealed)
	if err != nil {
		return "" // is logged; the secret can be replaced
	}
	return secret
}

// saveWebhook creates or changes the webhook. A refused form is shown again with
// everything in it; after somebody else has saved or deleted the webhook, saving again
// replaces that.
func (h *handlers) saveWebhook(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	version, _ := strconv.ParseInt(r.Form.Get("version"), 10, 32) // 0 creates
	form := webhookviews.Form{Version: int32(version), URL: r.Form.Get("url"), All: r.Form.Get("all") == "true", Types: r.Form["type"]}
	e, err := h.db.Webhooks.Endpoint(r.Context(), person(r).CompanyID)
	exists := err == nil
	if err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	draft := webhook.Draft{URL: form.URL, Enabled: !exists || e.Enabled}
	if !form.All {
		draft.Types = append([]string{}, form.Types...) // not nil, which is all
	}
	toast := "webhook.updated"
	switch {
	case version == 0:
		var secret string
		if secret, err = h.db.Webhooks.Create(r.Context(), actor(r), draft); err == nil {
			err = h.passSecret(r, secret)
		}
		toast = "webhook.created"
	case exists:
		err = h.db.Webhooks.Update(r.Context(), actor(r), form.Version, draft)
	}
	status := http.StatusUnprocessableEntity
	switch {
	case errors.As(err, &form.Refused):
	case errors.As(err, new(queries.Conflict)):
		if e, err = h.db.Webhooks.Endpoint(r.Context(), person(r).CompanyID); err != nil {
			return err
		}
		if form.Earlier, err = h.savedFirst(r, webhookviews.Path, "webhook", e.CompanyID, "webhook.created", "webhook.updated", "webhook.gone"); err != nil {
			return err
		}
		form.Version, exists, status = e.VersionNo, true, http.StatusConflict
	case errors.Is(err, queries.NotFound):
		if form.Gone, err = h.webhookDeletion(r); err != nil {
			return err
		}
		form.Version, exists, status = 0, false, http.StatusConflict // the next save adds it anew
	case err != nil:
		return err
	default:
		return h.redirectWithToast(w, r, webhookviews.Path, toast)
	}
	if !exists {
		return h.renderStatus(w, r, status, webhookviews.NewPage(webhookviews.View{Frame: h.frame(r), Form: form}))
	}
	return h.showWebhook(w, r, status, e, form)
}

// webhookDeletion says who deleted the webhook and when; NotFound if nobody did.
func (h *handlers) webhookDeletion(r *http.Request) (string, error) {
	deleted, err := h.lastChange(r, "webhook", person(r).CompanyID, "webhook.deleted") // a company has one
	if err != nil {
		return "", err
	}
	return changedText(r, "webhook.deleted.by", deleted), nil
}

// failWebhook says of an action on a webhook that somebody has deleted who it was and when.
// Other errors are returned.
func (h *handlers) failWebhook(w http.ResponseWriter, r *http.Request, err error) error {
	return h.redirectIfGone(w, r, err, webhookviews.Path, h.webhookDeletion)
}

func (h *handlers) enableWebhook(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	e, err := h.db.Webhooks.Endpoint(r.Context(), person(r).CompanyID)
	if err != nil {
		return h.failWebhook(w, r, err)
	}
	draft := e.Draft()
	if draft.Enabled = r.Form.Get("enabled") == "true"; draft.Enabled {
		err = h.db.Webhooks.Update(r.Context(), actor(r), e.VersionNo, draft)
	} else {
		err = h.db.Webhooks.Disable(r.Context(), actor(r), e.VersionNo)
	}
	var refused queries.FieldErrors
	if errors.As(err, &refused) { // the operator allows the address no longer
		form := webhookviews.NewForm(e)
		form.Refused = refused
		return h.showWebhook(w, r, http.StatusUnprocessableEntity, e, form)
	}
	if err != nil {
		return h.failWebhook(w, r, err)
	}
	text, undo := "webhook.enabled.off", webhookviews.Path+"/enabling?enabled="+strconv.FormatBool(!draft.Enabled)
	if draft.Enabled {
		text = "webhook.enabled.on"
	}
	return h.redirectWithUndo(w, r, webhookviews.Path, locales.T(r.Context(), text), undo)
}

func (h *handlers) deleteWebhook(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	version, _ := strconv.ParseInt(r.Form.Get("version"), 10, 32) // 0 deletes whatever there is
	if err := h.db.Webhooks.Delete(r.Context(), actor(r), int32(version)); err != nil {
		return h.failWebhook(w, r, err)
	}
	return h.redirectWithToast(w, r, webhookviews.Path, "webhook.deleted")
}

func (h *handlers) resumeWebhook(w http.ResponseWriter, r *http.Request) error {
	if err := h.db.Webhooks.Resume(r.Context(), person(r).CompanyID); err != nil {
		return h.failWebhook(w, r, err)
	}
	return h.redirectWithToast(w, r, webhookviews.Path, "webhook.resumed")
}

// rotateWebhookSecret replaces the secret; the next page shows the new one.
func (h *handlers) rotateWebhookSecret(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	hours, err := strconv.Atoi(r.Form.Get("overlap"))
	if err != nil || !slices.Contains(webhookviews.Overlaps, hours) {
		return errPageNotFound
	}
	secret, err := h.db.Webhooks.RotateSecret(r.Context(), actor(r), time.Duration(hours)*time.Hour)
	if err != nil {
		return h.failWebhook(w, r, err)
	}
	if err := h.passSecret(r, secret); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, webhookviews.Path, "webhook.secret.rotated")
}

func (h *handlers) endPreviousSecret(w http.ResponseWriter, r *http.Request) error {
	if err := h.db.Webhooks.EndPreviousSecret(r.Context(), actor(r)); err != nil {
		return h.failWebhook(w, r, err)
	}
	return h.redirectWithToast(w, r, webhookviews.Path, "webhook.secret.ended")
}

func (h *handlers) testWebhook(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.db.Webhooks.Test(r.Context(), actor(r)); err != nil {
		return h.failWebhook(w, r, err)
	}
	return h.redirectWithToast(w, r, webhookviews.Path, "webhook.test.sent")
}

// resendDelivery sends a message again and leads back to the filter in the URL.
func (h *handlers) resendDelivery(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	filter, err := webhook.ReadFilter(r.URL.Query())
	if err != nil {
		return errPageNotFound
	}
	if _, err := h.db.Webhooks.Resend(r.Context(), person(r).CompanyID, id); err != nil {
		return h.failWebhook(w, r, err)
	}
	return h.redirectWithToast(w, r, views.WithQuery(webhookviews.Path, filter.Values()), "webhook.resent")
}
