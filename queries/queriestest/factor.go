package queriestest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"
	"github.com/pquerna/otp/totp"

	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
)

// Site is the site whose passkeys tests use.
var Site = identity.Site{Name: "Office Console", URL: "https://console.example"}

// Passkey is a passkey on a device, as a browser on the site of Origin uses it.
type Passkey struct {
	Origin        string
	Authenticator virtualwebauthn.Authenticator
	Credential    virtualwebauthn.Credential
}

// wholeKey is the length of a public key whose coordinates have 32 bytes each.
const wholeKey = 77

// NewPasskey returns a passkey that nobody knows yet, for Site. One key of 128 has a
// coordinate with a leading zero, which the library leaves out and devices do not: such
// a key is not taken.
func NewPasskey() *Passkey {
	for {
		credential := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		if len(credential.Key.AttestationData()) == wholeKey {
			return &Passkey{"https://console.example", virtualwebauthn.NewAuthenticator(), credential}
		}
	}
}

func (p *Passkey) site() virtualwebauthn.RelyingParty {
	return virtualwebauthn.RelyingParty{ID: "console.example", Name: "Office Console", Origin: p.Origin}
}

// Create answers what a browser is asked when a passkey is added.
func (p *Passkey) Create(t testing.TB, options json.RawMessage) string {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(string(options))
	if err != nil {
		t.Fatal(err)
	}
	p.Authenticator.Options.UserHandle = []byte(parsed.UserID)
	return virtualwebauthn.CreateAttestationResponse(p.site(), p.Authenticator, p.Credential, *parsed)
}

// Sign answers what a browser is asked when a passkey is used.
func (p *Passkey) Sign(t testing.TB, options json.RawMessage) string {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(string(options))
	if err != nil {
		t.Fatal(err)
	}
	p.Credential.Counter++
	return virtualwebauthn.CreateAssertionResponse(p.site(), p.Authenticator, p.Credential, *parsed)
}

// AppCode returns what an authenticator app with a secret shows at a time.
func AppCode(t testing.TB, secret string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// EnrolApp gives somebody who is signed in an authenticator app. It returns its secret,
// and the recovery codes.
func EnrolApp(t testing.TB, db *areas.Areas, in identity.SignedIn) (secret string, codes []string) {
	t.Helper()
	if err := db.Identity.EnrolApp(t.Context(), in.Person); err != nil {
		t.Fatal(err)
	}
	app, err := db.Identity.App(t.Context(), in.CompanyID, in.ID)
	if err != nil {
		t.Fatal(err)
	}
	codes, err = db.Identity.ConfirmApp(t.Context(), in, identity.Client{UserAgent: "test"}, AppCode(t, app.Secret, db.Now()))
	if err != nil {
		t.Fatal(err)
	}
	return app.Secret, codes
}

// AddPasskey gives somebody who is signed in a passkey.
func AddPasskey(t testing.TB, db *areas.Areas, in identity.SignedIn) *Passkey {
	t.Helper()
	options, err := db.Identity.BeginPasskey(t.Context(), in, Site)
	if err != nil {
		t.Fatal(err)
	}
	passkey := NewPasskey()
	if _, err := db.Identity.AddPasskey(t.Context(), in, identity.Client{UserAgent: "test"}, Site, "휴대폰", passkey.Create(t, options)); err != nil {
		t.Fatal(err)
	}
	return passkey
}
