package identity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"officeconsole/queries"
)

// clockSkew is how much a provider's clock may differ from the console's.
const clockSkew = 2 * time.Minute

// errAnswer is the refusal of a provider's answer that is not what was asked for.
const errAnswer = queries.Invalid("sso.answer")

// answer is what a provider says about somebody, after everything was verified.
type answer struct {
	subject string
	claims  claims
	idToken string
}

// readAnswer returns what a provider says about whoever comes back from a visit.
func (s *Store) readAnswer(ctx context.Context, p Provider, visit ProviderVisit, r ProviderAnswer) (answer, error) {
	switch {
	case s.db.Now().Sub(visit.CreatedAt) > visitAge:
		return answer{}, errVisit
	case p.Kind == SAML:
		return readStoredAnswer(visit, r.Code)
	}
	return s.exchangeCode(ctx, p, visit, r)
}

// exchangeCode exchanges the code that a browser brings and verifies what the
// provider says: who signed it, for whom, when, and that it answers this visit.
func (s *Store) exchangeCode(ctx context.Context, p Provider, visit ProviderVisit, r ProviderAnswer) (answer, error) {
	switch {
	case r.Error == "access_denied":
		return answer{}, queries.Invalid("sso.cancelled")
	case r.Error != "" || r.Code == "":
		return answer{}, answerError(ctx, p, fmt.Errorf("error %q", r.Error))
	case r.Issuer != "" && r.Issuer != p.Issuer: // RFC 9207
		return answer{}, answerError(ctx, p, fmt.Errorf("issuer %q of the response", r.Issuer))
	}
	d, err := s.discover(ctx, p)
	if err != nil {
		return answer{}, err
	}
	secret, err := s.clientSecret(ctx, p)
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := s.toProvider(ctx)
	defer cancel()
	token, err := clientOf(p, d, secret, visit.RedirectURL).Exchange(ctx, r.Code, oauth2.VerifierOption(visit.Verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode < 500 {
		return answer{}, answerError(ctx, p, err)
	}
	if err != nil {
		return answer{}, providerError(ctx, p, err)
	}
	found := answer{}
	found.idToken, _ = token.Extra("id_token").(string)
	verified, err := s.verifyIDToken(ctx, p, d, found.idToken, visit.Nonce)
	if err != nil && strings.Contains(err.Error(), "fetching keys") { // go-oidc has no other sign of it
		return answer{}, providerError(ctx, p, err)
	}
	if err != nil {
		return answer{}, answerError(ctx, p, err)
	}
	found.subject = verified.Subject
	if err := verified.Claims(&found.claims); err != nil {
		return answer{}, answerError(ctx, p, err)
	}
	if found.claims.text("email") == "" && d.UserInfoEndpoint() != "" {
		if err := found.addUserInfo(ctx, d, token); err != nil {
			return answer{}, answerError(ctx, p, err)
		}
	}
	return found, nil
}

// verifyIDToken verifies an ID token as OpenID Connect Core 3.1.3.7 asks.
func (s *Store) verifyIDToken(ctx context.Context, p Provider, d *discovery, raw, nonce string) (*oidc.IDToken, error) {
	now := s.db.Now()
	config := oidc.Config{ClientID: p.ClientID, Now: func() time.Time { return now.Add(-clockSkew) }}
	token, err := d.Verifier(&config).Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	var authorized struct {
		Party string `json:"azp"`
	}
	if err := token.Claims(&authorized); err != nil {
		return nil, err
	}
	switch {
	case token.Nonce != nonce:
		return nil, errors.New("the nonce is not that of the visit")
	case token.IssuedAt.After(now.Add(clockSkew)):
		return nil, fmt.Errorf("issued in the future: %v", token.IssuedAt)
	case authorized.Party != "" && authorized.Party != p.ClientID, authorized.Party == "" && len(token.Audience) > 1:
		return nil, fmt.Errorf("authorized party %q for the audience %q", authorized.Party, token.Audience)
	case token.Subject == "" || len(token.Subject) > 255:
		return nil, errors.New("no subject")
	}
	return token, nil
}

// addUserInfo adds the claims that a provider gives only when it is asked again.
func (a *answer) addUserInfo(ctx context.Context, d *discovery, token *oauth2.Token) error {
	info, err := d.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	if info.Subject != a.subject {
		return errors.New("the user info is about somebody else")
	}
	more := claims{}
	if err := info.Claims(&more); err != nil {
		return err
	}
	for name, value := range more {
		if _, known := a.claims[name]; !known {
			a.claims[name] = value
		}
	}
	return nil
}

// answerError logs why an answer is refused and returns errAnswer.
func answerError(ctx context.Context, p Provider, err error) error {
	slog.WarnContext(ctx, "the answer of a provider of single sign-on is refused", "company", p.CompanyID, "issuer", p.Issuer, "err", cut(err.Error(), 500))
	return fmt.Errorf("%w: %w", errAnswer, err)
}

// claims are what a provider says about somebody, by the names of the claims.
type claims map[string]any

// texts returns the values of a claim that are texts; none for the claim "".
func (c claims) texts(name string) []string {
	switch value := c[name].(type) {
	case string:
		return []string{value}
	case []any:
		var texts []string
		for _, v := range value {
			if text, ok := v.(string); ok {
				texts = append(texts, text)
			}
		}
		return texts
	}
	return nil
}

// text returns the first value of a claim; "" if there is none.
func (c claims) text(name string) string {
	if texts := c.texts(name); len(texts) > 0 {
		return strings.TrimSpace(texts[0])
	}
	return ""
}

// vouchesForEmail reports whether the provider has verified the email, and whether
// the provider is that of its domain. Some providers write true as a text. SAML has no
// word for it: an email that the company's own provider signs is one.
func (c claims) vouchesForEmail(p Provider) bool {
	verified := p.Kind == SAML || c["email_verified"] == true || c["email_verified"] == "true"
	_, domain, _ := strings.Cut(normalEmail(c.text("email")), "@")
	return verified && slices.Contains(p.Domains, domain)
}

// endSessionURL returns where somebody signs out at the provider (OpenID Connect
// RP-Initiated Logout). A long token would make the URL too long.
func (d *discovery) endSessionURL(p Provider, idToken, returnURL string) string {
	u, err := url.Parse(d.endSession)
	if err != nil {
		return ""
	}
	query := u.Query()
	query.Set("client_id", p.ClientID)
	query.Set("post_logout_redirect_uri", returnURL)
	if len(idToken) <= 4000 {
		query.Set("id_token_hint", idToken)
	}
	u.RawQuery = query.Encode()
	return u.String()
}
