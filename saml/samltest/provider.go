// Package samltest is a provider of SAML 2.0 for tests.
package samltest

import (
	"compress/flate"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// A Provider answers every request at once. Its fields may be changed between answers.
type Provider struct {
	EntityID, SignInURL string
	Keys                []*Key // the published ones, the last of which signs
	Subject, Format     string
	Attributes          map[string][]string
	Now                 func() time.Time

	SignsResponse bool // instead of the assertion
	SignsNothing  bool
	WithoutKey    bool                          // the signature does not name its certificate
	Change        func(response *etree.Element) // changes a response before it is signed; nil for none
	Tamper        func(response *etree.Element) // changes a response after it was signed; nil for none
}

// Key is a key with its certificate.
type Key struct {
	*rsa.PrivateKey
	Certificate []byte
}

// firstKey is the key of every provider at first.
var firstKey = sync.OnceValue(NewKey)

// NewKey returns a key whose certificate is valid from 2000 to 2100.
func NewKey() *Key {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "samltest"},
		NotBefore: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return &Key{key, certificate}
}

// New returns a provider at which somebody with a persistent identifier signs in.
func New(address string, now func() time.Time) *Provider {
	return &Provider{
		EntityID: address + "/metadata", SignInURL: address + "/sign-in", Keys: []*Key{firstKey()},
		Format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent", Attributes: map[string][]string{}, Now: now,
	}
}

// Metadata is what the provider publishes.
func (p *Provider) Metadata() string {
	var keys strings.Builder
	for _, key := range p.Keys {
		fmt.Fprintf(&keys, `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
%s
</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`, base64.StdEncoding.EncodeToString(key.Certificate))
	}
	return fmt.Sprintf(`<?xml version="1.0"?><!-- for tests --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">%s
<md:NameIDFormat>%s</md:NameIDFormat>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%s"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`, p.EntityID, keys.String(), p.Format, p.SignInURL, p.SignInURL)
}

// Respond returns the form that a browser which was sent to the provider brings back.
func (p *Provider) Respond(t testing.TB, address string) url.Values {
	t.Helper()
	sent, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	request := readRequest(t, sent.Query().Get("SAMLRequest"))
	response := p.response(request)
	if p.Change != nil {
		p.Change(response)
	}
	text := write(t, p.sign(t, response))
	if p.Tamper != nil {
		document := etree.NewDocument() // signing leaves elements without their parents
		if err := document.ReadFromBytes(text); err != nil {
			t.Fatal(err)
		}
		p.Tamper(document.Root())
		text = write(t, document.Root())
	}
	return url.Values{"SAMLResponse": {base64.StdEncoding.EncodeToString(text)}, "RelayState": {sent.Query().Get("RelayState")}}
}

func write(t testing.TB, root *etree.Element) []byte {
	t.Helper()
	text, err := etree.NewDocumentWithRoot(root).WriteToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readRequest(t testing.TB, encoded string) *etree.Element {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(string(packed))))
	if err != nil {
		t.Fatal(err)
	}
	document := etree.NewDocument()
	if err := document.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	return document.Root()
}

func (p *Provider) response(request *etree.Element) *etree.Element {
	at := func(after time.Duration) string { return p.Now().Add(after).UTC().Format(time.RFC3339) }
	consumer, id := request.SelectAttrValue("AssertionConsumerServiceURL", ""), request.SelectAttrValue("ID", "")
	var attributes strings.Builder
	for name, values := range p.Attributes {
		fmt.Fprintf(&attributes, `<saml:Attribute Name="%s">`, name)
		for _, value := range values {
			fmt.Fprintf(&attributes, `<saml:AttributeValue>%s</saml:AttributeValue>`, value)
		}
		attributes.WriteString(`</saml:Attribute>`)
	}
	text := fmt.Sprintf(`<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r%s" Version="2.0" IssueInstant="%s" Destination="%s" InResponseTo="%s">
<saml:Issuer>%s</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
<saml:Assertion ID="_a%s" Version="2.0" IssueInstant="%s"><saml:Issuer>%s</saml:Issuer>
<saml:Subject><saml:NameID Format="%s">%s</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="%s" Recipient="%s" NotOnOrAfter="%s"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="%s" NotOnOrAfter="%s"><saml:AudienceRestriction><saml:Audience>%s</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="%s"/>
<saml:AttributeStatement>%s</saml:AttributeStatement>
</saml:Assertion></samlp:Response>`,
		rand.Text(), at(0), consumer, id, p.EntityID, rand.Text(), at(0), p.EntityID, p.Format, p.Subject, id, consumer, at(5*time.Minute),
		at(0), at(5*time.Minute), request.FindElement("./Issuer").Text(), at(0), attributes.String())
	document := etree.NewDocument()
	if err := document.ReadFromString(text); err != nil {
		panic(err)
	}
	return document.Root()
}

// sign returns a response that is signed as the provider does.
func (p *Provider) sign(t testing.TB, response *etree.Element) *etree.Element {
	t.Helper()
	if p.SignsNothing {
		return response
	}
	key := p.Keys[len(p.Keys)-1]
	context, err := dsig.NewSigningContext(key, [][]byte{key.Certificate})
	if err != nil {
		t.Fatal(err)
	}
	context.Canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	if p.SignsResponse {
		return p.withSignature(t, context, response)
	}
	assertion := response.FindElement("./Assertion")
	assertion.CreateAttr("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion")
	response.AddChild(p.withSignature(t, context, assertion))
	response.RemoveChild(assertion)
	return response
}

func (p *Provider) withSignature(t testing.TB, context *dsig.SigningContext, e *etree.Element) *etree.Element {
	t.Helper()
	signed, err := context.SignEnveloped(e)
	if err != nil {
		t.Fatal(err)
	}
	if signature := signed.FindElement("./Signature"); p.WithoutKey {
		signature.RemoveChild(signature.FindElement("./KeyInfo"))
	}
	return signed
}
