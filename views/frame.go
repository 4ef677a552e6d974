// Package views renders the parts that the pages of the console share, and the
// pages that belong to no area, as HTML in the language of the context. The
// pages of an area are in a package of its own.
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

// Frame is what every page needs besides its content. Handlers create one
// for every request.
type Frame struct {
	ProductName string                   // "" means the name in the message catalogue
	Version     string                   // of the program, shown for customer support
	Asset       func(name string) string // URL of "main.js", "console.css", "favicon.svg"
	Path        string                   // without language prefix, with its query: "/profile?x=1"
	Person      *identity.SignedIn       // who is signed in; nil for nobody
	ReplicaLag  time.Duration            // how old what a read replica shows is, 0 if it is the latest
	IsOperator  bool                     // they may see what concerns the whole console
	Apple       bool                     // the keyboard has ⌘ in place of Ctrl
	Now         time.Time                // in the time zone of the person's company
	Toast       string                   // a translated message that is shown once; "" for none
	Undo        string                   // address without language prefix of the form that reverts what the toast reports; "" for none
	Dialog      templ.Component          // open above the page; nil for none
	Corrections int64                    // pending correction requests that the reader may decide, set on attendance lists
}

// Zone is the time zone of the person's company.
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

// isReading reports whether the page is one that people read on any device, as
// opposed to the console, which needs the width of a desktop.
func (f Frame) isReading() bool {
	path := f.pathOnly()
	return !f.Person.IsAdmin || strings.HasPrefix(path, "/profile") || strings.HasPrefix(path, "/notice") || path == SupportPath
}

// session is what scripts need to know about the session (domain §9.4):
// never a token.
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

// Link returns the address of a path of the console in the reader's
// language. The path has no language prefix.
func Link(ctx context.Context, path string) templ.SafeURL {
	return templ.SafeURL(locales.FromContext(ctx).Path(path))
}

// isWeb reports whether an address that a person entered is an http or https
// address, so that it may become a link.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func imageURL(userID int64, hash string) templ.SafeURL {
	return templ.SafeURL("/images/users/" + strconv.FormatInt(userID, 10) + "?v=" + url.QueryEscape(hash))
}

// Initial is the letter shown instead of the picture of a person: the first
// letter or digit of the name, or "·".
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "·"
}
