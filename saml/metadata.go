package saml

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Provider is what a provider says about itself in its metadata.
type Provider struct {
	EntityID            string
	SignInURL           string              // of the redirect binding
	Certificates        []*x509.Certificate // of the keys with which it may sign
	NameIDFormat        string              // to ask for; "" leaves it to the provider
	WantsSignedRequests bool
}

type entityXML struct {
	XMLName    xml.Name
	EntityID   string      `xml:"entityID,attr"`
	ValidUntil time.Time   `xml:"validUntil,attr"`
	Roles      []roleXML   `xml:"urn:oasis:names:tc:SAML:2.0:metadata IDPSSODescriptor"`
	Entities   []entityXML `xml:"urn:oasis:names:tc:SAML:2.0:metadata EntityDescriptor"`
}

type roleXML struct {
	WantsSignedRequests bool     `xml:"WantAuthnRequestsSigned,attr"`
	Keys                []keyXML `xml:"urn:oasis:names:tc:SAML:2.0:metadata KeyDescriptor"`
	NameIDFormats       []string `xml:"urn:oasis:names:tc:SAML:2.0:metadata NameIDFormat"`
	SignIn              []struct {
		Binding  string `xml:"Binding,attr"`
		Location string `xml:"Location,attr"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:metadata SingleSignOnService"`
}

type keyXML struct {
	Use          string   `xml:"use,attr"`
	Certificates []string `xml:"http://www.w3.org/2000/09/xmldsig# KeyInfo>X509Data>X509Certificate"`
}

// ParseMetadata reads the metadata of a provider: an entity that is a provider, or a
// list of entities with one.
func ParseMetadata(content []byte, now time.Time) (Provider, error) {
	if err := checkXML(content, true); err != nil {
		return Provider{}, err
	}
	var root entityXML
	if err := xml.Unmarshal(content, &root); err != nil {
		return Provider{}, fmt.Errorf("metadata: %w", err)
	}
	if root.XMLName.Space != metadataSpace {
		return Provider{}, fmt.Errorf("metadata begins with %q", root.XMLName.Local)
	}
	providers := slices.DeleteFunc(append(root.Entities, root), func(e entityXML) bool { return len(e.Roles) == 0 })
	if len(providers) != 1 || len(providers[0].Roles) != 1 {
		return Provider{}, errors.New("the metadata is not that of one provider")
	}
	for _, until := range []time.Time{root.ValidUntil, providers[0].ValidUntil} {
		if !until.IsZero() && now.After(until.Add(Skew)) {
			return Provider{}, fmt.Errorf("the metadata was valid until %v", until)
		}
	}
	return newProvider(providers[0])
}

func newProvider(e entityXML) (Provider, error) {
	role := e.Roles[0]
	p := Provider{EntityID: strings.TrimSpace(e.EntityID), WantsSignedRequests: role.WantsSignedRequests}
	for _, service := range role.SignIn {
		if service.Binding == redirectBinding && p.SignInURL == "" {
			p.SignInURL = strings.TrimSpace(service.Location)
		}
	}
	for _, format := range []string{persistentID, EmailID} {
		if p.NameIDFormat == "" && slices.ContainsFunc(role.NameIDFormats, func(f string) bool { return strings.TrimSpace(f) == format }) {
			p.NameIDFormat = format
		}
	}
	for _, key := range role.Keys {
		if key.Use != "" && key.Use != "signing" {
			continue
		}
		for _, text := range key.Certificates {
			certificate, err := parseCertificate(text)
			if err != nil {
				return Provider{}, err
			}
			p.Certificates = append(p.Certificates, certificate)
		}
	}
	switch {
	case p.EntityID == "":
		return Provider{}, errors.New("the metadata has no entity id")
	case p.SignInURL == "":
		return Provider{}, errors.New("the provider does not support the redirect binding")
	case len(p.Certificates) == 0:
		return Provider{}, errors.New("the metadata has no certificate of a signing key")
	}
	return p, nil
}

func parseCertificate(text string) (*x509.Certificate, error) {
	content, err := base64.StdEncoding.DecodeString(withoutSpace(text))
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	certificate, err := x509.ParseCertificate(content)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return certificate, nil
}

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

// Metadata returns what ParseMetadata reads of a provider, and nothing else.
func (p Provider) Metadata() string {
	var text strings.Builder
	fmt.Fprintf(&text, "<EntityDescriptor xmlns=%q entityID=\"%s\">\n", metadataSpace, escape(p.EntityID))
	fmt.Fprintf(&text, "  <IDPSSODescriptor protocolSupportEnumeration=%q WantAuthnRequestsSigned=\"%t\">\n", protocolSpace, p.WantsSignedRequests)
	for _, c := range p.Certificates {
		fmt.Fprintf(&text, "    <KeyDescriptor use=\"signing\"><KeyInfo xmlns=%q><X509Data><X509Certificate>%s</X509Certificate></X509Data></KeyInfo></KeyDescriptor>\n",
			signatureSpace, base64.StdEncoding.EncodeToString(c.Raw))
	}
	if p.NameIDFormat != "" {
		fmt.Fprintf(&text, "    <NameIDFormat>%s</NameIDFormat>\n", escape(p.NameIDFormat))
	}
	fmt.Fprintf(&text, "    <SingleSignOnService Binding=%q Location=\"%s\"/>\n", redirectBinding, escape(p.SignInURL))
	text.WriteString("  </IDPSSODescriptor>\n</EntityDescriptor>\n")
	return text.String()
}

// Metadata returns what a provider has to know about the service.
func (s Service) Metadata() string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns=%q entityID="%s">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration=%q>
    <AssertionConsumerService Binding=%q Location="%s" index="0" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>
`, metadataSpace, escape(s.EntityID), protocolSpace, postBinding, escape(s.ConsumerURL))
}
