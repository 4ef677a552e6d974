package identity_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// slowAnswers are what a provider may do instead of answering.
var slowAnswers = map[string]http.HandlerFunc{
	"hangs": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"stops in the middle": func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"issuer": "`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	},
	"20 MB": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat(" ", 20<<20)) },
}

// slowProvider returns what answers at a path as a slow provider, and as itself
// elsewhere. No connection of the pool may be in use meanwhile.
func slowProvider(t *testing.T, db *areas.Areas, path string, slow, usual http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if path != r.URL.Path {
			usual(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not see that the console has gone
		if n := db.Pool().Stat().AcquiredConns(); n != 0 {
			t.Errorf("%d connections are in use while the provider is slow", n)
		}
		// A request for keys outlives the visitor, so the test ends it.
		ctx, cancel := context.WithCancel(r.Context())
		defer context.AfterFunc(t.Context(), cancel)()
		slow(w, r.WithContext(ctx))
	}
}

func TestSlowProvider(t *testing.T) {
	for name, slow := range slowAnswers {
		for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
			t.Run(name+" at "+path, func(t *testing.T) {
				s := newSignOn(t, nil)
				s.provider.Answer = slowProvider(t, s.db, path, slow, s.provider.ServeHTTP)
				s.db.Identity.SetProviderTime(300 * time.Millisecond)
				visit, err := s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: "employee@hanbit.example", BaseURL: "https://console.example", Address: here})
				if err == nil {
					_, err = s.complete(s.back(visit))
				}
				if !errors.Is(err, queries.Invalid("sso.provider")) {
					t.Error(err)
				}
			})
		}
	}
}

func TestSlowMetadata(t *testing.T) {
	for name, slow := range slowAnswers {
		t.Run(name, func(t *testing.T) {
			s := newSAMLSignOn(t, nil)
			s.clock.Advance(11 * time.Minute)
			s.provider.Answer = slowProvider(t, s.db, "/metadata", slow, http.NotFound)
			s.db.Identity.SetProviderTime(300 * time.Millisecond)
			_, err := s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: "employee@hanbit.example", BaseURL: "https://console.example", Address: here})
			if !errors.Is(err, queries.Invalid("sso.provider")) {
				t.Error(err)
			}
			draft := s.provider.Draft()
			draft.MetadataURL += "?again" // is read when it is saved
			err = s.db.Identity.UpdateProvider(t.Context(), queriestest.AdminActor(t, s.db), s.id, 1, draft)
			if refused, ok := err.(queries.FieldErrors); !ok || refused["metadata_url"] != "provider.metadata_url.unreadable" {
				t.Errorf("saving: %v", err)
			}
		})
	}
}
