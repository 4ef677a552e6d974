package scim

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/provisioning"
)

// problem is an answer to a request that failed. kind is a scimType, possibly empty.
type problem struct {
	status int
	kind   provisioning.Kind
	why    queries.Invalid
	broken *policy.CheckRefusal // why is that it breaks a check of policies
}

func (p problem) Error() string { return string(p.why) }

var (
	errUnauthorized = problem{http.StatusUnauthorized, "", "scim.unauthorized", nil}
	errScope        = problem{http.StatusForbidden, "", "scim.scope", nil}
	errMethod       = problem{http.StatusMethodNotAllowed, "", "scim.method", nil}
	errBulk         = problem{http.StatusNotImplemented, "", "scim.bulk", nil}
	errMe           = problem{http.StatusNotImplemented, "", "scim.me", nil}
	errMediaType    = problem{http.StatusUnsupportedMediaType, "", "scim.media_type", nil}
	errSyntax       = problem{http.StatusBadRequest, provisioning.InvalidSyntax, "scim.syntax", nil}
	errBusy         = problem{http.StatusTooManyRequests, "", "error.too_many", nil}
)

// retryAfter is the number of seconds after which a client may repeat a request.
const retryAfter = "5"

// statusOf are the statuses of the refusals that are not 400.
var statusOf = map[provisioning.Kind]int{
	provisioning.Uniqueness: http.StatusConflict,
	provisioning.Forbidden:  http.StatusForbidden,
	provisioning.Mismatch:   http.StatusPreconditionFailed,
}

// explain returns the answer for an error. The details of an unexpected one go to the
// log only.
func explain(r *http.Request, err error) (p problem, attribute string) {
	var refused provisioning.Refusal
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p, ""
	case errors.As(err, &refused):
		status, other := statusOf[refused.Kind]
		if !other {
			status = http.StatusBadRequest
		}
		if refused.Kind == provisioning.Forbidden || refused.Kind == provisioning.Mismatch {
			refused.Kind = ""
		}
		return problem{status, refused.Kind, refused.Why, nil}, refused.Attribute
	case errors.As(err, &p.broken):
		p.status, p.why = http.StatusForbidden, "check.broken"
		return p, ""
	case errors.Is(err, queries.NotFound):
		return problem{http.StatusNotFound, "", "scim.not_found", nil}, ""
	case errors.As(err, &tooLarge):
		return problem{http.StatusRequestEntityTooLarge, "", "scim.too_large", nil}, ""
	case queries.Unreadable(err):
		return problem{http.StatusBadRequest, provisioning.InvalidValue, "scim.value.characters", nil}, ""
	case queries.Outage(err) == "server.full":
		slog.ErrorContext(r.Context(), "request refused: the disk of the database is full", "method", r.Method, "path", r.URL.Path, "err", err)
		return problem{http.StatusInsufficientStorage, "", "server.full", nil}, ""
	case queries.Outage(err) != "":
		outage := queries.Outage(err)
		slog.WarnContext(r.Context(), "request refused: the database is busy or not available", "method", r.Method, "path", r.URL.Path, "outage", outage, "err", err)
		return problem{http.StatusServiceUnavailable, "", queries.Invalid(outage), nil}, ""
	}
	slog.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	return problem{http.StatusInternalServerError, "", "error.unexpected", nil}, ""
}

// answerError answers with an error as SCIM writes it (RFC 7644 §3.12).
func answerError(w http.ResponseWriter, r *http.Request, err error) {
	p, attribute := explain(r, err)
	detail := locales.T(r.Context(), string(p.why))
	if p.broken != nil {
		first := p.broken.Broken[0]
		words := locales.FromContext(r.Context())
		detail = words.T("check.broken.sentence", "Sentence", first.Sentence(first.Kind, words)) + " " + first.Effect(words)
	}
	if attribute != "" {
		detail = attribute + ": " + detail
	}
	body := object{"schemas": []string{"urn:ietf:params:scim:api:messages:2.0:Error"}, "status": strconv.Itoa(p.status), "detail": detail}
	if p.kind != "" {
		body["scimType"] = p.kind
	}
	switch p.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", retryAfter)
	}
	if err := answer(w, p.status, body); err != nil {
		slog.ErrorContext(r.Context(), "cannot answer a request", "path", r.URL.Path, "err", err)
	}
}

// rescue answers 500 after a panic.
func rescue(w http.ResponseWriter, r *http.Request) {
	if cause := recover(); cause != nil {
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		slog.ErrorContext(r.Context(), "request panicked", "method", r.Method, "path", r.URL.Path, "cause", cause, "stack", string(debug.Stack()))
		answerError(w, r, problem{http.StatusInternalServerError, "", "error.unexpected", nil})
	}
}
