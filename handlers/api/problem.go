package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/blobs"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/export"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
)

// problem is the response to a request that failed. A client shows Message
// unchanged.
type problem struct {
	status  int
	Message string         `json:"message" doc:"What went wrong, in the language of Accept-Language."`
	Code    string         `json:"code" doc:"The same for a program."`
	Errors  []fieldProblem `json:"errors,omitempty" nullable:"false" doc:"What was refused, by field."`

	Taken     []takenTarget    `json:"taken,omitempty" nullable:"false" doc:"Targets that other policies hold."`
	Warnings  []previewWarning `json:"warnings,omitempty" nullable:"false" doc:"Whom it would lock out; confirmed saves it all the same."`
	Preview   *preview         `json:"preview,omitempty" doc:"What a version that starts in the past would change; confirmed saves it."`
	Records   *changedRecords  `json:"records,omitempty" doc:"What a holiday would change of attendance records; confirmed saves it."`
	Checks    []brokenCheck    `json:"checks,omitempty" nullable:"false" doc:"The checks that stop the change."`
	ChangedBy *changedBy       `json:"changed_by,omitempty" doc:"Who saved in between, and what."`
}

type takenTarget struct {
	Type   string     `json:"type"`
	ID     int64      `json:"id"`
	Name   string     `json:"name"`
	Policy policyName `json:"policy"`
	From   *time.Time `json:"from,omitempty" doc:"When the planned change of the policy starts to hold it; missing where the policy holds it already."`
}

type policyName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type changedBy struct {
	User       changeActor `json:"user"`
	At         time.Time   `json:"at"`
	VersionNo  int32       `json:"version_no,omitempty" doc:"Of a policy or a notice."`
	LastEditID int64       `json:"last_edit_id,omitempty" doc:"Of an attendance record."`
	Fields     []string    `json:"fields" nullable:"false"`
}

type fieldProblem struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *problem) Error() string  { return p.Code }
func (p *problem) GetStatus() int { return p.status }

// refusal is an error with a status and a message id, and no other details.
type refusal struct {
	status int
	id     string
}

func (r refusal) Error() string { return r.id }

// huma creates its own errors with these functions, which are global variables.
func init() {
	huma.NewError = func(status int, _ string, _ ...error) huma.StatusError { return &problem{status: status} }
	huma.NewErrorWithContext = newProblem
}

// newProblem returns the response for what huma found wrong with a request, or
// for the error of an operation.
func newProblem(ctx huma.Context, status int, _ string, errs ...error) huma.StatusError {
	if status == http.StatusInternalServerError {
		return explain(ctx, errors.Join(errs...))
	}
	if refusesPath(errs) {
		return explain(ctx, queries.NotFound)
	}
	if ctx.Operation().SkipValidateBody {
		status = undecodedStatus(status, errs)
	}
	id := byStatus[status]
	if id == "" {
		id = "api.refused"
	}
	if body := ctx.Operation().RequestBody; status == http.StatusBadRequest && body != nil && body.Content["application/json"] == nil {
		id = "api.body.required" // of a picture, which is not parsed
	}
	p := &problem{status: status, Message: locales.T(ctx.Context(), id), Code: id}
	if status != http.StatusUnprocessableEntity {
		return p
	}
	for _, err := range errs {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			p.Errors = append(p.Errors, violation(ctx.Context(), detail))
		}
	}
	sortFields(p.Errors)
	return p
}

// refusesPath reports whether a value in the path cannot be one, such as an id that is no
// number. There is nothing at such a path.
func refusesPath(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool {
		var detail *huma.ErrorDetail
		return errors.As(err, &detail) && strings.HasPrefix(detail.Location, "path.")
	})
}

// undecodedStatus returns the status for what huma found wrong with a body that it does not
// validate. Only in the validation does it tell a body that is no JSON from refused values.
func undecodedStatus(status int, errs []error) int {
	for _, err := range errs {
		var detail *huma.ErrorDetail
		if !errors.As(err, &detail) || detail.Location != "body" {
			continue
		}
		if strings.HasPrefix(detail.Message, huma.ErrUnknownContentType.Error()) {
			return http.StatusUnsupportedMediaType
		}
		if body, _ := detail.Value.(string); !json.Valid([]byte(body)) {
			return http.StatusBadRequest
		}
	}
	return status
}

// sortFields sorts problems by field. The library finds unknown fields in the order of a
// map.
func sortFields(fields []fieldProblem) {
	slices.SortStableFunc(fields, func(a, b fieldProblem) int { return strings.Compare(a.Field, b.Field) })
}

// byStatus maps the statuses of huma's own errors to messages.
var byStatus = map[int]string{
	http.StatusBadRequest:            "api.bad_json",
	http.StatusRequestTimeout:        "api.slow",
	http.StatusRequestEntityTooLarge: "api.too_large",
	http.StatusUnsupportedMediaType:  "api.media_type",
}

