// Package api serves the operations under /api/v1 to programs, and the OpenAPI
// document that is generated from them.
package api

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"officeconsole/blobs"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/cache"
)

const base = "/api/v1"

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

type calls struct {
	db     *areas.Areas
	api    huma.API
	packed *cache.Cache[packedKey, packedList]
	blobs  blobs.Store
	limits limits
}

// New returns the handler for every URL under /api, of which only /api/v1 has operations.
func New(db *areas.Areas, version string, files blobs.Store) http.Handler {
	root := chi.NewRouter()
	root.Use(localize, headAsGet, rescue)
	root.NotFound(func(w http.ResponseWriter, r *http.Request) {
		answerProblem(w, r, http.StatusNotFound, "api.not_found")
	})
	root.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		allow(w, r, root)
		answerProblem(w, r, http.StatusMethodNotAllowed, "api.method")
	})
	root.Route(base, func(r chi.Router) {
		c := newCalls(db, r, version)
		c.packed, c.blobs = newPacked(db.Now), files
		r.Get("/docs", docs(c.api.OpenAPI()))
		r.Get("/openapi.json", document(c.api.OpenAPI()))
	})
	return root
}

// Document returns the OpenAPI document that New serves at
// /api/v1/openapi.json.
func Document(version string) ([]byte, error) {
	return newCalls(nil, chi.NewRouter(), version).api.OpenAPI().MarshalJSON()
}

func newCalls(db *areas.Areas, r chi.Router, version string) *calls {
	c := &calls{db: db, api: humachi.New(r, config(version)), limits: newLimits()}
	c.register()
	describeAnswers(c.api.OpenAPI())
	describeNull(c.api.OpenAPI().Components.Schemas)
	describeRequired(c.api.OpenAPI().Components.Schemas)
	return c
}

func config(version string) huma.Config {
	c := huma.DefaultConfig("Office Console API", version)
	c.Info.Description = "What the console tells other programs. Lists answer in data and meta, refusals in message, in the language of Accept-Language. Times are in UTC. What callers may not see is answered 404, what they see but have no permission to change 403."
	c.Info.Contact = &huma.Contact{Name: "The operator of this console"}
	c.Servers, c.Tags = []*huma.Server{{URL: base}}, tags
	// The handler of the document that huma brings has a data race when two first requests meet.
	c.OpenAPIPath = ""
	// The page that huma brings loads scripts of other hosts; links to schemas would add a field to every answer.
	c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", nil
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer":  {Type: "http", Scheme: "bearer", Description: "The access_token of POST /oauth/login; for the calls of the messenger, a service token (officeconsole token create)."},
		"session": {Type: "apiKey", In: "cookie", Name: sessionCookie, Description: "The session of somebody signed in to the console, from its own pages. Behind https its name begins with __Host-."},
	}
	return c
}

// localize stores the language of the response in the request's context.
func localize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Language")
		w.Header().Set("Cache-Control", "no-store")
		locale := locales.Detect(r.Header.Get("Accept-Language"))
		next.ServeHTTP(w, r.WithContext(locales.NewContext(r.Context(), locale)))
	})
}

// headAsGet routes HEAD like GET; the server omits the body. The request keeps its
// method, because a response without an end has to know it.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// allow answers with the methods that a path supports. The routes of the request's own
// context may be those of a router around this one, which gives it every method.
func allow(w http.ResponseWriter, r *http.Request, routes chi.Routes) {
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if !routes.Match(chi.NewRouteContext(), method, cmp.Or(r.URL.RawPath, r.URL.Path)) {
			continue
		}
		if methods = append(methods, method); method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
}

// matches reports whether If-None-Match names the tag. The comparison is weak, as RFC 9110
// has it: proxies that compress make a strong tag weak.
func matches(condition []string, tag string) bool {
	return slices.ContainsFunc(condition, func(one string) bool {
		one = strings.TrimSpace(one)
		return one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/")
	})
}
