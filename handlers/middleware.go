package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/zstd"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/notice"
	"officeconsole/queries/replica"
	"officeconsole/traffic"
	attendanceviews "officeconsole/views/attendance"
	noticeviews "officeconsole/views/notice"
)

// maxBody is the maximum size of a form in bytes, maxFormWithFiles that of a form
// with files, and maxNoticeForm that of a notice whose files come with its form,
// as they do without scripts. It is more than any file of a form may have, so
// that a larger file is refused beside its field.
const (
	maxBody          = 1 << 20
	maxFormWithFiles = 16 << 20
	maxNoticeForm    = (notice.MaxAttachments + 1) * notice.MaxFileBytes
)

func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit := int64(maxBody)
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
			limit = maxFormWithFiles
			if strings.HasPrefix(r.URL.Path, noticeviews.Path) {
				limit = maxNoticeForm
			}
			if r.URL.Path == attendanceviews.ImportsPath {
				limit = maxImportForm
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		next.ServeHTTP(w, r)
	})
}

// compress compresses responses, by Zstandard for browsers that accept it. Level 1 of
// gzip costs a few percent of the request rate, its default level a quarter of it. The
// default level of Zstandard takes a fourth more time than its fastest one, and a
// twentieth to a tenth fewer bytes.
func compress(next http.Handler) http.Handler {
	zstdLevel := gzhttp.ZstdCompressionLevel(int(zstd.SpeedDefault))
	wrap, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(1), zstdLevel, gzhttp.MinSize(1024))
	if err != nil {
		panic(err) // the options above are constants
	}
	return wrap(next)
}

// protect refuses cross-site form requests and sets the security headers.
func (h *handlers) protect(next http.Handler) http.Handler {
	policy := contentPolicy()
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.AddInsecureBypassPattern("POST " + identity.SAMLPath) // see takeSAMLResponse
	crossOrigin.SetDenyHandler(h.refuseCrossSite())
	next = crossOrigin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		if !strings.HasPrefix(r.URL.Path, "/static/") { // a script or a stylesheet has the policies of its page
			header.Set("Content-Security-Policy", policy)
			header.Set("Referrer-Policy", "same-origin")
		}
		if h.Secure {
			header.Set("Strict-Transport-Security", "max-age="+strconv.Itoa(oneYear)+"; includeSubDomains")
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
			header.Set("Cross-Origin-Resource-Policy", "same-origin")
		}
		next.ServeHTTP(w, r)
	})
}

// refuseCrossSite answers a request that another site sent: one of the API as the API
// does, any other one with a page.
func (h *handlers) refuseCrossSite() http.Handler {
	page := h.localize(h.page(func(http.ResponseWriter, *http.Request) error { return errCrossSite }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/scim/") {
			page.ServeHTTP(w, r)
			return
		}
		status, message := explain(r, errCrossSite)
		answerCall(w, r, status, message)
	})
}

// answerCall answers a call with an error that is found before the API has it.
func answerCall(w http.ResponseWriter, r *http.Request, status int, message string) {
	w.Header().Add("Vary", "Accept-Language")
	answerJSON(w, status, problem{locales.Detect(r.Header.Get("Accept-Language")).T(message), message})
}

// contentPolicy returns a Content-Security-Policy that allows the console's own
// resources, and images of maps from the given origins. A script may ask there, too, why
// an image was refused.
func contentPolicy(maps ...string) string {
	images, connections := strings.Join(append([]string{"'self'", "data:"}, maps...), " "), strings.Join(append([]string{"'self'"}, maps...), " ")
	return "default-src 'self'; img-src " + images + "; connect-src " + connections + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// allowMaps lets a document load the company's map tiles. Pages are swapped
// into an existing document, so its policy must hold for every page that can
// follow.
func allowMaps(w http.ResponseWriter, licenses directory.MapLicenses) {
	w.Header().Set("Content-Security-Policy", contentPolicy(attendanceviews.TileOrigins(licenses)...))
}

// headAsGet answers HEAD like GET; the server omits the body. isHead tells them apart.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
			r = r.WithContext(context.WithValue(r.Context(), headKey{}, true))
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

type headKey struct{}

// isHead reports whether a request only asks what the answer would be, as programs do that
// check links.
func isHead(r *http.Request) bool { return r.Context().Value(headKey{}) != nil }

// localize removes the language from the path. A visitor without a language
// cookie whose browser prefers English or Japanese is redirected to that
// language; with the cookie only the home page redirects (contract, "Pages").
func (h *handlers) localize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		locale, path := locales.SplitPath(r.URL.Path)
		w.Header().Add("Vary", "Accept-Language, Cookie")
		if wanted := h.wantedLocale(r); r.Method == http.MethodGet && !fromScript(r) && path == r.URL.Path && wanted != locale && isPage(path) {
			http.Redirect(w, r, wanted.Path(r.URL.RequestURI()), http.StatusFound)
			return
		}
		inner := r.Clone(locales.NewContext(r.Context(), locale))
		inner.URL.Path, inner.URL.RawPath = path, ""
		next.ServeHTTP(w, inner)
	})
}

func (h *handlers) wantedLocale(r *http.Request) locales.Locale {
	chosen, ok := h.chosenLocale(r)
	switch {
	case !ok:
		return locales.Detect(r.Header.Get("Accept-Language"))
	case r.URL.Path == "/":
		return chosen
	}
	return locales.Korean
}

