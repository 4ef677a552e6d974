package saml_test

import (
	"encoding/base64"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"

	"officeconsole/saml"
	"officeconsole/saml/samltest"
)

var (
	service = saml.Service{EntityID: "https://console.example/sso/saml/metadata", ConsumerURL: "https://console.example/sso/saml"}
	noon    = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

func newProvider(t testing.TB) (*samltest.Provider, saml.Provider) {
	t.Helper()
	p := samltest.New("https://id.example", func() time.Time { return noon })
	p.Subject, p.Attributes = "s-2", map[string][]string{"mail": {"employee@hanbit.example"}, "groups": {"연구소", "a &amp; b"}}
	return p, parse(t, p.Metadata())
}

func parse(t testing.TB, metadata string) saml.Provider {
	t.Helper()
	p, err := saml.ParseMetadata([]byte(metadata), noon)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// respond sends somebody to a provider and returns what they bring back.
func respond(t testing.TB, p *samltest.Provider, known saml.Provider) url.Values {
	t.Helper()
	address, err := service.RequestURL(known, "_request", "relay", noon)
	if err != nil {
		t.Fatal(err)
	}
	return p.Respond(t, address)
}

func verify(t testing.TB, p *samltest.Provider, known saml.Provider) (saml.Assertion, error) {
	t.Helper()
	return service.Verify(known, respond(t, p, known).Get("SAMLResponse"), "_request", noon)
}

func TestVerify(t *testing.T) {
	for name, edit := range map[string]func(*samltest.Provider){
		"signed assertion":    func(*samltest.Provider) {},
		"signed response":     func(p *samltest.Provider) { p.SignsResponse = true },
		"unnamed certificate": func(p *samltest.Provider) { p.WithoutKey = true },
		"one of two keys":     func(p *samltest.Provider) { p.Keys = append(p.Keys, samltest.NewKey()) },
		"no destination":      func(p *samltest.Provider) { p.Change = func(r *etree.Element) { r.RemoveAttr("Destination") } },
		"another audience, too": func(p *samltest.Provider) {
			p.Change = func(r *etree.Element) { add(r, "//AudienceRestriction", "saml:Audience", "x") }
		},
		"clock behind, 3 min": func(p *samltest.Provider) { p.Now = func() time.Time { return noon.Add(-8*time.Minute + time.Second) } },
		"clock ahead, 3 min":  func(p *samltest.Provider) { p.Now = func() time.Time { return noon.Add(3 * time.Minute) } },
		"two confirmations":   func(p *samltest.Provider) { p.Change = addForeignConfirmation },
		"issuer with space": func(p *samltest.Provider) {
			p.Change = func(r *etree.Element) { set(r, "./Issuer", "\n https://id.example/metadata ") }
		},
	} {
		p, _ := newProvider(t)
		edit(p)
		a, err := verify(t, p, parse(t, p.Metadata()))
		if err != nil || a.Subject != "s-2" || a.ID == "" || len(a.Attributes) != 2 || a.ValidUntil.Before(noon) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		for _, attribute := range a.Attributes {
			if attribute.Name == "groups" && !reflect.DeepEqual(attribute.Values, []string{"연구소", "a & b"}) {
				t.Errorf("%s: values %q", name, attribute.Values)
			}
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	at := func(after time.Duration) string { return noon.Add(after).Format(time.RFC3339) }
	const data = "//SubjectConfirmationData"
	for name, test := range map[string]struct {
		edit func(*samltest.Provider)
		want string
	}{
		"unsigned":          {func(p *samltest.Provider) { p.SignsNothing = true }, "neither the response nor the assertion is signed"},
		"changed assertion": {tamper(func(r *etree.Element) { set(r, "//NameID", "s-1") }), "signature of the assertion"},
		"changed response": {func(p *samltest.Provider) {
			p.SignsResponse = true
			tamper(func(r *etree.Element) { set(r, "//NameID", "s-1") })(p)
		}, "signature of the response"},
		"another request":      {change(func(r *etree.Element) { r.CreateAttr("InResponseTo", "_other") }), "answers the request"},
		"no request":           {change(func(r *etree.Element) { r.RemoveAttr("InResponseTo") }), "answers the request"},
		"another destination":  {change(func(r *etree.Element) { r.CreateAttr("Destination", "https://other.example") }), "the response is for"},
		"another issuer":       {change(func(r *etree.Element) { set(r, "./Issuer", "https://other.example") }), "issuer"},
		"assertion's issuer":   {change(func(r *etree.Element) { set(r, "./Assertion/Issuer", "https://other.example") }), "issuer"},
		"another audience":     {change(func(r *etree.Element) { set(r, "//Audience", "https://other.example") }), "audience"},
		"no audience":          {change(remove("//AudienceRestriction")), "no audience"},
		"no conditions":        {change(remove("//Conditions")), "no audience"},
		"two restrictions":     {change(addForeignRestriction), "audience"},
		"another recipient":    {change(attribute(data, "Recipient", "https://other.example")), "no confirmation"},
		"assertion's request":  {change(attribute(data, "InResponseTo", "_other")), "no confirmation"},
		"not a bearer":         {change(attribute("//SubjectConfirmation", "Method", "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches")), "no confirmation"},
		"confirmation expired": {change(attribute(data, "NotOnOrAfter", at(-3*time.Minute))), "no confirmation"},
		"confirmation forever": {change(func(r *etree.Element) { r.FindElement(data).RemoveAttr("NotOnOrAfter") }), "no confirmation"},
		"confirmation early":   {change(attribute(data, "NotBefore", at(3*time.Minute+time.Second))), "no confirmation"},
		"no confirmation":      {change(remove("//SubjectConfirmation")), "no confirmation"},
		"no subject":           {change(remove("//Subject")), "no name identifier"},
		"expired":              {change(attribute("//Conditions", "NotOnOrAfter", at(-3*time.Minute))), "valid until"},
		"not yet":              {change(attribute("//Conditions", "NotBefore", at(3*time.Minute+time.Second))), "valid from"},
		"strange time":         {change(attribute("//Conditions", "NotBefore", "yesterday")), "cannot read"},
		"transient":            {func(p *samltest.Provider) { p.Format = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }, "transient"},
		"empty subject":        {func(p *samltest.Provider) { p.Subject = " " }, "no name identifier"},
		"long subject":         {func(p *samltest.Provider) { p.Subject = strings.Repeat("x", 256) }, "no name identifier"},
		"nobody signed in":     {change(remove("//AuthnStatement")), "signed in"},
		"version":              {change(func(r *etree.Element) { r.CreateAttr("Version", "1.1") }), "version"},
		"encrypted":            {change(func(r *etree.Element) { r.FindElement("./Assertion").Tag = "EncryptedAssertion" }), ""},
		"no assertion":         {change(func(r *etree.Element) { r.FindElement("./Assertion").Tag = "Advice" }), ""},
	} {
		p, known := newProvider(t)
		p.SignsNothing = name == "encrypted" || name == "no assertion" // without an assertion there is nothing to sign
		test.edit(p)
		if a, err := verify(t, p, known); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	p, known := newProvider(t)
	p.Keys = []*samltest.Key{samltest.NewKey()}
	if _, err := verify(t, p, known); !errors.Is(err, saml.ErrKey) || !strings.Contains(err.Error(), "signature of the assertion") {
		t.Errorf("signed with another key: %v", err)
	}
}

// The variants of signature wrapping: the signed assertion is somewhere, and another
// one is where it would be read.
func TestSignatureWrapping(t *testing.T) {
	evil := func(r *etree.Element) (signed, forged *etree.Element) {
		signed = r.FindElement("./Assertion")
		if signed == nil {
			return nil, nil
		}
		forged = signed.Copy()
		set(forged, "//NameID", "s-1")
		forged.CreateAttr("ID", "_forged")
		if s := forged.FindElement("./Signature"); s != nil {
			forged.RemoveChild(s)
		}
		return signed, forged
	}
	for name, wrap := range map[string]func(r *etree.Element){
		"forged before the signed one":    func(r *etree.Element) { _, f := evil(r); r.InsertChildAt(0, f) },
		"forged after the signed one":     func(r *etree.Element) { _, f := evil(r); r.AddChild(f) },
		"signed one inside of the forged": func(r *etree.Element) { s, f := evil(r); r.RemoveChild(s); f.AddChild(s); r.AddChild(f) },
		"forged one inside of the signed": func(r *etree.Element) { s, f := evil(r); s.AddChild(f) },
		"signed one in an extension": func(r *etree.Element) {
			s, f := evil(r)
			r.RemoveChild(s)
			r.CreateElement("samlp:Extensions").AddChild(s)
			r.AddChild(f)
		},
		"signed one in an object": func(r *etree.Element) { s, f := evil(r); wrapInObject(r, s, f) },
		"signature of the signed at forged": func(r *etree.Element) {
			s, f := evil(r)
			f.AddChild(s.FindElement("./Signature").Copy())
			r.RemoveChild(s)
			r.AddChild(f)
		},
		"the same id": func(r *etree.Element) {
			s, f := evil(r)
			f.CreateAttr("ID", s.SelectAttrValue("ID", ""))
			f.AddChild(s.FindElement("./Signature").Copy())
			r.RemoveChild(s)
			r.AddChild(f)
		},
		"signature beside the forged": func(r *etree.Element) {
			s, f := evil(r)
			r.AddChild(s.FindElement("./Signature").Copy())
			r.RemoveChild(s)
			r.AddChild(f)
		},
	} {
		p, known := newProvider(t)
		p.Tamper = wrap
		if a, err := verify(t, p, known); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	// A signed response inside of a forged one.
	p, known := newProvider(t)
	p.SignsResponse = true
	p.Tamper = func(r *etree.Element) {
		original := r.Copy()
		set(r, "//NameID", "s-1")
		r.CreateAttr("ID", "_forged")
		r.FindElement("./Signature").CreateElement("ds:Object").AddChild(original)
	}
	if a, err := verify(t, p, known); err == nil {
		t.Errorf("a response in a response: %+v", a)
	}
}

func wrapInObject(r, signed, forged *etree.Element) {
	signature := signed.FindElement("./Signature")
	r.RemoveChild(signed)
	signed.RemoveChild(signature)
	forged.AddChild(signature)
	signature.CreateElement("ds:Object").AddChild(signed)
	r.AddChild(forged)
}

func TestDangerousDocuments(t *testing.T) {
	p, known := newProvider(t)
	for name, test := range map[string]struct {
		change func(text string) string
		want   string
	}{
		"comment in the name":    {func(s string) string { return strings.Replace(s, ">s-2<", ">s-2<!-- x -->.evil<", 1) }, "comment"},
		"entities":               {func(s string) string { return `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + s }, "document type"},
		"undefined entity":       {func(s string) string { return strings.Replace(s, ">s-2<", ">&b;<", 1) }, "not XML"},
		"processing instruction": {func(s string) string { return `<?php x?>` + s }, "processing instruction"},
		"deep":                   {func(string) string { return strings.Repeat("<a>", 100_000) }, "too many"},
		"wide":                   {func(string) string { return "<a>" + strings.Repeat("<b/>", 100_000) + "</a>" }, "too many"},
		"broken":                 {func(s string) string { return s[:len(s)/2] }, "not XML"},
		"empty":                  {func(string) string { return "" }, "empty"},
		"another document":       {func(string) string { return "<a/>" }, "not a response"},
		"unknown encoding":       {func(s string) string { return `<?xml version="1.0" encoding="euc-kr"?>` + s }, ""},
	} {
		text, err := base64.StdEncoding.DecodeString(respond(t, p, known).Get("SAMLResponse"))
		if err != nil {
			t.Fatal(err)
		}
		response := base64.StdEncoding.EncodeToString([]byte(test.change(string(text))))
		if _, err := service.Verify(known, response, "_request", noon); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := service.Verify(known, "!", "_request", noon); err == nil {
		t.Error("not base64")
	}
}

// SHA-1 can be forged.
func TestWeakAlgorithms(t *testing.T) {
	for _, method := range []string{"SignatureMethod", "DigestMethod"} {
		p, known := newProvider(t)
		p.Tamper = func(r *etree.Element) {
			r.FindElement("//"+method).CreateAttr("Algorithm", "http://www.w3.org/2000/09/xmldsig#sha1")
		}
		if _, err := verify(t, p, known); err == nil || !strings.Contains(err.Error(), "is not accepted") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func TestStatus(t *testing.T) {
	p, known := newProvider(t)
	p.SignsNothing = true
	p.Change = func(r *etree.Element) {
		remove("./Assertion")(r)
		code := r.FindElement("//StatusCode")
		code.CreateAttr("Value", "urn:oasis:names:tc:SAML:2.0:status:Responder")
		code.CreateElement("samlp:StatusCode").CreateAttr("Value", "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed")
	}
	_, err := verify(t, p, known)
	var status saml.StatusError
	if !errors.As(err, &status) || !status.IsDenial() || len(status.Codes) != 2 {
		t.Errorf("%v", err)
	}
	if (saml.StatusError{Codes: []string{"urn:oasis:names:tc:SAML:2.0:status:Responder"}}).IsDenial() {
		t.Error("a failure of the provider is no denial")
	}
}

func TestMetadata(t *testing.T) {
	p, known := newProvider(t)
	if known.EntityID != "https://id.example/metadata" || known.SignInURL != "https://id.example/sign-in" || len(known.Certificates) != 1 || known.NameIDFormat != p.Format {
		t.Errorf("%+v", known)
	}
	if again := parse(t, known.Metadata()); !reflect.DeepEqual(again, known) {
		t.Errorf("%+v, want %+v", again, known)
	}
	if list := parse(t, `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">`+known.Metadata()+service.Metadata()[39:]+`</EntitiesDescriptor>`); !reflect.DeepEqual(list, known) {
		t.Errorf("of a list: %+v", list)
	}
	for name, text := range map[string]string{
		"of a service":      service.Metadata(),
		"of two providers":  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">` + known.Metadata() + known.Metadata() + `</EntitiesDescriptor>`,
		"expired":           strings.Replace(known.Metadata(), " entityID", ` validUntil="2026-11-20T11:00:00Z" entityID`, 1),
		"without a key":     strings.ReplaceAll(known.Metadata(), "signing", "encryption"),
		"broken key":        strings.Replace(known.Metadata(), "<X509Certificate>", "<X509Certificate>x", 1),
		"without an id":     strings.Replace(known.Metadata(), known.EntityID, "", 1),
		"another binding":   strings.Replace(known.Metadata(), "HTTP-Redirect", "SOAP", 1),
		"another namespace": strings.ReplaceAll(known.Metadata(), "tc:SAML:2.0:metadata", "tc:SAML:1.0:metadata"),
		"HTML":              "<html><body></body></html>",
		"nothing":           "",
		"entities":          `<!DOCTYPE x [<!ENTITY a "b">]>` + known.Metadata(),
	} {
		if p, err := saml.ParseMetadata([]byte(text), noon); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestRequestURL(t *testing.T) {
	_, known := newProvider(t)
	known.SignInURL = `https://id.example/sign-in?tenant="1"&x=2`
	address, err := service.RequestURL(known, "_request", "a&b", noon)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if query := sent.Query(); query.Get("tenant") != `"1"` || query.Get("x") != "2" || query.Get("RelayState") != "a&b" || query.Get("SAMLRequest") == "" {
		t.Errorf("sent to %s", address)
	}
}

// FuzzVerify never panics, and never accepts what nobody signed.
func FuzzVerify(f *testing.F) {
	p, known := newProvider(f)
	p.SignsNothing = true
	text, _ := base64.StdEncoding.DecodeString(respond(f, p, known).Get("SAMLResponse"))
	f.Add(text)
	f.Fuzz(func(t *testing.T, content []byte) {
		if a, err := service.Verify(known, base64.StdEncoding.EncodeToString(content), "_request", noon); err == nil {
			t.Errorf("accepted %+v", a)
		}
	})
}

func tamper(do func(*etree.Element)) func(*samltest.Provider) {
	return func(p *samltest.Provider) { p.Tamper = do }
}

func change(do func(*etree.Element)) func(*samltest.Provider) {
	return func(p *samltest.Provider) { p.Change = do }
}

func set(r *etree.Element, path, text string) { r.FindElement(path).SetText(text) }

func add(r *etree.Element, path, tag, text string) {
	r.FindElement(path).CreateElement(tag).SetText(text)
}

func attribute(path, name, value string) func(*etree.Element) {
	return func(r *etree.Element) { r.FindElement(path).CreateAttr(name, value) }
}

func remove(path string) func(*etree.Element) {
	return func(r *etree.Element) {
		e := r.FindElement(path)
		e.Parent().RemoveChild(e)
	}
}

func addForeignRestriction(r *etree.Element) {
	r.FindElement("//Conditions").CreateElement("saml:AudienceRestriction").CreateElement("saml:Audience").SetText("https://other.example")
}

func addForeignConfirmation(r *etree.Element) {
	first := r.FindElement("//SubjectConfirmation")
	other := first.Copy()
	other.FindElement("./SubjectConfirmationData").CreateAttr("Recipient", "https://other.example")
	first.Parent().InsertChildAt(0, other)
}