// explain returns the response for the error of an operation. The details of an
// unexpected error go to the log only.
func explain(ctx huma.Context, err error) *problem {
	var ready *problem
	if errors.As(err, &ready) {
		return ready
	}
	var refused refusal
	var invalid queries.Invalid
	var fields queries.FieldErrors
	var conflict queries.Conflict
	var tooLarge *http.MaxBytesError
	var broken *policy.CheckRefusal
	var gone *notice.Gone
	status, id := http.StatusInternalServerError, "api.unexpected"
	switch {
	case errors.As(err, &refused):
		status, id = refused.status, refused.id
	case errors.As(err, &broken):
		return checkProblem(ctx.Context(), broken)
	case errors.As(err, &gone):
		return goneProblem(ctx.Context(), gone)
	case errors.As(err, &invalid):
		status, id = http.StatusUnprocessableEntity, string(invalid)
	case errors.As(err, &fields):
		return refusedFields(ctx.Context(), fields)
	case errors.Is(err, lists.ErrCursor):
		return refusedFields(ctx.Context(), queries.FieldErrors{"cursor": "api.field.invalid"})
	case errors.As(err, &conflict):
		status, id = http.StatusConflict, string(conflict)
	case errors.Is(err, export.ErrTooMany):
		status, id = http.StatusTooManyRequests, "error.too_many"
		ctx.SetHeader("Retry-After", retryAfter)
	case errors.Is(err, notice.ErrExpired):
		status, id = http.StatusNotFound, "attachment.expired"
	case errors.Is(err, queries.NotFound):
		status, id = http.StatusNotFound, "api.not_found"
	case errors.As(err, &tooLarge):
		status, id = http.StatusRequestEntityTooLarge, "api.too_large"
	case errors.Is(err, notice.ErrStorageFull), blobs.IsFull(err):
		status, id = http.StatusInsufficientStorage, "error.storage_full"
		slog.ErrorContext(ctx.Context(), "cannot store a file: the storage is full", "path", ctx.URL().Path, "err", err)
	case errors.Is(err, blobs.ErrUnavailable):
		status, id = http.StatusServiceUnavailable, "error.storage_unavailable"
		slog.ErrorContext(ctx.Context(), "cannot store a file: the storage is not available", "path", ctx.URL().Path, "err", err)
		ctx.SetHeader("Retry-After", retryAfter)
	case errors.Is(err, blobs.ErrInfected):
		status, id = http.StatusUnprocessableEntity, "error.infected"
		slog.WarnContext(ctx.Context(), "a file was refused", "path", ctx.URL().Path, "err", err)
	case errors.Is(err, blobs.ErrNotScanned):
		status, id = http.StatusServiceUnavailable, "error.not_scanned"
		slog.ErrorContext(ctx.Context(), "cannot store a file: the virus scanner is not available", "path", ctx.URL().Path, "err", err)
		ctx.SetHeader("Retry-After", retryAfter)
	case queries.Unreadable(err):
		status, id = http.StatusUnprocessableEntity, "api.unreadable"
	case errors.Is(err, context.Canceled): // the client has left, or the time for the call is over
		status, id = http.StatusServiceUnavailable, "server.busy"
		slog.DebugContext(ctx.Context(), "call ended before its answer", "method", ctx.Method(), "path", ctx.URL().Path, "err", err)
		ctx.SetHeader("Retry-After", retryAfter)
	case queries.Outage(err) == "server.full":
		status, id = http.StatusInsufficientStorage, "server.full"
		slog.ErrorContext(ctx.Context(), "call refused: the disk of the database is full", "method", ctx.Method(), "path", ctx.URL().Path, "err", err)
	case queries.Outage(err) != "":
		status, id = http.StatusServiceUnavailable, queries.Outage(err)
		slog.WarnContext(ctx.Context(), "call refused: the database is busy or not available", "method", ctx.Method(), "path", ctx.URL().Path, "outage", id, "err", err)
		ctx.SetHeader("Retry-After", retryAfter)
	default:
		slog.ErrorContext(ctx.Context(), "call failed", "method", ctx.Method(), "path", ctx.URL().Path, "err", err)
	}
	return &problem{status: status, Message: locales.T(ctx.Context(), id), Code: id}
}

// retryAfter is the number of seconds after which a client may repeat a request
// that found the database busy.
const retryAfter = "5"

func refusedFields(ctx context.Context, fields queries.FieldErrors) *problem {
	p := &problem{status: http.StatusUnprocessableEntity}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		id := string(fields[field])
		p.Errors = append(p.Errors, fieldProblem{field, id, locales.T(ctx, id)})
	}
	p.Code, p.Message = p.Errors[0].Code, p.Errors[0].Message
	return p
}

// refuse answers a request from a middleware.
func (c *calls) refuse(ctx huma.Context, err error) {
	p := explain(ctx, err)
	if p.status == http.StatusUnauthorized {
		ctx.SetHeader("WWW-Authenticate", "Bearer")
	}
	write(ctx, p.status, p)
}

// answerProblem answers a request for which there is no operation.
func answerProblem(w http.ResponseWriter, r *http.Request, status int, id string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	body := problem{Message: locales.T(r.Context(), id), Code: id}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		slog.DebugContext(r.Context(), "client closed the connection", "err", err)
	}
}

func write(ctx huma.Context, status int, body any) {
	ctx.SetHeader("Content-Type", "application/json")
	ctx.SetStatus(status)
	if err := json.NewEncoder(ctx.BodyWriter()).Encode(body); err != nil {
		slog.DebugContext(ctx.Context(), "client closed the connection", "err", err)
	}
}

// violation returns the error of one field for a finding of huma.
func violation(ctx context.Context, detail *huma.ErrorDetail) fieldProblem {
	_, field, _ := strings.Cut(detail.Location, ".")
	id, value := "api.field.invalid", ""
	for _, kind := range kinds {
		rest, ok := strings.CutPrefix(detail.Message, kind.prefix)
		if !ok {
			continue
		}
		id, value = kind.id, rest
		break
	}
	if name, ok := strings.CutSuffix(value, " to be present"); ok {
		field, value = join(field, name), ""
	}
	if id == "api.field.too_short" && value == "1" {
		id = "api.field.required"
	}
	return fieldProblem{field, id, locales.T(ctx, id, "Value", value)}
}

func join(object, name string) string {
	if object == "" {
		return name
	}
	return object + "." + name
}

// inField returns an error as the error of a field.
func inField(field string, err error) error {
	var invalid queries.Invalid
	if errors.As(err, &invalid) {
		return queries.FieldErrors{field: invalid}
	}
	return err
}