// chosenLocale returns the language of the cookie, or false without a valid
// one.
func (h *handlers) chosenLocale(r *http.Request) (locales.Locale, bool) {
	cookie, err := r.Cookie(h.cookieName(localeCookie))
	if err != nil {
		return locales.Korean, false
	}
	return locales.Parse(cookie.Value)
}

// isPage reports whether a path is a page, which has a language.
func isPage(path string) bool {
	return path != "/session" && path != identity.SAMLPath+"/metadata" && !strings.HasPrefix(path, "/images/")
}

// signedIn returns who is signed in, or false if nobody is.
func signedIn(r *http.Request) (identity.SignedIn, bool) {
	return identity.SignedInFrom(r.Context())
}

// person returns who is signed in. It requires the middleware requireSignIn.
func person(r *http.Request) identity.SignedIn {
	p, _ := signedIn(r)
	return p
}

// recognize finds the user of the session and records their activity.
func (h *handlers) recognize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		signInID := h.sessions.GetInt64(ctx, "sign_in")
		if signInID == 0 {
			next.ServeHTTP(w, r)
			return
		}
		p, err := h.sessionUser(ctx, h.sessions.GetInt64(ctx, "company"), signInID)
		if err == nil && isOfAnother(r, p) {
			next.ServeHTTP(w, r)
			return
		}
		switch {
		case err != nil:
		case passive(r):
			err = h.db.Identity.CheckAdmission(ctx, p, address(r))
		default:
			err = h.db.Identity.NoteActivity(ctx, p, address(r))
		}
		if errors.Is(err, queries.NotFound) {
			if err := h.sessions.Destroy(ctx); err != nil {
				h.fail(w, r, err)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if err != nil {
			h.fail(w, r, err)
			return
		}
		traffic.NoteCaller(ctx, traffic.Caller{CompanyID: p.CompanyID, UserID: p.ID})
		if !fromScript(r) {
			allowMaps(w, p.MapLicenses)
		}
		ctx = replica.WithUser(ctx, replica.User{CompanyID: p.CompanyID, ID: p.ID})
		next.ServeHTTP(w, r.WithContext(attendance.RememberScope(identity.WithSignedIn(ctx, p))))
	})
}

// isOfAnother reports whether a page of another person sends the request: somebody else
// has signed in with the browser since it was loaded. Nobody is signed in for that page.
func isOfAnother(r *http.Request, p identity.SignedIn) bool {
	of := r.Header.Get("Console-Person")
	return of != "" && of != fmt.Sprintf("%d/%d", p.CompanyID, p.ID)
}

// passive reports whether a page sends the request on its own, which does not
// count as activity.
func passive(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == "/session" || isPrefetch(r)
}

// fromReplica lets the statements of a page that only shows a list read from a replica of
// the database.
func (h *handlers) fromReplica(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(h.db.ReadFromReplica(r.Context())))
	})
}

const employeeHome = "/logs/workingattitude/day"

// requireSignIn redirects visitors who are not signed in to the sign-in page; a
// script gets the status statusEnded.
func (h *handlers) requireSignIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, ok := signedIn(r)
		switch {
		case ok:
			next.ServeHTTP(w, r)
		case fromScript(r):
			h.fail(w, r, errEnded)
		default:
			h.page(toLogin)(w, r)
		}
	})
}

// redirectEmployees redirects users who are not administrators to their
// attendance log.
func (h *handlers) redirectEmployees(next http.Handler) http.Handler {
	return h.redirectIf(employeeHome, func(r *http.Request) bool {
		p, ok := signedIn(r)
		return ok && !p.IsAdmin
	}, next)
}

// redirectSignedIn redirects users who are signed in to the home page.
func (h *handlers) redirectSignedIn(next http.Handler) http.Handler {
	return h.redirectIf("/", func(r *http.Request) bool {
		_, ok := signedIn(r)
		return ok
	}, next)
}

func (h *handlers) redirectIf(path string, applies func(*http.Request) bool, next http.Handler) http.Handler {
	return h.page(func(w http.ResponseWriter, r *http.Request) error {
		if applies(r) {
			return redirect(w, r, path)
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// clientAddress sets RemoteAddr to the visitor's address if trusted reverse
// proxies report it: the last address in X-Forwarded-For that is not a proxy's.
// The header is ignored if the request does not come from a trusted proxy.
func clientAddress(proxies []netip.Prefix) func(http.Handler) http.Handler {
	trusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			from := address(r)
			hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
			for i := len(hops) - 1; i >= 0 && trusted(from); i-- {
				hop, err := parseHop(strings.TrimSpace(hops[i]))
				if err != nil {
					break
				}
				from = hop.Unmap().WithZone("")
			}
			r.RemoteAddr = netip.AddrPortFrom(from, 0).String()
			next.ServeHTTP(w, r)
		})
	}
}

// parseHop reads an address of X-Forwarded-For, where some proxies write the port, too.
func parseHop(text string) (netip.Addr, error) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr(), nil
	}
	return netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
}

// address returns the IP address that a request comes from.
func address(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.IPv4Unspecified()
	}
	return from.Addr().Unmap()
}

// actor returns who is signed in, for the change log.
func actor(r *http.Request) queries.Actor { return directory.ActorFrom(person(r).Person, address(r)) }

// hasAppleKeyboard reports whether a browser runs where ⌘ takes the place of Ctrl.
func hasAppleKeyboard(userAgent string) bool {
	return strings.Contains(userAgent, "Mac OS X") || strings.Contains(userAgent, "iPad")
}
