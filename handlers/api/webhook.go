package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/webhook"
)

// registerWebhook registers the operations of the outgoing webhook.
func (c *calls) registerWebhook(middlewares huma.Middlewares) {
	const one = u + "/webhook"
	describe := func(d call) huma.Operation {
		d.tag = "Webhook"
		return d.operation(middlewares)
	}
	proved := func(d call) huma.Operation {
		d.tag, d.description = "Webhook", d.description+" "+provedText
		return d.operation(append(middlewares, c.proved))
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	conflicts := []int{http.StatusConflict, http.StatusPreconditionRequired}
	huma.Register(c.api, describe(call{id: "webhook", path: one, summary: "Where messages are sent, and how that goes",
		description: "ETag is its version, for If-Match. 404 where messages are not sent anywhere. The secret is never part of the answer."}), c.webhook)
	huma.Register(c.api, proved(call{id: "set-webhook", method: http.MethodPut, path: one, errors: append(conflicts, unreadable...),
		summary: "Send messages somewhere", description: "The first time, 201 has the secret, which no other call gives. Afterwards it changes the webhook, ends a pause and leaves the secret as it is. " +
			"url is an https address, also http for addresses that the operator allows; private addresses are refused (webhook.url.private), here and whenever something is sent."}), c.setWebhook)
	set := c.api.OpenAPI().Paths[one].Put.Responses
	set["201"] = &huma.Response{Description: "Created, with the secret.", Content: set["200"].Content, Headers: set["200"].Headers}
	huma.Register(c.api, describe(call{id: "delete-webhook", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts,
		summary: "Send messages nowhere any more", description: "What waits, the log and the secret are deleted, too. To stop for a while, disable it."}), c.deleteWebhook)
	huma.Register(c.api, proved(call{id: "rotate-webhook-secret", method: http.MethodPost, path: one + "/secret/rotation", errors: append([]int{http.StatusConflict}, unreadable...),
		summary: "Replace the secret", description: "Until the overlap ends, messages are signed with both secrets. An overlap of 0 ends the one before at once. " +
			"While an earlier overlap runs, another one is refused with 409 webhook.overlap.running: wait until previous_secret_until, or rotate with an overlap of 0."}), c.rotateWebhookSecret)
	huma.Register(c.api, describe(call{id: "test-webhook", method: http.MethodPost, path: one + "/test", status: http.StatusAccepted, errors: unreadable[1:],
		summary: "Send a test message", description: "Of type webhook.test, within seconds and only once, also during a pause. 422 webhook.disabled where the webhook is disabled. The delivery tells what came of it."}), c.testWebhook)
	huma.Register(c.api, describe(call{id: "resume-webhook", method: http.MethodPost, path: one + "/resumption", status: http.StatusNoContent,
		summary: "Make the next attempt now", description: "Of a paused webhook. If it succeeds, everything that waits is sent; else the pause goes on. Changes nothing where there is no pause."}), c.resumeWebhook)
	huma.Register(c.api, describe(call{id: "webhook-deliveries", path: one + "/deliveries", errors: unreadable[1:],
		summary: "What was sent, and what waits, the latest first", description: "Deliveries are stored for thirty days."}), c.deliveries)
	huma.Register(c.api, describe(call{id: "webhook-delivery", path: one + "/deliveries/{delivery_id}", summary: "One delivery",
		description: "With the message and the last answer."}), c.delivery)
	huma.Register(c.api, describe(call{id: "resend-webhook-delivery", method: http.MethodPost, path: one + "/deliveries/{delivery_id}/redelivery", status: http.StatusAccepted, errors: unreadable[1:],
		summary: "Send a message again", description: "Within seconds, whatever came of it before, under the same id. 422 webhook.disabled where the webhook is disabled."}), c.resendDelivery)
}

type webhookRow struct {
	URL                 string        `json:"url"`
	Types               []string      `json:"types" nullable:"true" doc:"Of the messages that are sent; null: all."`
	Enabled             bool          `json:"enabled"`
	Secret              string        `json:"secret,omitempty" doc:"Only where it was just created."`
	SecretHint          string        `json:"secret_hint" doc:"The last characters of the secret, without its padding."`
	SecretCreatedAt     time.Time     `json:"secret_created_at"`
	PreviousSecretUntil *time.Time    `json:"previous_secret_until" doc:"Until then messages are signed with the secret before, too; null: they are not."`
	Health              webhookHealth `json:"health"`
}

type webhookHealth struct {
	State         webhook.HealthState `json:"state" enum:"healthy,idle,failing,paused,disabled,gone" doc:"idle: nothing was sent yet. paused: after repeated failures one attempt is made every ten minutes. gone: disabled, because the receiver answered 410."`
	LastSuccessAt *time.Time          `json:"last_success_at"`
	FailingSince  *time.Time          `json:"failing_since"`
	PausedUntil   *time.Time          `json:"paused_until" doc:"When the next attempt of a paused webhook is made."`
	Tried         int64               `json:"tried" doc:"Messages of the last 24 hours, counted up to 10,001; so are the others."`
	Failed        int64               `json:"failed" doc:"Those of them that the receiver has not accepted."`
	Waiting       int64               `json:"waiting" doc:"Messages that wait for their first or next attempt."`
}

type webhookOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   webhookRow
}

