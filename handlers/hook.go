package handlers

import (
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/slack"
)

// hooksPath is what the paths of hooks begin with; the token follows.
const hooksPath = "/hooks/"

// hookWords are the words that Slack's incoming webhooks answer with, by the code
// of a refusal. Clients of Slack know them.
var hookWords = map[string]string{
	"bot.token.unknown":  "invalid_token",
	"bot.token.ended":    "token_expired",
	"bot.address":        "action_prohibited",
	"bot.disabled":       "no_service",
	"bot.rate":           "rate_limited",
	"bot.hook.receivers": "channel_not_found",
	"bot.text.invalid":   "invalid_payload",
	"bot.key.used":       "invalid_payload",
}

// hookRefusals are the refusals of payloads, which the log and Slack's clients
// get.
var hookRefusals = map[error]bot.Refusal{
	slack.ErrInvalid:     {Status: http.StatusBadRequest, Code: "bot.hook.payload"},
	slack.ErrNoText:      {Status: http.StatusBadRequest, Code: "bot.text.required"},
	slack.ErrAttachments: {Status: http.StatusBadRequest, Code: "bot.hook.attachments"},
	slack.ErrBlocks:      {Status: http.StatusBadRequest, Code: "bot.hook.blocks"},
}

// hook takes the payload of Slack's incoming webhooks, and answers as Slack does.
func (h *handlers) hook(w http.ResponseWriter, r *http.Request) {
	err := h.receiveHook(w, r)
	if err == nil {
		answerHook(w, http.StatusOK, "ok")
		return
	}
	var refused bot.Refusal
	var payload hookPayloadError
	switch {
	case errors.As(err, &payload):
		answerHook(w, payload.refusal.Status, payload.word)
	case errors.As(err, &refused):
		if refused.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(refused.RetryAfter.Seconds()))))
		}
		answerHook(w, refused.Status, hookWords[refused.Code])
	case queries.Outage(err) != "":
		slog.WarnContext(r.Context(), "hook refused: the database is busy or not available", "err", err)
		w.Header().Set("Retry-After", retryAfter)
		answerHook(w, http.StatusServiceUnavailable, "service_unavailable")
	default:
		slog.ErrorContext(r.Context(), "hook failed", "err", err)
		answerHook(w, http.StatusInternalServerError, "rollup_error")
	}
}

// noHook answers what is no call of a hook. A program that was led to the page to sign in
// would take that for success.
func noHook(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		answerHook(w, http.StatusNotFound, "no_service")
		return
	}
	w.Header().Set("Allow", http.MethodPost)
	answerHook(w, http.StatusMethodNotAllowed, "method_not_allowed")
}

// hookPayloadError is the refusal of a body, with Slack's word for it.
type hookPayloadError struct {
	refusal bot.Refusal
	word    string
}

func (e hookPayloadError) Error() string { return e.word }

func (h *handlers) receiveHook(w http.ResponseWriter, r *http.Request) error {
	sender, err := h.db.Bots.Admit(r.Context(), bot.Call{
		Secret: chi.URLParam(r, "token"), Kind: bot.KindHook, Address: address(r), Agent: r.UserAgent(),
	})
	if err != nil {
		return err
	}
	text, err := readHook(w, r)
	var payload hookPayloadError
	if errors.As(err, &payload) {
		return errors.Join(err, h.db.Bots.LogRefusal(r.Context(), sender, payload.refusal))
	}
	if err != nil {
		return err
	}
	_, err = h.db.Bots.Receive(r.Context(), sender, bot.Incoming{Text: text, Key: r.Header.Get("Idempotency-Key")})
	return err
}

func readHook(w http.ResponseWriter, r *http.Request) (text string, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bot.MaxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return "", hookPayloadError{bot.Refusal{Status: http.StatusRequestEntityTooLarge, Code: "bot.body.large"}, "payload_too_large"}
	}
	if err != nil {
		return "", err
	}
	text, err = slack.Read(body, r.Header.Get("Content-Type"))
	if err != nil {
		return "", hookPayloadError{hookRefusals[err], err.Error()}
	}
	return text, nil
}

func answerHook(w http.ResponseWriter, status int, word string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if _, err := io.WriteString(w, word); err != nil {
		slog.Debug("client closed the connection", "err", err)
	}
}
