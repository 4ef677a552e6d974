package identity

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"officeconsole/queries"
	"officeconsole/sender"
)

const (
	// maxProviderAnswer is how much of an answer of a provider is read, in bytes.
	maxProviderAnswer = 1 << 20
	// providerTime is how long all requests to a provider for one page may take.
	providerTime = 15 * time.Second
	// discoveryAge is for how long what a provider says about itself is used.
	discoveryAge = 10 * time.Minute
)

// errProvider is the refusal where a provider cannot be reached or does not answer
// as one.
const errProvider = queries.Invalid("sso.provider")

// Allow sets which addresses providers may have, besides public ones. It is called
// before the store is used.
func (s *Store) Allow(network sender.Network) {
	s.network, s.outside = network, network.HTTPClient(maxProviderAnswer)
}

// discovery is what a provider says about itself.
type discovery struct {
	*oidc.Provider
	keysURL    string
	endSession string   // "" where nobody can sign out at the provider
	challenges []string // the methods of PKCE that it names
}

// discover returns what the provider says about itself, which is cached.
func (s *Store) discover(ctx context.Context, p Provider) (*discovery, error) {
	return s.discoveries.Get(ctx, p.Issuer, func(ctx context.Context) (*discovery, error) { return s.readDiscovery(ctx, p) })
}

// readDiscovery asks the provider about itself. It refuses with errProvider.
func (s *Store) readDiscovery(ctx context.Context, p Provider) (*discovery, error) {
	ctx, cancel := s.toProvider(ctx)
	defer cancel()
	found, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, providerError(ctx, p, err)
	}
	var more struct {
		KeysURL    string   `json:"jwks_uri"`
		EndSession string   `json:"end_session_endpoint"`
		Challenges []string `json:"code_challenge_methods_supported"`
	}
	if err := found.Claims(&more); err != nil {
		return nil, providerError(ctx, p, err)
	}
	for _, address := range []string{found.Endpoint().AuthURL, found.Endpoint().TokenURL, more.KeysURL} {
		if u, err := url.Parse(address); err != nil || !s.isWebAddress(u) {
			return nil, providerError(ctx, p, fmt.Errorf("address %q of the provider", address))
		}
	}
	if u, err := url.Parse(more.EndSession); err != nil || !s.isWebAddress(u) {
		more.EndSession = ""
	}
	return &discovery{found, more.KeysURL, more.EndSession, more.Challenges}, nil
}

// toProvider returns a context for requests to a provider.
func (s *Store) toProvider(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(oidc.ClientContext(ctx, s.outside), s.wait)
}

// providerError logs why a provider cannot be used and returns errProvider.
func providerError(ctx context.Context, p Provider, err error) error {
	slog.WarnContext(ctx, "a provider of single sign-on cannot be used", "company", p.CompanyID, "issuer", p.Issuer, "err", cut(err.Error(), 500))
	return fmt.Errorf("%w: %w", errProvider, err)
}

// clientOf returns the console as a client of a provider.
func clientOf(p Provider, d *discovery, secret, redirectURL string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: secret, RedirectURL: redirectURL, Endpoint: d.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
}
