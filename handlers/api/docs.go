package api

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
)

//go:embed docs.html
var docsSource string

var docsTemplate = template.Must(template.New("docs").Funcs(template.FuncMap{
	"arguments": func(words docsWords, fields []docsField) docsFields { return docsFields{words, fields} },
}).Parse(docsSource))

type docsFields struct {
	Words  docsWords
	Fields []docsField
}

// document returns a handler for the OpenAPI document, which is written once.
func document(openAPI *huma.OpenAPI) http.HandlerFunc {
	written := sync.OnceValues(openAPI.MarshalJSON)
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := written()
		if err != nil {
			slog.ErrorContext(r.Context(), "cannot write the OpenAPI document", "err", err)
			answerProblem(w, r, http.StatusInternalServerError, "api.unexpected")
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		if _, err := w.Write(text); err != nil {
			slog.DebugContext(r.Context(), "client closed the connection", "err", err)
		}
	}
}

// docs returns a handler for a readable page of the OpenAPI document. The page
// loads no other resources.
func docs(document *huma.OpenAPI) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var page bytes.Buffer
		if err := docsTemplate.Execute(&page, newDocsPage(r.Context(), document)); err != nil {
			slog.ErrorContext(r.Context(), "cannot render the API docs page", "err", err)
			answerProblem(w, r, http.StatusInternalServerError, "api.unexpected")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if _, err := page.WriteTo(w); err != nil {
			slog.DebugContext(r.Context(), "client closed the connection", "err", err)
		}
	}
}

type docsPage struct {
	Locale                            locales.Locale
	Title, Version, Description, Base string
	Words                             docsWords
	Operations                        []docsOperation
	Problem                           []docsField
}

type docsWords struct {
	Base, Calls, Signed, Parameters, Body, Answers, Errors, Name, Kind, Meaning, Required string
}

type docsOperation struct {
	ID, Method, Path, Summary, Description string
	List                                   []string // what follows the description
	Signed                                 bool
	Parameters, Body                       []docsField
	Answers                                []docsAnswer
}

type docsAnswer struct {
	Status, Description string
	Fields              []docsField
}

type docsField struct {
	Name, Kind, Meaning string
	Required            bool
}

func newDocsPage(ctx context.Context, document *huma.OpenAPI) docsPage {
	page := docsPage{
		Locale: locales.FromContext(ctx), Base: base,
		Title: document.Info.Title, Version: document.Info.Version, Description: document.Info.Description,
		Words: docsWords{
			Base:       locales.T(ctx, "api.docs.base"),
			Calls:      locales.T(ctx, "api.docs.calls"),
			Signed:     locales.T(ctx, "api.docs.signed"),
			Parameters: locales.T(ctx, "api.docs.parameters"),
			Body:       locales.T(ctx, "api.docs.body"),
			Answers:    locales.T(ctx, "api.docs.answers"),
			Errors:     locales.T(ctx, "api.docs.errors"),
			Name:       locales.T(ctx, "api.docs.name"),
			Kind:       locales.T(ctx, "api.docs.kind"),
			Meaning:    locales.T(ctx, "api.docs.meaning"),
			Required:   locales.T(ctx, "api.docs.required"),
		},
	}
	d := describer{document.Components.Schemas}
	for _, op := range operations(document) {
		page.Operations = append(page.Operations, d.operation(op))
	}
	page.Problem = d.fields("", &huma.Schema{Ref: "#/components/schemas/Problem"}, nil)
	return page
}
