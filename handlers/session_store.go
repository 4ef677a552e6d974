package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/alexedwards/scs/v2"

	"officeconsole/queries"
	"officeconsole/queries/identity"
)

// sessionStore reads the session of a browser together with the user who is signed
// in with it, because every page needs both. Everything else is up to the store of
// the library.
type sessionStore struct {
	scs.Store
	identity *identity.Store
}

// sessionUserKey is the key of a *identity.SignedIn in the context of a request, which
// FindCtx sets to the user of the session.
type sessionUserKey struct{}

// FindCtx is what the library calls in place of Find, because it exists.
func (s sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	data, user, err := s.identity.SignedInBySession(ctx, token)
	if errors.Is(err, queries.NotFound) {
		return s.Find(token)
	}
	if err != nil {
		return nil, false, err
	}
	if found, ok := ctx.Value(sessionUserKey{}).(*identity.SignedIn); ok {
		*found = user
	}
	return data, true, nil
}

// withSession gives a request its session, and stores what the request changes in it.
func (h *handlers) withSession(next http.Handler) http.Handler {
	loaded := h.sessions.LoadAndSave(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		loaded.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionUserKey{}, new(identity.SignedIn))))
	})
}

// sessionUser returns the user of a sign-in that the session names; NotFound if it has
// ended.
func (h *handlers) sessionUser(ctx context.Context, companyID, signInID int64) (identity.SignedIn, error) {
	if found, ok := ctx.Value(sessionUserKey{}).(*identity.SignedIn); ok && found.CompanyID == companyID && found.SignInID == signInID {
		return *found, nil
	}
	return h.db.Identity.SignedIn(ctx, companyID, signInID)
}
