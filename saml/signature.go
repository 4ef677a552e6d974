package saml

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// algorithms are the signatures and digests that are accepted. SHA-1 is not.
var algorithms = []string{
	dsig.RSASHA256SignatureMethod, dsig.RSASHA384SignatureMethod, dsig.RSASHA512SignatureMethod,
	dsig.ECDSASHA256SignatureMethod, dsig.ECDSASHA384SignatureMethod, dsig.ECDSASHA512SignatureMethod,
	"http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#sha384", "http://www.w3.org/2001/04/xmlenc#sha512",
}

// ErrKey says that none of the known keys has made a signature.
var ErrKey = errors.New("none of the known keys has signed it")

// verifiedAssertion returns the assertion of a response as it was signed: by itself, or
// with the response around it. It is read from the text that the signature covers, never
// from the one that came.
func verifiedAssertion(root *etree.Element, certificates []*x509.Certificate, now time.Time) (a assertionXML, err error) {
	assertion, err := checkStructure(root)
	if err != nil {
		return a, err
	}
	switch {
	case signatureOf(root) != nil:
		signed, err := verify(root, certificates, now)
		if err != nil {
			return a, fmt.Errorf("signature of the response: %w", err)
		}
		var response responseXML
		if !is(signed, protocolSpace, "Response") {
			return a, errors.New("the signature is not that of a response")
		}
		err = unmarshal(signed, &response)
		return response.Assertion, err
	case signatureOf(assertion) != nil:
		signed, err := verify(assertion, certificates, now)
		if err != nil {
			return a, fmt.Errorf("signature of the assertion: %w", err)
		}
		if !is(signed, assertionSpace, "Assertion") {
			return a, errors.New("the signature is not that of an assertion")
		}
		return a, unmarshal(signed, &a)
	}
	return a, errors.New("neither the response nor the assertion is signed")
}

// checkStructure returns the assertion of a response. It refuses whatever could make a
// signature cover something else than what is read (signature wrapping): a second
// assertion or response at any depth, a signature elsewhere than in the response or its
// assertion, and an id that occurs twice.
func checkStructure(root *etree.Element) (assertion *etree.Element, err error) {
	ids := map[string]bool{}
	for _, e := range append(root.FindElements(".//*"), root) {
		if id := e.SelectAttrValue(dsig.DefaultIdAttr, ""); id != "" {
			if ids[id] {
				return nil, fmt.Errorf("the id %q occurs twice", id)
			}
			ids[id] = true
		}
		switch space := e.NamespaceURI(); {
		case space == assertionSpace && e.Tag == "EncryptedAssertion":
			return nil, errors.New("the assertion is encrypted")
		case space == protocolSpace && e.Tag == "Response" && e != root:
			return nil, errors.New("a response in the response")
		case space == assertionSpace && e.Tag == "Assertion":
			if assertion != nil || e.Parent() != root {
				return nil, errors.New("an assertion elsewhere than in the response")
			}
			assertion = e
		case space == signatureSpace && e.Tag == "Signature":
			if parent := e.Parent(); parent != root && !(is(parent, assertionSpace, "Assertion") && parent.Parent() == root) || signatureOf(e.Parent()) != e {
				return nil, errors.New("a signature elsewhere than in the response or its assertion")
			}
		case space == signatureSpace && (e.Tag == "SignatureMethod" || e.Tag == "DigestMethod"):
			if algorithm := e.SelectAttrValue("Algorithm", ""); !slices.Contains(algorithms, algorithm) {
				return nil, fmt.Errorf("the algorithm %q is not accepted", algorithm)
			}
		}
	}
	if assertion == nil {
		return nil, errors.New("no assertion")
	}
	return assertion, nil
}

// signatureOf returns the signature that an element has; nil without one.
func signatureOf(e *etree.Element) *etree.Element {
	for _, child := range e.ChildElements() {
		if is(child, signatureSpace, "Signature") {
			return child
		}
	}
	return nil
}

// verify returns what the signature of an element covers. Only the known certificates
// count, not the one that the signature names.
func verify(e *etree.Element, certificates []*x509.Certificate, now time.Time) (*etree.Element, error) {
	if e.SelectAttrValue(dsig.DefaultIdAttr, "") == "" {
		return nil, errors.New("no id")
	}
	e, err := detach(e)
	if err != nil {
		return nil, err
	}
	for _, child := range signatureOf(e).ChildElements() {
		if child.Tag == dsig.KeyInfoTag {
			child.Parent().RemoveChild(child)
		}
	}
	var failures []error
	for _, certificate := range certificates {
		context := dsig.ValidationContext{
			CertificateStore: &dsig.MemoryX509CertificateStore{Roots: []*x509.Certificate{certificate}},
			IdAttribute:      dsig.DefaultIdAttr, Clock: dsig.NewFakeClockAt(now),
		}
		signed, err := context.Validate(e)
		if err == nil {
			return signed, nil
		}
		failures = append(failures, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrKey, errors.Join(failures...))
}

// detach returns a copy of an element that declares the namespaces of its ancestors.
func detach(e *etree.Element) (*etree.Element, error) {
	context, err := etreeutils.NSBuildParentContext(e)
	if err != nil {
		return nil, err
	}
	if context, err = context.SubContext(e); err != nil {
		return nil, err
	}
	return etreeutils.NSDetatch(context, e)
}
