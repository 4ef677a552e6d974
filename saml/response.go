package saml

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"
)

// Assertion is what a provider says about somebody, after everything was verified.
type Assertion struct {
	ID            string
	Subject       string // the name identifier
	SubjectFormat string
	ValidUntil    time.Time // after which nobody accepts it
	Attributes    []Attribute
}

// Attribute is an attribute of a person.
type Attribute struct {
	Name, FriendlyName string
	Values             []string
}

// A StatusError says that a provider has not signed somebody in. Codes are its status
// codes, the outer one first.
type StatusError struct{ Codes []string }

func (e StatusError) Error() string { return "status " + strings.Join(e.Codes, ", ") }

// IsDenial reports whether somebody did not want to sign in, or could not.
func (e StatusError) IsDenial() bool {
	return slices.ContainsFunc(e.Codes, func(code string) bool {
		return strings.HasSuffix(code, ":AuthnFailed") || strings.HasSuffix(code, ":RequestDenied")
	})
}

type responseXML struct {
	Version      string       `xml:"Version,attr"`
	Destination  string       `xml:"Destination,attr"`
	InResponseTo string       `xml:"InResponseTo,attr"`
	Issuer       string       `xml:"urn:oasis:names:tc:SAML:2.0:assertion Issuer"`
	Status       statusXML    `xml:"urn:oasis:names:tc:SAML:2.0:protocol Status>StatusCode"`
	Assertion    assertionXML `xml:"urn:oasis:names:tc:SAML:2.0:assertion Assertion"`
}

type statusXML struct {
	Value string     `xml:"Value,attr"`
	Inner *statusXML `xml:"urn:oasis:names:tc:SAML:2.0:protocol StatusCode"`
}

