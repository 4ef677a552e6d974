package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/handlers/scim"
	"officeconsole/queries/areas"
)

// mounts are the routes of the whole server with what lists the routes below each.
// A new one needs a line here, and its routes in matrixRoutes.
var mounts = map[string]string{
	"/healthz":       "says nothing",
	"/readyz":        "says nothing",
	"/static/*":      "the same files for everybody",
	"/api":           "no call",
	"/api/*":         "the OpenAPI document",
	"/*":             "handlers.PageRoutes",
	"/hooks/{token}": "matrixRoutes",
	"/hooks/*":       "noHook, which knows nothing",
	"/scim/v2":       "scim.New",
	"/scim/v2/*":     "scim.New",
}

// A matrixRoute is a method and pattern of a page or call.
type matrixRoute struct {
	method, pattern string
	body            *schema  // of a call that takes JSON
	query           []string // the parameters of a call
}

func (r matrixRoute) isCall() bool {
	return strings.HasPrefix(r.pattern, "/api/") || r.isProvisioning()
}

// isProvisioning reports whether a route is one of SCIM.
func (r matrixRoute) isProvisioning() bool { return strings.HasPrefix(r.pattern, "/scim/") }

func (r matrixRoute) String() string { return r.method + " " + r.pattern }

// changes reports whether a route can change something.
func (r matrixRoute) changes() bool { return r.method != http.MethodGet }