func (c *calls) webhook(ctx context.Context, in *OwnPath) (*webhookOutput, error) {
	e, err := c.db.Webhooks.Endpoint(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	h, err := c.db.Webhooks.Health(ctx, e)
	if err != nil {
		return nil, err
	}
	row := webhookRow{
		URL: e.URL, Types: e.Draft().Types, Enabled: e.Enabled, SecretHint: e.SecretHint(), SecretCreatedAt: e.SecretAt.UTC(),
		Health: webhookHealth{h.State, inUTC(h.LastSuccess), inUTC(h.FailingSince), inUTC(h.PausedUntil), h.Tried, h.Failed, h.Waiting},
	}
	if e.PreviousSecretHint(c.db.Now()) != "" {
		row.PreviousSecretUntil = inUTC(e.PreviousUntil)
	}
	return &webhookOutput{http.StatusOK, versionTag(e.VersionNo), row}, nil
}

type setWebhookInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the webhook as the client has seen it; without it whatever there is is changed."`
	Body    struct {
		URL     string   `json:"url" doc:"At most 500 characters."`
		Types   []string `json:"types,omitempty" nullable:"true" doc:"Of the messages to send, at least one; null or left out: all, also those that a later version of the console adds."`
		Enabled *bool    `json:"enabled,omitempty" doc:"True where it is left out."`
	}
}

func (c *calls) setWebhook(ctx context.Context, in *setWebhookInput) (*webhookOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	draft := webhook.Draft{URL: in.Body.URL, Types: in.Body.Types, Enabled: true}
	replace(&draft.Enabled, in.Body.Enabled)
	err = c.db.Webhooks.Update(ctx, actor(ctx), seen, draft)
	if !errors.Is(err, queries.NotFound) || seen != 0 {
		if err != nil {
			return nil, err
		}
		return c.webhook(ctx, &in.OwnPath)
	}
	secret, err := c.db.Webhooks.Create(ctx, actor(ctx), draft)
	if err != nil {
		return nil, err
	}
	out, err := c.webhook(ctx, &in.OwnPath)
	if err != nil {
		return nil, err
	}
	out.Status, out.Body.Secret = http.StatusCreated, secret
	return out, nil
}

type deleteWebhookInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the webhook as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deleteWebhook(ctx context.Context, in *deleteWebhookInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	return nil, c.db.Webhooks.Delete(ctx, actor(ctx), seen)
}

type rotateWebhookSecretInput struct {
	OwnPath
	Body struct {
		OverlapSeconds int64 `json:"overlap_seconds" minimum:"0" maximum:"604800"`
	}
}

type webhookSecretOutput struct {
	Body struct {
		Secret              string     `json:"secret" doc:"No other call gives it."`
		PreviousSecretUntil *time.Time `json:"previous_secret_until"`
	}
}

func (c *calls) rotateWebhookSecret(ctx context.Context, in *rotateWebhookSecretInput) (*webhookSecretOutput, error) {
	overlap := time.Duration(in.Body.OverlapSeconds) * time.Second
	secret, err := c.db.Webhooks.RotateSecret(ctx, actor(ctx), overlap)
	if err != nil {
		return nil, err
	}
	state, err := c.webhook(ctx, &in.OwnPath)
	if err != nil {
		return nil, err
	}
	out := &webhookSecretOutput{}
	out.Body.Secret, out.Body.PreviousSecretUntil = secret, state.Body.PreviousSecretUntil
	return out, nil
}

func (c *calls) resumeWebhook(ctx context.Context, in *OwnPath) (*struct{}, error) {
	return nil, c.db.Webhooks.Resume(ctx, in.CompanyID)
}