type assertionXML struct {
	ID      string `xml:"ID,attr"`
	Version string `xml:"Version,attr"`
	Issuer  string `xml:"urn:oasis:names:tc:SAML:2.0:assertion Issuer"`
	Subject struct {
		NameID struct {
			Format string `xml:"Format,attr"`
			Value  string `xml:",chardata"`
		} `xml:"urn:oasis:names:tc:SAML:2.0:assertion NameID"`
		Confirmations []confirmationXML `xml:"urn:oasis:names:tc:SAML:2.0:assertion SubjectConfirmation"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion Subject"`
	Conditions struct {
		NotBefore    time.Time `xml:"NotBefore,attr"`
		NotOnOrAfter time.Time `xml:"NotOnOrAfter,attr"`
		Restrictions []struct {
			Audiences []string `xml:"urn:oasis:names:tc:SAML:2.0:assertion Audience"`
		} `xml:"urn:oasis:names:tc:SAML:2.0:assertion AudienceRestriction"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion Conditions"`
	SignIns    []struct{}     `xml:"urn:oasis:names:tc:SAML:2.0:assertion AuthnStatement"`
	Attributes []attributeXML `xml:"urn:oasis:names:tc:SAML:2.0:assertion AttributeStatement>Attribute"`
}

type confirmationXML struct {
	Method string `xml:"Method,attr"`
	Data   struct {
		NotBefore    time.Time `xml:"NotBefore,attr"`
		NotOnOrAfter time.Time `xml:"NotOnOrAfter,attr"`
		Recipient    string    `xml:"Recipient,attr"`
		InResponseTo string    `xml:"InResponseTo,attr"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion SubjectConfirmationData"`
}

type attributeXML struct {
	Name         string   `xml:"Name,attr"`
	FriendlyName string   `xml:"FriendlyName,attr"`
	Values       []string `xml:"urn:oasis:names:tc:SAML:2.0:assertion AttributeValue"`
}

// Verify reads a response as a browser brings it, in base64, and verifies it as the
// profile for browsers asks (SAML profiles 4.1.4): that the provider has signed it, for
// this service, for the request, and that it is valid now. A response of a provider
// that has not signed somebody in is a StatusError.
func (s Service) Verify(p Provider, encoded, requestID string, now time.Time) (Assertion, error) {
	content, err := base64.StdEncoding.DecodeString(withoutSpace(encoded))
	if err != nil {
		return Assertion{}, fmt.Errorf("not base64: %w", err)
	}
	if err := checkXML(content, false); err != nil {
		return Assertion{}, err
	}
	document := etree.NewDocument()
	if err := document.ReadFromBytes(content); err != nil {
		return Assertion{}, fmt.Errorf("not XML: %w", err)
	}
	root := document.Root()
	if !is(root, protocolSpace, "Response") {
		return Assertion{}, errors.New("not a response")
	}
	var response responseXML
	if err := unmarshal(root, &response); err != nil {
		return Assertion{}, err
	}
	if err := s.checkResponse(response, p, requestID); err != nil {
		return Assertion{}, err
	}
	assertion, err := verifiedAssertion(root, p.Certificates, now)
	if err != nil {
		return Assertion{}, err
	}
	if err := s.checkAssertion(assertion, p, requestID, now); err != nil {
		return Assertion{}, err
	}
	return newAssertion(assertion), nil
}

// checkResponse checks what is around an assertion. It may be unsigned, so nothing
// depends on it alone.
func (s Service) checkResponse(r responseXML, p Provider, requestID string) error {
	switch {
	case r.Version != "2.0":
		return fmt.Errorf("version %q", r.Version)
	case r.Destination != "" && r.Destination != s.ConsumerURL:
		return fmt.Errorf("the response is for %q", r.Destination)
	case r.InResponseTo != requestID:
		return fmt.Errorf("the response answers the request %q", r.InResponseTo)
	case r.Issuer != "" && strings.TrimSpace(r.Issuer) != p.EntityID:
		return fmt.Errorf("issuer %q of the response", r.Issuer)
	case r.Status.Value != success:
		var codes []string
		for status := &r.Status; status != nil; status = status.Inner {
			codes = append(codes, status.Value)
		}
		return StatusError{codes}
	}
	return nil
}

func (s Service) checkAssertion(a assertionXML, p Provider, requestID string, now time.Time) error {
	name := a.Subject.NameID
	switch {
	case a.Version != "2.0" || a.ID == "":
		return errors.New("not an assertion of SAML 2.0")
	case strings.TrimSpace(a.Issuer) != p.EntityID:
		return fmt.Errorf("issuer %q", a.Issuer)
	case strings.TrimSpace(name.Value) == "" || len(name.Value) > 255:
		return errors.New("no name identifier")
	case name.Format == transientID:
		return errors.New("the name identifier is another one each time (transient)")
	case len(a.SignIns) == 0:
		return errors.New("the assertion does not say that somebody signed in")
	case now.Before(a.Conditions.NotBefore.Add(-Skew)):
		return fmt.Errorf("valid from %v", a.Conditions.NotBefore)
	case !a.Conditions.NotOnOrAfter.IsZero() && !now.Before(a.Conditions.NotOnOrAfter.Add(Skew)):
		return fmt.Errorf("valid until %v", a.Conditions.NotOnOrAfter)
	case len(a.Conditions.Restrictions) == 0:
		return errors.New("no audience")
	}
	for _, r := range a.Conditions.Restrictions {
		if !slices.ContainsFunc(r.Audiences, func(audience string) bool { return strings.TrimSpace(audience) == s.EntityID }) {
			return fmt.Errorf("the audience is %q", r.Audiences)
		}
	}
	if !slices.ContainsFunc(a.Subject.Confirmations, func(c confirmationXML) bool { return s.confirms(c, requestID, now) }) {
		return fmt.Errorf("no confirmation for the request, the recipient and this time: %+v", a.Subject.Confirmations)
	}
	return nil
}

// confirms reports whether whoever brings an assertion is the one whom it is about.
func (s Service) confirms(c confirmationXML, requestID string, now time.Time) bool {
	return c.Method == bearer && c.Data.Recipient == s.ConsumerURL && c.Data.InResponseTo == requestID &&
		now.Before(c.Data.NotOnOrAfter.Add(Skew)) && !now.Before(c.Data.NotBefore.Add(-Skew))
}

func newAssertion(a assertionXML) Assertion {
	found := Assertion{ID: a.ID, Subject: strings.TrimSpace(a.Subject.NameID.Value), SubjectFormat: a.Subject.NameID.Format}
	for _, c := range a.Subject.Confirmations {
		if until := c.Data.NotOnOrAfter.Add(Skew); until.After(found.ValidUntil) {
			found.ValidUntil = until
		}
	}
	for _, attribute := range a.Attributes {
		one := Attribute{Name: attribute.Name, FriendlyName: attribute.FriendlyName}
		for _, value := range attribute.Values {
			if value = strings.TrimSpace(value); value != "" {
				one.Values = append(one.Values, value)
			}
		}
		found.Attributes = append(found.Attributes, one)
	}
	return found
}

func is(e *etree.Element, space, tag string) bool {
	return e != nil && e.Tag == tag && e.NamespaceURI() == space
}

func unmarshal(e *etree.Element, into any) error {
	content, err := etree.NewDocumentWithRoot(e.Copy()).WriteToBytes()
	if err != nil {
		return err
	}
	if err := xml.Unmarshal(content, into); err != nil {
		return fmt.Errorf("cannot read the response: %w", err)
	}
	return nil
}
