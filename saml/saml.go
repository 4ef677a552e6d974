// Package saml has what a service needs for single sign-on in a browser with SAML 2.0:
// the request that sends somebody to their provider, the verification of the response,
// and the metadata of both. Requests are not signed, and encrypted assertions are not
// read.
package saml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"time"
)

// Skew is how much the clock of a provider may differ.
const Skew = 3 * time.Minute

// Namespaces, bindings and other names of the specifications.
const (
	protocolSpace  = "urn:oasis:names:tc:SAML:2.0:protocol"
	assertionSpace = "urn:oasis:names:tc:SAML:2.0:assertion"
	metadataSpace  = "urn:oasis:names:tc:SAML:2.0:metadata"
	signatureSpace = "http://www.w3.org/2000/09/xmldsig#"

	redirectBinding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
	postBinding     = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

	bearer  = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
	success = "urn:oasis:names:tc:SAML:2.0:status:Success"

	persistentID = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
	transientID  = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
	// EmailID is the format of a name identifier that is an email.
	EmailID = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
)

// Service is the side that relies on a provider. ConsumerURL is where browsers bring
// responses to.
type Service struct{ EntityID, ConsumerURL string }

// The limits of a document. Documents within them are read in a few milliseconds.
const (
	maxElements = 5_000
	maxDepth    = 40
)

// checkXML refuses a document that is not well-formed or that nobody sends in good
// faith: with a document type, which may define entities, or with very many or deep
// elements. Comments split a text for some readers, so a message may not have any.
func checkXML(content []byte, withComments bool) error {
	decoder := xml.NewDecoder(bytes.NewReader(content))
	elements, depth := 0, 0
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("not XML: %w", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return errors.New("the document has a document type")
		case xml.Comment:
			if !withComments {
				return errors.New("the document has a comment")
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return errors.New("the document has a processing instruction")
			}
		case xml.StartElement:
			elements++
			depth++
		case xml.EndElement:
			depth--
		}
		if elements > maxElements || depth > maxDepth {
			return errors.New("the document has too many elements")
		}
	}
	if elements == 0 {
		return errors.New("the document is empty")
	}
	return nil
}

// escape returns a text as it is written in an element or attribute.
func escape(text string) string {
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(text)) // a buffer never fails
	return escaped.String()
}
