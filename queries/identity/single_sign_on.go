package identity

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// visitAge is how long somebody may take at a provider before they have to begin
// again.
const visitAge = 10 * time.Minute

// errVisit is the refusal of a browser that comes back from a provider to which
// nobody has sent it, or too late, or twice.
const errVisit = queries.Invalid("sso.expired")

// errSwitchedOff is the refusal of a browser that comes back from a provider which is not
// in use any more.
const errSwitchedOff = queries.Invalid("sso.off")

// SignOnRequest is a browser in which somebody wants to sign in through the
// provider of their email's domain.
type SignOnRequest struct {
	Email        string
	Locale, Next string // where to go afterwards
	BaseURL      string // of the console, as providers know it
	Address      netip.Addr
	UserAgent    string
}

// Visit is a browser's way to a provider: the address to send it to, the state with
// which the provider sends it back, and the secret with which only this browser can come
// back.
type Visit struct{ URL, State, Browser string }

// BeginSignOn sends a browser to the provider of an email's domain. It refuses
// with sso.domain where there is none, with sso.provider where it cannot be reached, and
// with FieldErrors of email where that is empty.
func (s *Store) BeginSignOn(ctx context.Context, r SignOnRequest) (Visit, error) {
	email := normalEmail(r.Email)
	if email == "" {
		return Visit{}, queries.FieldErrors{"email": "sso.email.required"}
	}
	_, domain, _ := strings.Cut(email, "@")
	p, err := s.providerOfDomain(ctx, domain)
	if errors.Is(err, queries.NotFound) {
		return Visit{}, queries.Invalid("sso.domain")
	}
	if err != nil {
		return Visit{}, err
	}
	visit, err := s.visit(ctx, p, r, 0)
	if err != nil {
		a := attempt{Credentials: Credentials{Address: r.Address, UserAgent: r.UserAgent}, email: email, source: usage.AccessConsole, companyID: p.CompanyID}
		s.noteRefusal(ctx, a, err)
	}
	return visit, err
}

// visit stores that a browser is sent to a provider: to sign in, or for an
// administrator who tests the provider.
func (s *Store) visit(ctx context.Context, p Provider, r SignOnRequest, testerID int64) (Visit, error) {
	way, err := s.wayTo(ctx, p, r)
	if err != nil {
		return Visit{}, err
	}
	browser := newToken()
	if err := s.insertVisit(ctx, insertVisitParams{
		CompanyID: p.CompanyID, State: hashToken(way.state), ProviderID: p.ID, Browser: hashToken(browser), Nonce: way.nonce, Verifier: way.verifier,
		RedirectURL: way.redirectURL, Locale: r.Locale, Next: r.Next, TesterID: queries.OrNil(testerID), Now: s.db.Now(),
	}); err != nil {
		return Visit{}, err
	}
	return Visit{way.url, way.state, browser}, nil
}

// way is how a browser gets to a provider and back: state is what the provider sends
// back with it, and redirectURL where to. nonce and verifier tie the answer to the visit.
type way struct{ url, redirectURL, state, nonce, verifier string }

func (s *Store) wayTo(ctx context.Context, p Provider, r SignOnRequest) (way, error) {
	w := way{state: newToken(), nonce: newToken()}
	if p.Kind == SAML {
		known, err := s.samlProvider(ctx, p)
		if err != nil {
			return way{}, err
		}
		w.redirectURL, w.nonce = r.BaseURL+SAMLPath, "_"+w.nonce // the id of a request begins like a name
		w.url, err = SAMLService(r.BaseURL).RequestURL(known, w.nonce, w.state, s.db.Now())
		return w, err
	}
	d, err := s.discover(ctx, p)
	if err != nil {
		return way{}, err
	}
	w.redirectURL, w.verifier = r.BaseURL+"/oauth", oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{oidc.Nonce(w.nonce), oauth2.S256ChallengeOption(w.verifier)}
	if r.Email != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", normalEmail(r.Email)))
	}
	w.url = clientOf(p, d, "", w.redirectURL).AuthCodeURL(w.state, options...)
	return w, nil
}

// ProviderAnswer is what a browser brings back from a provider.
type ProviderAnswer struct {
	State, Code, Error, Issuer string // of the URL
	Browser                    string // of the cookie, see Visit
	Address                    netip.Addr
	UserAgent                  string
}

// SignOn is what came of a visit. Locale and Next are those of the SignOnRequest,
// and are set for refusals, too.
type SignOn struct {
	SignedIn
	Locale, Next string

	ProviderID int64
	Trial      *Trial // of an administrator who only tested the provider
}

// CompleteSignOn signs in somebody who comes back from a provider. It refuses with
// sso.expired (also where another browser was sent there), sso.off, sso.cancelled,
// sso.provider, sso.answer (the answer is not for us), sso.email (the provider does
// not vouch for an email of the company), sso.unknown (nobody has the email) or
// sso.taken (somebody else's identity has it), and as SignIn does for everybody
// whom the policy does not let in. All are in the access history.
func (s *Store) CompleteSignOn(ctx context.Context, r ProviderAnswer) (SignOn, error) {
	visit, err := s.takeVisit(ctx, takeVisitParams{State: hashToken(r.State), Browser: hashToken(r.Browser)})
	if errors.Is(err, queries.NotFound) {
		slog.InfoContext(ctx, "a browser came back from a provider to which it was not sent", "address", r.Address)
		return SignOn{}, errVisit
	}
	if err != nil {
		return SignOn{}, err
	}
	done := SignOn{Locale: visit.Locale, Next: visit.Next, ProviderID: visit.ProviderID}
	p, err := s.Provider(ctx, ProviderParams{visit.CompanyID, visit.ProviderID})
	if err != nil {
		return done, err
	}
	if visit.TesterID != nil {
		done.Trial = s.finishTrial(ctx, p, visit, r)
		return done, nil
	}
	a := attempt{
		Credentials: Credentials{Address: r.Address, UserAgent: r.UserAgent}, source: usage.AccessConsole, companyID: p.CompanyID, reason: reasonSingleSignOn, factor: factorSignOn,
	}
	if p.Kind != SAML { // signing out there needs signed requests
		a.providerID = p.ID
	}
	identify := func(ctx context.Context, a *attempt) error {
		if !p.Enabled {
			return errSwitchedOff
		}
		answer, err := s.readAnswer(ctx, p, visit, r)
		if err != nil {
			return err
		}
		a.email, a.idToken = normalEmail(answer.claims.text("email")), answer.idToken
		return s.arrive(ctx, a, p, answer)
	}
	done.SignedIn, err = s.enter(ctx, a, identify)
	return done, err
}

// SignOutAtProvider returns the address at which somebody who has signed out here
// also signs out at the provider through which they signed in; "" where they came
// otherwise, or where the provider has no such address. returnURL is where the
// provider sends them back to.
func (s *Store) SignOutAtProvider(ctx context.Context, companyID, signInID int64, returnURL string) (string, error) {
	through, err := s.takeProviderSignIn(ctx, takeProviderSignInParams{companyID, signInID})
	if errors.Is(err, queries.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	p, err := s.Provider(ctx, ProviderParams{companyID, through.ProviderID})
	if err != nil {
		return "", err
	}
	d, err := s.discover(ctx, p)
	if errors.Is(err, errProvider) || err == nil && d.endSession == "" {
		return "", nil // signing out here does not depend on it
	}
	if err != nil {
		return "", err
	}
	return d.endSessionURL(p, through.IDToken, returnURL), nil
}
