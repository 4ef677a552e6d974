package api

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/replica"
	"officeconsole/traffic"
)

// statusEnded is the status for a token or session that has ended (spec §4).
const statusEnded = 419

const sessionCookie = "officeconsole_session"

// caller is the user who makes a request, with a token or a console session.
type caller struct {
	directory.Person
	signInID int64 // of the token or the session
	signedIn identity.SignedIn
	address  netip.Addr
}

type callerKey struct{}

// callerOf returns who makes the request. It requires the middleware person.
func callerOf(ctx context.Context) caller {
	who, _ := ctx.Value(callerKey{}).(caller)
	return who
}

// person is the middleware that requires a signed-in user. A token takes
// precedence over a session.
func (c *calls) person(ctx huma.Context, next func(huma.Context)) {
	who, err := c.recognize(ctx)
	if err != nil {
		c.refuse(ctx, err)
		return
	}
	if who.signedIn.IsConfined(c.db.Now()) && ctx.Operation().OperationID != "logout" {
		c.refuse(ctx, refusal{http.StatusForbidden, "factor.due.api"})
		return
	}
	who.address = addressOf(ctx)
	noted := traffic.Caller{CompanyID: who.CompanyID, UserID: who.ID}
	if ctx.Header("Authorization") != "" {
		noted.Token = "user"
	}
	traffic.NoteCaller(ctx.Context(), noted)
	known := replica.WithUser(ctx.Context(), replica.User{CompanyID: who.CompanyID, ID: who.ID})
	c.admitPerson(huma.WithContext(ctx, context.WithValue(attendance.RememberScope(known), callerKey{}, who)), who, next)
}

func (c *calls) recognize(ctx huma.Context) (caller, error) {
	if header := ctx.Header("Authorization"); header != "" {
		return c.recognizeToken(ctx, header)
	}
	if signedIn, ok := identity.SignedInFrom(ctx.Context()); ok {
		return caller{Person: signedIn.Person, signInID: signedIn.SignInID, signedIn: signedIn}, nil
	}
	for _, name := range []string{sessionCookie, "__Host-" + sessionCookie} { // the latter behind https
		if _, err := huma.ReadCookie(ctx, name); err == nil {
			return caller{}, refusal{statusEnded, "api.ended"}
		}
	}
	return caller{}, refusal{http.StatusUnauthorized, "api.unauthorized"}
}

func (c *calls) recognizeToken(ctx huma.Context, header string) (caller, error) {
	bearer, err := c.bearer(ctx, header)
	switch {
	case err != nil:
		return caller{}, err
	case bearer.Person == nil:
		return caller{}, refusal{http.StatusForbidden, "api.people_only"}
	}
	return caller{Person: *bearer.Person, signInID: bearer.SignedIn.SignInID, signedIn: bearer.SignedIn}, nil
}

// presentedToken returns the token in an Authorization header, or "".
func presentedToken(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// bearer returns the user of the token in an Authorization header.
func (c *calls) bearer(ctx huma.Context, header string) (b identity.Bearer, err error) {
	token := presentedToken(header)
	if token == "" {
		return b, refusal{http.StatusUnauthorized, "api.unauthorized"}
	}
	companyID, _ := strconv.ParseInt(ctx.Param("company_id"), 10, 64)
	b, err = c.db.Identity.Bearer(ctx.Context(), identity.PresentedToken{
		Token: token, CompanyID: companyID, Address: addressOf(ctx), UserAgent: ctx.Header("User-Agent"),
	})
	switch {
	case errors.Is(err, queries.NotFound):
		err = refusal{statusEnded, "api.ended"}
	case errors.Is(err, identity.ForeignAddress):
		err = refusal{http.StatusForbidden, string(identity.ForeignAddress)}
	}
	return b, err
}

// service is the middleware that requires a service token of the company with
// the given scope.
func (c *calls) service(scope string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		b, err := c.serviceBearer(ctx, scope)
		if err == nil && ctx.Param("company_id") != strconv.FormatInt(b.CompanyID, 10) {
			err = queries.NotFound
		}
		if err != nil {
			c.refuse(ctx, err)
			return
		}
		traffic.NoteCaller(ctx.Context(), traffic.Caller{CompanyID: b.CompanyID, Token: "service"})
		c.admitService(ctx, next)
	}
}

// serviceBearer returns the holder of a service token with the given scope, or for "" of
// any.
func (c *calls) serviceBearer(ctx huma.Context, scope string) (identity.Bearer, error) {
	b, err := c.bearer(ctx, ctx.Header("Authorization"))
	if err == nil && (b.Person != nil || scope != "" && !slices.Contains(b.Scopes, scope)) {
		err = refusal{http.StatusForbidden, "api.scope"}
	}
	return b, err
}

// fromReplica is the middleware of calls that only read a list, which a replica of the
// database may answer.
func (c *calls) fromReplica(ctx huma.Context, next func(huma.Context)) {
	next(huma.WithContext(ctx, c.db.ReadFromReplica(ctx.Context())))
}

// own is the middleware that answers 404 for the path of another user, so that
// callers cannot find out which ids exist.
func (c *calls) own(ctx huma.Context, next func(huma.Context)) {
	who := callerOf(ctx.Context())
	if ctx.Param("company_id") != strconv.FormatInt(who.CompanyID, 10) || ctx.Param("id") != strconv.FormatInt(who.ID, 10) {
		c.refuse(ctx, queries.NotFound)
		return
	}
	next(ctx)
}

// administrator is the middleware that requires an administrator (spec §6).
func (c *calls) administrator(ctx huma.Context, next func(huma.Context)) {
	if !callerOf(ctx.Context()).IsAdmin {
		c.refuse(ctx, refusal{http.StatusForbidden, "api.administrators_only"})
		return
	}
	next(ctx)
}

// proved is the middleware that requires a person who has proved lately who they are:
// by signing in, or on a page of the console.
func (c *calls) proved(ctx huma.Context, next func(huma.Context)) {
	if err := c.requireProof(ctx.Context()); err != nil {
		c.refuse(ctx, err)
		return
	}
	next(ctx)
}

func (c *calls) requireProof(ctx context.Context) error {
	if !callerOf(ctx).signedIn.HasProved(c.db.Now()) {
		return refusal{http.StatusForbidden, "proof.required"}
	}
	return nil
}

// addressOf returns the IP address that a request comes from.
func addressOf(ctx huma.Context) netip.Addr {
	from, err := netip.ParseAddrPort(ctx.RemoteAddr())
	if err != nil {
		return netip.IPv4Unspecified()
	}
	return from.Addr().Unmap()
}