// matrixRoutes returns all pages and calls by their pattern.
func matrixRoutes(t *testing.T, db *areas.Areas) (routes []matrixRoute) {
	t.Helper()
	err := chi.Walk(handlers.New(db, handlers.Config{API: http.NotFoundHandler(), SCIM: http.NotFoundHandler(), Static: http.NotFoundHandler()}).(chi.Routes),
		func(_, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			if mounts[pattern] == "" {
				t.Errorf("no test knows what is below %s", pattern)
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := handlers.PageRoutes()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		method, pattern, _ := strings.Cut(page, " ")
		if !strings.HasSuffix(pattern, "/*") {
			routes = append(routes, matrixRoute{method: method, pattern: "/" + strings.Trim(pattern, "/")})
		}
	}
	routes = append(routes, matrixRoute{method: http.MethodPost, pattern: "/hooks/{hook}"})
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	err = chi.Walk(scim.New(db, "").(chi.Routes), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if slices.Contains(methods, method) {
			routes = append(routes, matrixRoute{method: method, pattern: pattern})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	document, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	routes = append(routes, callsOf(t, document)...)
	slices.SortFunc(routes, func(a, b matrixRoute) int { return strings.Compare(a.pattern+a.method, b.pattern+b.method) })
	return routes
}

// callsOf returns the operations of an OpenAPI document.
func callsOf(t *testing.T, document []byte) (routes []matrixRoute) {
	t.Helper()
	var d struct {
		Paths map[string]map[string]struct {
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct{ Schema *schema }
			}
		}
		Components struct{ Schemas map[string]*schema }
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			route := matrixRoute{method: strings.ToUpper(method), pattern: "/api/v1" + path}
			if content, ok := operation.RequestBody.Content["application/json"]; ok {
				route.body = content.Schema.resolve(d.Components.Schemas, 0)
			}
			for _, p := range operation.Parameters {
				if p.In == "query" {
					route.query = append(route.query, p.Name)
				}
			}
			routes = append(routes, route)
		}
	}
	return routes
}

// patternOfParameter matches a parameter with the regular expression it may have.
var patternOfParameter = regexp.MustCompile(`\{([a-z_]+)(:[^}]*)?\}`)

// constantParameters are those that name no object of a company.
var constantParameters = map[string]string{"kind": "communication", "no": "1", "month": "2026-10", "service_id": "mail", "name": "User", "uri": "urn:ietf:params:scim:schemas:core:2.0:User"}

// nounsOfPaths says which object the parameter {id} of a page is, by the beginning of
// its path.
var nounsOfPaths = []struct{ prefix, parameter, noun string }{
	{"/images/users/", "id", "user"},
	{"/scim/v2/Users/", "id", "user"},
	{"/scim/v2/Groups/", "id", "department"},
	{"/profile/sessions/", "id", "session"},
	{"/profile/factors/passkeys/", "id", "passkey"},
	{"/notice/", "id", "notice"},
	{"/logs/workingattitude/day/", "id", "correction"},
	{"/logs/workingattitude/management/imports/", "id", "import"},
	{"/policies/workingattitude/manager/", "id", "viewer"},
	{"/policies/{kind:communication|workingattitude}/checks/", "id", "check"},
	{"/manage/notice/", "id", "notice"},
	{"/manage/link/common/", "id", "link"},
	{"/manage/link/convenience/", "id", "service_id"},
	{"/manage/security/access/", "id", "user"},
	{"/manage/security/locks/", "id", "user"},
	{"/manage/security/tokens/", "id", "token"},
	{"/manage/security/changes/", "id", "change"},
	{"/manage/security/providers/", "id", "provider"},
	{"/manage/use/webhook/outgoing/", "id", "delivery"},
	{"/manage/use/holidays/", "id", "holiday"},
	{"/manage/use/webhook/tokens/", "id", "bot_token"},
	{"/manage/use/webhook/deliveries/", "id", "bot_delivery"},
	{"/api/v1/companies/{company_id}/users/{id}/bots/service/deliveries/", "delivery_id", "bot_delivery"},
	{"/api/v1/companies/{company_id}/users/{id}/bots/service/tokens/", "token_id", "bot_token"},
	{"/api/v1/companies/{company_id}/users/{id}/policies/workingattitude/managers/", "manager_id", "viewer"},
}

// noun returns which object a parameter of a pattern is, or "" for a constant.
func noun(pattern, parameter string) string {
	for _, n := range nounsOfPaths {
		if n.parameter == parameter && strings.HasPrefix(pattern, n.prefix) {
			if constantParameters[n.noun] != "" {
				return ""
			}
			return n.noun
		}
	}
	if constantParameters[parameter] != "" {
		return ""
	}
	return strings.TrimSuffix(parameter, "_id")
}

// fill returns the path of a pattern with objects, below the path of a user for calls
// that have it, and whether it has an object. A parameter that nothing is known about
// fails the test.
func (r matrixRoute) fill(t *testing.T, own, with objects) (path string, hasObject bool) {
	t.Helper()
	const ofUser = "/companies/{company_id}/users/{id}"
	pattern := strings.Replace(r.pattern, ofUser, "/companies/"+own["company"]+"/users/"+own["caller"], 1)
	pattern = strings.Replace(pattern, "/companies/{company_id}", "/companies/"+own["company"], 1)
	path = patternOfParameter.ReplaceAllStringFunc(pattern, func(text string) string {
		parameter := patternOfParameter.FindStringSubmatch(text)[1]
		of := noun(r.pattern, parameter)
		if of == "" {
			if constant := constantParameters[parameter]; constant != "" {
				return constant
			}
			return constantParameters["service_id"]
		}
		value, known := with[of]
		if !known {
			if value, known = inventedObjects()[of]; !known { // nobody has two webhooks
				t.Errorf("%s has a parameter that no value is known for", r)
			}
		}
		hasObject = true
		return url.PathEscape(value)
	})
	return path, hasObject
}

// withIDs adds to a path a query that names objects.
func (r matrixRoute) withIDs(path string, of objects) string {
	query := url.Values{}
	names := r.query
	if !r.isCall() {
		names = []string{"user_id", "department_id", "department", "user", "policy_id", "policy", "sender_id", "receiver_id", "edit", "open", "from", "duplicate", "author_id", "reader_id", "subject_id", "actor_id", "except"}
	}
	for _, name := range names {
		value := of[strings.TrimSuffix(name, "_id")]
		switch name {
		case "sender_id", "receiver_id", "author_id", "reader_id", "subject_id", "actor_id":
			value = of["user"]
		case "edit", "open", "duplicate", "from":
			if r.isCall() {
				continue
			}
			value = of["notice"]
		case "except":
			value = of["policy"]
		case "platform":
			value = "pc"
		}
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
