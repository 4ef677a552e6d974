package identity

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/saml"
)

// storedAnswer is what came of the response of a provider of SAML. Code is the SHA-256
// hash of the code of whoever posted it.
type storedAnswer struct {
	Code    []byte          `json:"code"`
	Subject string          `json:"subject,omitempty"`
	Claims  claims          `json:"claims,omitempty"`
	Refusal queries.Invalid `json:"refusal,omitempty"`
	Detail  string          `json:"detail,omitempty"` // of the refusal, in the words of a program
}

// TakeSAMLResponse verifies the response that a provider of SAML lets a browser post, and
// stores what came of it with the visit. Browsers do not send the cookie of the visit with
// what another site posts, so this cannot know whether it is the browser that was sent
// there, and signs nobody in. It returns a code for the browser that posted the response:
// CompleteSignOn takes the answer only from a browser that has both the cookie and the
// code. Without the code, somebody could begin a visit, let another person's browser post
// that person's response to it, and be signed in as that person. It refuses with
// sso.expired where there is no such visit.
func (s *Store) TakeSAMLResponse(ctx context.Context, relayState, response string) (code string, err error) {
	visit, err := s.visitOfState(ctx, hashToken(relayState))
	if errors.Is(err, queries.NotFound) || err == nil && visit.Answer != nil {
		return "", errVisit
	}
	if err != nil {
		return "", err
	}
	p, err := s.Provider(ctx, ProviderParams{visit.CompanyID, visit.ProviderID})
	if err != nil {
		return "", err
	}
	if p.Kind != SAML {
		return "", errVisit
	}
	found, err := s.verifyResponse(ctx, p, visit, response)
	if err != nil && !isRefusal(err) {
		return "", err
	}
	code = newToken()
	return code, s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		refusal := err
		if refusal == nil {
			used, err := t.insertUsedAssertion(ctx, insertUsedAssertionParams{p.CompanyID, p.Issuer, hashToken(found.ID), found.ValidUntil})
			if err != nil {
				return err
			}
			if used == 0 {
				refusal = answerError(ctx, p, errors.New("the assertion was used before"))
			}
		}
		answer, err := json.Marshal(newStoredAnswer(code, found, refusal))
		if err != nil {
			return err
		}
		n, err := t.setVisitAnswer(ctx, setVisitAnswerParams{answer, visit.CompanyID, visit.State})
		if err == nil && n == 0 {
			return errVisit
		}
		return err
	})
}

func isRefusal(err error) bool {
	var refused queries.Invalid
	return errors.As(err, &refused)
}

// verifyResponse refuses with sso.provider, sso.cancelled or sso.answer.
func (s *Store) verifyResponse(ctx context.Context, p Provider, visit ProviderVisit, response string) (saml.Assertion, error) {
	known, err := s.samlProvider(ctx, p)
	if err != nil {
		return saml.Assertion{}, err
	}
	service := samlService(visit.RedirectURL)
	found, err := service.Verify(known, response, visit.Nonce, s.db.Now())
	if errors.Is(err, saml.ErrKey) && p.MetadataURL != "" {
		if known, err = s.rereadMetadata(ctx, p); err != nil {
			return saml.Assertion{}, err
		}
		found, err = service.Verify(known, response, visit.Nonce, s.db.Now())
	}
	var status saml.StatusError
	if errors.As(err, &status) && status.IsDenial() {
		return found, fmt.Errorf("%w: %w", queries.Invalid("sso.cancelled"), err)
	}
	if err != nil {
		return found, answerError(ctx, p, err)
	}
	return found, nil
}

func newStoredAnswer(code string, a saml.Assertion, err error) storedAnswer {
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return storedAnswer{Code: hashToken(code), Refusal: refused, Detail: cut(err.Error(), 500)}
	}
	return storedAnswer{Code: hashToken(code), Subject: a.Subject, Claims: claimsOf(a)}
}

// readStoredAnswer returns what a provider of SAML says about somebody, which was
// verified when the browser that has the code posted it.
func readStoredAnswer(visit ProviderVisit, code string) (answer, error) {
	var stored storedAnswer
	if visit.Answer == nil {
		return answer{}, errVisit
	}
	if err := json.Unmarshal(visit.Answer, &stored); err != nil {
		return answer{}, err
	}
	if subtle.ConstantTimeCompare(stored.Code, hashToken(code)) != 1 {
		return answer{}, errVisit
	}
	if stored.Refusal != "" {
		return answer{}, fmt.Errorf("%w%s", stored.Refusal, stored.Detail[len(stored.Refusal):])
	}
	return answer{subject: stored.Subject, claims: stored.Claims}, nil
}

// The attributes that are an email or a name at usual providers.
var (
	emailAttributes = []string{
		"email", "mail", "emailAddress", "urn:oid:0.9.2342.19200300.100.1.3", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
	}
	nameAttributes = []string{
		"name", "displayName", "urn:oid:2.16.840.1.113730.3.1.241", "http://schemas.microsoft.com/identity/claims/displayname", "cn", "urn:oid:2.5.4.3",
	}
)

// claimsOf returns the attributes of an assertion as claims, by their names and friendly
// names. The name identifier is the claim sub, and the email if it is one and there is
// no attribute.
func claimsOf(a saml.Assertion) claims {
	c := claims{"sub": a.Subject}
	for _, attribute := range a.Attributes {
		for _, name := range []string{attribute.Name, attribute.FriendlyName} {
			if _, known := c[name]; name == "" || known {
				continue
			}
			c[name] = valueOf(attribute.Values)
		}
	}
	set := func(name string, attributes []string) {
		at := slices.IndexFunc(attributes, func(attribute string) bool { return c.text(attribute) != "" })
		if at >= 0 {
			c[name] = c[attributes[at]]
		}
	}
	set("email", emailAttributes)
	set("name", nameAttributes)
	if c.text("email") == "" && a.SubjectFormat == saml.EmailID {
		c["email"] = a.Subject
	}
	return c
}

// valueOf returns values as a claim has them: one as a text.
func valueOf(values []string) any {
	if len(values) == 1 {
		return values[0]
	}
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = value
	}
	return list
}
