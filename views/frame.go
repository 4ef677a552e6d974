// Package views renders the pages of the console as HTML, in the language of
// the context. What several pages share is in layout, controls and dialogs;
// every page has its own file, named after its noun.
package views

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"officeconsole/locales"
	"officeconsole/queries/identity"

	"github.com/a-h/templ"
)

// Frame is what surrounds a page. Handlers make one for every request.
type Frame struct {
	ProductName string                   // "" is the name of the catalogue
	Version     string                   // of the program, to be read out to customer support
	Asset       func(name string) string // URL of "main.js", "console.css", "favicon.svg"
	Path        string                   // unprefixed, with its query: "/profile?x=1"
	Person      *identity.SignedIn       // nil: nobody is signed in
	Now         time.Time                // in the zone of the person's company
	Toast       string                   // translated, shown once
	Undo        string                   // unprefixed address of a form that takes back what the toast says; "" for none
	Dialog      templ.Component          // a dialog above the page; nil for none
	Corrections int64                    // requests for corrections that wait for the reader, on the lists of attendance
}

// Zone is where the person's company keeps its time.
func (f Frame) Zone() *time.Location { return f.Now.Location() }

func (f Frame) product(ctx context.Context) string {
	if f.ProductName != "" {
		return f.ProductName
	}
	return locales.T(ctx, "frame.product")
}

func (f Frame) title(ctx context.Context, page string) string {
	return page + " · " + f.product(ctx)
}

func (f Frame) pathOnly() string {
	path, _, _ := strings.Cut(f.Path, "?")
	return path
}

// session is what the scripts know of the sign-in (domain §9.4): never a token.
type session struct {
	UserID      int64  `json:"user_id"`
	CompanyID   int64  `json:"company_id"`
	ExpiredAt   string `json:"expired_at"` // RFC 3339
	IdleSeconds int32  `json:"idle_seconds"`
	Locale      string `json:"locale"`
	Prefix      string `json:"prefix"`
}

func (f Frame) session(ctx context.Context) session {
	l := locales.FromContext(ctx)
	return session{
		UserID:      f.Person.ID,
		CompanyID:   f.Person.CompanyID,
		ExpiredAt:   f.Person.ExpiresAt.UTC().Format(time.RFC3339),
		IdleSeconds: f.Person.IdleSeconds,
		Locale:      string(l),
		Prefix:      l.Prefix(),
	}
}

// Link is the address of an unprefixed path of the console in the reader's
// language.
func Link(ctx context.Context, path string) templ.SafeURL {
	return templ.SafeURL(locales.FromContext(ctx).Path(path))
}

// isWeb reports whether an address that somebody entered may become a link.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func imageURL(userID int64, hash string) templ.SafeURL {
	return templ.SafeURL("/images/users/" + strconv.FormatInt(userID, 10) + "?v=" + url.QueryEscape(hash))
}

// Initial stands for a person without a picture.
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "·"
}
