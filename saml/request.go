package saml

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"net/url"
	"time"
)

// RequestURL returns where a browser is sent so that somebody signs in at a provider
// (the redirect binding). id names the request; the provider gives relayState back.
func (s Service) RequestURL(p Provider, id, relayState string, now time.Time) (string, error) {
	address, err := url.Parse(p.SignInURL)
	if err != nil {
		return "", err
	}
	policy := `<samlp:NameIDPolicy AllowCreate="true"/>`
	if p.NameIDFormat != "" {
		policy = fmt.Sprintf(`<samlp:NameIDPolicy AllowCreate="true" Format="%s"/>`, escape(p.NameIDFormat))
	}
	message := fmt.Sprintf(`<samlp:AuthnRequest xmlns:samlp=%q xmlns:saml=%q ID="%s" Version="2.0" IssueInstant="%s" Destination="%s" ProtocolBinding=%q AssertionConsumerServiceURL="%s">`+
		`<saml:Issuer>%s</saml:Issuer>%s</samlp:AuthnRequest>`,
		protocolSpace, assertionSpace, escape(id), now.UTC().Format(time.RFC3339), escape(p.SignInURL), postBinding, escape(s.ConsumerURL), escape(s.EntityID), policy)
	var packed bytes.Buffer
	writer, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := writer.Write([]byte(message)); err != nil {
		return "", err
	}
	if err := writer.Close(); err != nil {
		return "", err
	}
	query := address.Query()
	query.Set("SAMLRequest", base64.StdEncoding.EncodeToString(packed.Bytes()))
	query.Set("RelayState", relayState)
	address.RawQuery = query.Encode()
	return address.String(), nil
}
