// Package scim serves SCIM 2.0 (RFC 7643, RFC 7644) under /scim/v2: another directory
// creates, changes and deactivates people and departments with a service token.
package scim

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/provisioning"
	"officeconsole/traffic"
)

const base = "/scim/v2"

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

// mostRequests is how many requests of a company are served at the same time, so that
// another directory cannot take every connection to the database.
const mostRequests = 8

type server struct {
	db        *areas.Areas
	publicURL string
	limit     *traffic.Limit
}

// New returns the handler for every URL under /scim/v2. publicURL is how others reach
// the console, "" where that is the host of each request.
func New(db *areas.Areas, publicURL string) http.Handler {
	s := &server{db, publicURL, traffic.NewLimit(mostRequests)}
	root := chi.NewRouter()
	root.Use(localize)
	root.NotFound(s.do(func(http.ResponseWriter, *http.Request) error { return queries.NotFound }))
	root.MethodNotAllowed(s.do(func(http.ResponseWriter, *http.Request) error { return errMethod }))
	root.Route(base, func(r chi.Router) {
		r.Get("/ServiceProviderConfig", s.do(s.configuration))
		r.Get("/ResourceTypes", s.do(s.resourceTypes))
		r.Get("/ResourceTypes/{name}", s.do(s.resourceType))
		r.Get("/Schemas", s.do(s.schemas))
		r.Get("/Schemas/{uri}", s.do(s.schema))
		r.HandleFunc("/Bulk", s.do(func(http.ResponseWriter, *http.Request) error { return errBulk }))
		r.HandleFunc("/Me", s.do(func(http.ResponseWriter, *http.Request) error { return errMe }))

		r.Get("/Users", s.do(s.users))
		r.Post("/Users", s.do(s.createUser))
		r.Get("/Users/{id}", s.do(s.user))
		r.Put("/Users/{id}", s.do(s.replaceUser))
		r.Patch("/Users/{id}", s.do(s.patchUser))
		r.Delete("/Users/{id}", s.do(s.deleteUser))

		r.Get("/Groups", s.do(s.groups))
		r.Post("/Groups", s.do(s.createGroup))
		r.Get("/Groups/{id}", s.do(s.group))
		r.Put("/Groups/{id}", s.do(s.replaceGroup))
		r.Patch("/Groups/{id}", s.do(s.patchGroup))
		r.Delete("/Groups/{id}", s.do(s.deleteGroup))
	})
	return root
}

// do serves a request of a service token with the scope scim, or answers with the
// error.
func (s *server) do(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer rescue(w, r)
		by, err := s.authorize(r)
		if err != nil {
			answerError(w, r, err)
			return
		}
		leave, ok := s.limit.Enter(strconv.FormatInt(by.CompanyID, 10))
		if !ok {
			answerError(w, r, errBusy)
			return
		}
		defer leave()
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := serve(w, r.WithContext(context.WithValue(r.Context(), actorKey{}, by))); err != nil {
			answerError(w, r, err)
		}
	}
}

type actorKey struct{}

func actor(r *http.Request) queries.Actor {
	by, _ := r.Context().Value(actorKey{}).(queries.Actor)
	return by
}

// authorize returns the other directory that the token of a request belongs to.
func (s *server) authorize(r *http.Request) (by queries.Actor, err error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return by, errUnauthorized
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		from = netip.AddrPortFrom(netip.IPv4Unspecified(), 0)
	}
	address := from.Addr().Unmap()
	bearer, err := s.db.Identity.Bearer(r.Context(), identity.PresentedToken{Token: token, Address: address, UserAgent: r.UserAgent()})
	switch {
	case errors.Is(err, queries.NotFound):
		return by, errUnauthorized
	case errors.Is(err, identity.ForeignAddress):
		return by, problem{status: http.StatusForbidden, why: identity.ForeignAddress}
	case err != nil:
		return by, err
	case bearer.Person != nil || !slices.Contains(bearer.Scopes, identity.ScopeSCIM):
		return by, errScope
	}
	traffic.NoteCaller(r.Context(), traffic.Caller{CompanyID: bearer.CompanyID, Token: "service"})
	by = provisioning.Actor(bearer.CompanyID, bearer.TokenName)
	by.Address = address
	return by, nil
}

// localize stores the language of refusals in the request's context.
func localize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Language")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r.WithContext(locales.NewContext(r.Context(), locales.Detect(r.Header.Get("Accept-Language")))))
	})
}

// location is the URL of a resource.
func (s *server) location(r *http.Request, path string) string {
	if s.publicURL != "" {
		return s.publicURL + base + path
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + r.Host + base + path
}

// resourceID is the id in the path. One that no resource can have is NotFound.
func resourceID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, queries.NotFound
	}
	return id, nil
}

// expected is the version that a request changes, "" for any.
func expected(r *http.Request) string {
	tag := strings.TrimSpace(r.Header.Get("If-Match"))
	if tag == "*" {
		return ""
	}
	return strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)
}

// answerResource answers with a resource, or 304 if the caller has its version.
func answerResource(w http.ResponseWriter, r *http.Request, status int, resource object) error {
	if resource["meta"] != nil {
		meta := resource["meta"].(object)
		tag := meta["version"].(string)
		w.Header().Set("ETag", tag)
		if status == http.StatusCreated {
			w.Header().Set("Location", meta["location"].(string))
		}
		if r.Method == http.MethodGet && r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return answer(w, status, project(resource, r.URL.Query()))
}

func answer(w http.ResponseWriter, status int, body any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/scim+json")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // the client is gone if this fails
	return nil
}

// readBody reads the object in a body, with its names in lower case: those of
// attributes do not depend on it.
func readBody(r *http.Request) (object, error) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" && kind != "application/scim+json" && kind != "application/json" {
		return nil, errMediaType
	}
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	var body map[string]any
	err := decoder.Decode(&body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, err
	case err != nil || body == nil || decoder.More():
		return nil, errSyntax
	}
	return fold(body).(object), nil
}

// fold puts the names of objects in lower case.
func fold(value any) any {
	switch value := value.(type) {
	case map[string]any:
		folded := object{}
		for name, one := range value {
			folded[strings.ToLower(name)] = fold(one)
		}
		return folded
	case []any:
		for i := range value {
			value[i] = fold(value[i])
		}
	}
	return value
}

// object is an object of JSON.
type object map[string]any
