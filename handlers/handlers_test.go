package handlers_test

import (
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
)

// The tests run in a time zone that is not the company's and has an offset of
// half an hour.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("somewhere", -(3*60+30)*60)
	slog.SetLogLoggerLevel(slog.LevelWarn)
	os.Exit(m.Run())
}

// A site is the whole console with a database and a clock of its own.
type site struct {
	t     *testing.T
	db    *areas.Areas
	clock *queriestest.Clock
	url   string
}

func newSite(t *testing.T) *site {
	t.Helper()
	return newSiteWith(t, handlers.Config{})
}

func newSiteWith(t *testing.T, config handlers.Config) *site {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	return newSiteOver(t, db, clock, config)
}

// newSiteOver returns a site over a database.
func newSiteOver(t *testing.T, db *areas.Areas, clock *queriestest.Clock, config handlers.Config) *site {
	t.Helper()
	config.Asset = func(name string) string { return "/static/" + name }
	config.Static = http.NotFoundHandler()
	if config.Blobs == nil {
		config.Blobs = queriestest.Blobs(t)
	}
	if config.API == nil {
		config.API = http.NotFoundHandler()
	}
	server := httptest.NewServer(handlers.New(db, config))
	t.Cleanup(server.Close)
	return &site{t, db, clock, server.URL}
}

// exec changes the database directly, without the console.
func (s *site) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Pool().Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatal(err)
	}
}

// count returns the number that a statement selects.
func (s *site) count(statement string, args ...any) int {
	s.t.Helper()
	var n int
	if err := s.db.Pool().QueryRow(s.t.Context(), statement, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// plain asks for answers that are not compressed: under the race detector that takes
// longer than to render them. TestPagesAreCompressed asks as browsers do.
var plain = &http.Transport{DisableCompression: true}

// nobody returns a browser in which nobody is signed in.
func (s *site) nobody() *client {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	follow := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{site: s, http: &http.Client{Transport: plain, Jar: jar, CheckRedirect: follow}, header: http.Header{}}
}

// as returns a browser in which a user of the cast is signed in.
func (s *site) as(id int64) *client {
	s.t.Helper()
	c := s.nobody()
	c.signIn(id).want(http.StatusSeeOther)
	return c
}

// A client is a browser: it stores cookies, but does not follow redirects.
type client struct {
	site   *site
	http   *http.Client
	header http.Header
}

// with returns the same browser with a header for each request.
func (c *client) with(name, value string) *client {
	header := c.header.Clone()
	header.Set(name, value)
	return &client{c.site, c.http, header}
}

// htmx returns the same browser sending requests by script.
func (c *client) htmx() *client { return c.with("HX-Request", "true") }

func (c *client) signIn(id int64) answer {
	c.site.t.Helper()
	return c.post("/login", "email", queriestest.Email(id), "password", queriestest.Password)
}

func (c *client) get(path string) answer {
	c.site.t.Helper()
	return c.do(http.MethodGet, path, "")
}

// post sends a form given as pairs of name and value.
func (c *client) post(path string, pairs ...string) answer {
	c.site.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return c.do(http.MethodPost, path, form.Encode())
}

func (c *client) do(method, path, body string) answer {
	t := c.site.t
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, c.site.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = c.header.Clone()
	if method == http.MethodPost && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{t, method + " " + path, response.StatusCode, response.Header, string(text)}
}

// cookie returns the value of a cookie that the browser has, "" for none.
func (c *client) cookie(name string) string {
	at, err := url.Parse(c.site.url)
	if err != nil {
		c.site.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(at) {
		if cookie.Name == name {
			return cookie.Value
		}
	}
	return ""
}

// setCookie stores a cookie in the browser.
func (c *client) setCookie(name, value string) {
	at, err := url.Parse(c.site.url)
	if err != nil {
		c.site.t.Fatal(err)
	}
	c.http.Jar.SetCookies(at, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// An answer is a response.
type answer struct {
	t       *testing.T
	request string
	status  int
	header  http.Header
	body    string
}

func (a answer) location() string { return a.header.Get("Location") }

// text returns the body with character references decoded, as a person sees it.
func (a answer) text() string { return html.UnescapeString(a.body) }

// want fails the test if the status differs.
func (a answer) want(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d: %.300s", a.request, a.status, status, a.body)
	}
	return a
}

// leads fails the test unless the response redirects to a location with 303.
func (a answer) leads(location string) answer {
	a.t.Helper()
	a.want(http.StatusSeeOther)
	if a.location() != location {
		a.t.Fatalf("%s: leads to %q, want %q", a.request, a.location(), location)
	}
	return a
}

// shows fails the test if the page lacks one of the texts.
func (a answer) shows(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.text(), text) {
			a.t.Errorf("%s: %q is not there", a.request, text)
		}
	}
	return a
}

// hides fails the test if the page contains one of the texts.
func (a answer) hides(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.text(), text) {
			a.t.Errorf("%s: %q is there", a.request, text)
		}
	}
	return a
}

// setCookie returns a cookie that the response sets, nil for none.
func (a answer) setCookie(name string) *http.Cookie {
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if cookie.Name == name {
			return cookie
		}
	}
	return nil
}
