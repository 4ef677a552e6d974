package views

import (
	"context"
	"encoding/base32"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"

	"github.com/a-h/templ"
	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp/totp"
)

// Addresses without language prefix.
const (
	FactorsPath = "/profile/factors" // the reader's own second factors
	FactorPath  = "/login/factor"    // asks for the second factor of who is signing in
	PasskeyPath = "/login/passkey"   // asks for a passkey instead of a password
	ProofPath   = "/proof"           // asks for a proof of who is signed in
)

// FactorsPage is the content of the page on which people manage their second factors.
type FactorsPage struct {
	Factors  identity.Factors
	App      identity.App
	Passkeys []identity.PasskeyInfo
	Codes    []string // new recovery codes, which are shown this once only

	Site      string // the name by which an app shows the account
	Supported bool   // whether browsers offer passkeys on this site
	Confined  bool   // whether the reader must get a second factor before anything else

	Adding   bool            // the form for a new passkey is open
	Options  json.RawMessage // what the browser needs to create it
	Renaming int64           // the passkey whose form for a new name is open, 0 for none
	Deleting string          // what the page asks about before it is deleted: "app" or the id of a passkey
	Name     string          // as it was typed
	Code     string
	Refused  queries.FieldErrors
	Refusal  string // message id of what is refused as a whole; "" for nothing
}

// FactorForm is the form for the second factor of somebody who is signing in.
type FactorForm struct {
	Email    string
	App      bool            // whether the person has an app
	Codes    bool            // whether the person has recovery codes
	Options  json.RawMessage // what the browser needs to use a passkey; nil without one
	Recovery bool            // asks for a recovery code
	Code     string          // as it was typed
	Error    string
}

// PasskeyForm is the form for signing in with a passkey alone.
type PasskeyForm struct {
	Options     json.RawMessage
	Next, Error string
}

// ProofForm asks somebody who is signed in for a proof. Fields are those of the form
// that is sent once it was given; without any, Next is the page that follows.
type ProofForm struct {
	Action, Next string
	Back         string // where somebody goes who has to sign in again
	Fields       url.Values
	Ways         identity.ProofWays
	Email        string
	Options      json.RawMessage // what the browser needs to use a passkey; nil without one
	Code         string          // as it was typed
	Error        string
}

// hasOneFactor reports whether the recovery codes go with the next factor.
func (p FactorsPage) hasOneFactor() bool {
	return len(p.Passkeys) == 0 || len(p.Passkeys) == 1 && !p.Factors.App
}

func passkeyURL(id int64) string { return FactorsPath + "/passkeys/" + strconv.FormatInt(id, 10) }

// spacedKey writes a key in groups of four letters.
func spacedKey(key string) string {
	var b strings.Builder
	for i, r := range key {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// qrCode is a QR code as the size and the path of an SVG, with the margin that readers
// need.
type qrCode struct{ box, path string }

const qrMargin = 4

// appCode returns the QR code with which an app enrols the account.
func appCode(site, account, secret string) (qrCode, error) {
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		return qrCode{}, err
	}
	enrolment, err := totp.Generate(totp.GenerateOpts{Issuer: site, AccountName: account, Secret: key})
	if err != nil {
		return qrCode{}, err
	}
	image, err := qr.Encode(enrolment.URL(), qr.L, qr.Auto)
	if err != nil {
		return qrCode{}, err
	}
	size := image.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if r, _, _, _ := image.At(x, y).RGBA(); r == 0 {
				path.WriteString("M" + strconv.Itoa(x+qrMargin) + " " + strconv.Itoa(y+qrMargin) + "h1v1h-1z")
			}
		}
	}
	whole := strconv.Itoa(size + 2*qrMargin)
	return qrCode{"0 0 " + whole + " " + whole, path.String()}, nil
}

// codesFile is the address of a text file of recovery codes. It contains them, so that
// the server does not need to know them any more.
func codesFile(ctx context.Context, f Frame, site string, codes []string) templ.SafeURL {
	text := locales.T(ctx, "factor.codes.file", "Site", site, "Email", f.Person.Email, "Date", locales.Date(ctx, f.Now)) + "\n\n" + strings.Join(codes, "\n") + "\n"
	return templ.SafeURL("data:text/plain;charset=utf-8," + url.PathEscape(text))
}

// passkeyUse says when a passkey was created and last used.
func passkeyUse(ctx context.Context, f Frame, p identity.PasskeyInfo) string {
	created := locales.ShortDateTime(ctx, p.CreatedAt.In(f.Zone()), f.Now)
	if p.UsedAt == nil {
		return locales.T(ctx, "factor.created", "Time", created)
	}
	return locales.T(ctx, "factor.created.used", "Time", created, "Used", locales.ShortDateTime(ctx, p.UsedAt.In(f.Zone()), f.Now))
}

func appUse(ctx context.Context, f Frame, app identity.App) string {
	return passkeyUse(ctx, f, identity.PasskeyInfo{CreatedAt: app.ConfirmedAt, UsedAt: app.UsedAt})
}

// lastDay returns the last day before a second factor is needed.
func lastDay(f Frame, due time.Time) time.Time { return due.Add(-time.Second).In(f.Zone()) }

// asksForFactor reports whether the frame asks the reader to get a second factor. The
// page where they get it says so by itself.
func (f Frame) asksForFactor() bool {
	return f.Person.LacksFactor() && f.Now.Before(f.Person.Demand.DueAt)
}

// renamed is what the field for a passkey's new name shows.
func renamed(page FactorsPage, p identity.PasskeyInfo) string {
	if page.Refused != nil {
		return page.Name
	}
	return p.Name
}
