package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers/api"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestLogin(t *testing.T) {
	s := newSite(t)
	a := s.call(http.MethodPost, "/oauth/login", "", `{"email":" ADMIN@hanbit.example ","password":"Console!2026"}`)
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var token struct {
		Token     string    `json:"access_token"`
		Type      string    `json:"token_type"`
		ExpiresIn int       `json:"expires_in"`
		ExpiredAt time.Time `json:"expired_at"`
	}
	if err := json.Unmarshal([]byte(a.body), &token); err != nil {
		t.Fatal(err)
	}
	if token.Type != "Bearer" || token.ExpiresIn != 28800 || !token.ExpiredAt.Equal(queriestest.Now.Add(8*time.Hour)) {
		t.Errorf("%+v", token)
	}
	equal(t, "caching", a.header.Get("Cache-Control"), "no-store")
	if a := s.get("/profile", token.Token); a.status != http.StatusOK {
		t.Errorf("profile: %d %s", a.status, a.body)
	}
}

func TestLoginRefuses(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		body   string
		status int
		code   string
		field  string
	}{
		{`{"email":"admin@hanbit.example","password":"wrong"}`, 422, "session.refused", ""},
		{`{"email":"nobody@hanbit.example","password":"wrong"}`, 422, "session.refused", ""},
		{`{"email":"hidden@hanbit.example","password":"Console!2026"}`, 422, "session.hidden", ""},
		{`{"email":"admin\u0000@hanbit.example","password":"wrong\u0000"}`, 422, "session.refused", ""},
		{`{"email":"","password":"x"}`, 422, "api.refused", "email api.field.required"},
		{`{"email":"a"}`, 422, "api.refused", "password api.field.required"},
		{`{"email":1,"password":"x"}`, 422, "api.refused", "email api.field.string"},
		{`{"email":"a","password":"x","remember":true}`, 422, "api.refused", "remember api.field.unknown"},
		{`{"email":"` + strings.Repeat("a", 321) + `","password":"x"}`, 422, "api.refused", "email api.field.too_long"},
		{`[]`, 422, "api.refused", " api.field.object"},
		{`{"email":`, 400, "api.bad_json", ""},
		{``, 400, "api.bad_json", ""},
		{`{"email":"` + strings.Repeat("a", 10<<20) + `"}`, 413, "api.too_large", ""},
	} {
		a := s.call(http.MethodPost, "/oauth/login", "", c.body)
		shown := c.body[:min(len(c.body), 60)]
		if a.status != c.status || code(t, a) != c.code {
			t.Errorf("%s: %d %s", shown, a.status, a.body)
		}
		var p struct {
			Errors []struct{ Field, Code, Message string }
		}
		if err := json.Unmarshal([]byte(a.body), &p); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, e := range p.Errors {
			fields = append(fields, e.Field+" "+e.Code)
			if e.Message == "" || strings.ContainsAny(e.Message, "⟦{") {
				t.Errorf("%s: %+v has no words", shown, e)
			}
		}
		if got := strings.Join(fields, ", "); got != c.field {
			t.Errorf("%s: fields %q, want %q", shown, got, c.field)
		}
	}
	a := s.call(http.MethodPost, "/oauth/login", "", "email=a&password=b", "Content-Type: application/x-www-form-urlencoded")
	if a.status != http.StatusUnsupportedMediaType || code(t, a) != "api.media_type" {
		t.Errorf("a form: %d %s", a.status, a.body)
	}
}

// There is nothing at a path with an id that cannot be one.
func TestPathsWithoutAnID(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	for _, path := range []string{
		"/notices/abc", "/notices/0x1/readers", "/exports/%00", "/attachments/1.5", "/policies/workingattitude/managers/abc",
		"/links/99999999999999999999", "/security/sessions/zzz", "/security/tokens/0", "/policies/communication/abc",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
			body := ""
			if method == http.MethodPatch {
				body = `{"name":` // what is not there is not found, whatever is sent
			}
			a := s.call(method, own(queriestest.Admin)+path, admin, body)
			if a.status != http.StatusMethodNotAllowed && (a.status != http.StatusNotFound || code(t, a) != "api.not_found") {
				t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
			}
		}
	}
}

func TestLoginLocks(t *testing.T) {
	s := newSite(t)
	for range 5 {
		s.call(http.MethodPost, "/oauth/login", "", `{"email":"viewer@hanbit.example","password":"wrong"}`)
	}
	a := s.call(http.MethodPost, "/oauth/login", "", `{"email":"viewer@hanbit.example","password":"Console!2026"}`)
	if a.status != http.StatusTooManyRequests || code(t, a) != "session.locked" || a.header.Get("Retry-After") != "600" {
		t.Errorf("%d %s, retry after %q", a.status, a.body, a.header.Get("Retry-After"))
	}
}

func TestProfile(t *testing.T) {
	s := newSite(t)
	s.exec("update users set image_hash = 'abc' where id = $1", queriestest.Admin)
	sameJSON(t, s.get("/profile", s.token(queriestest.Admin)).body, `{"id":1,"company_id":1,"company_name":"한빛테크","time_zone":"Asia/Seoul",
		"name":"김서연","email":"admin@hanbit.example","is_admin":true,"image":{"thumbnail_url":"/images/users/1?v=abc"},"permission_controls":[]}`)
	sameJSON(t, s.get("/profile", s.token(queriestest.Manager)).body, `{"id":4,"company_id":1,"company_name":"한빛테크","time_zone":"Asia/Seoul",
		"name":"최유진","email":"manager@hanbit.example","is_admin":false,
		"permission_controls":[{"type":"commute","role":"ROLE_W_COMMUTE","department_ids":[2]}]}`)
	sameJSON(t, s.get("/oauth/info", s.token(queriestest.Employee)).body,
		`{"organization_url":"https://org.hanbit.example/","company_host":"hanbit.example"}`)
}

// Somebody who is registered as a viewer has a control, like those who have the permission.
func TestProfileOfViewers(t *testing.T) {
	s := newSite(t)
	controls := func() any {
		return object(t, s.get("/profile", s.token(queriestest.Employee)), http.StatusOK)["permission_controls"]
	}
	equal(t, "before", controls(), []any{})
	queriestest.RegisterViewer(t, s.db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Messenger)}, true, queriestest.Employee))
	edits := map[string]any{"type": "commute", "role": "ROLE_W_COMMUTE", "department_ids": []any{queriestest.Messenger}}
	equal(t, "an editor", controls(), []any{edits})
	queriestest.RegisterViewer(t, s.db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(queriestest.Research)}, false, queriestest.Employee))
	both := []any{queriestest.Research, queriestest.Messenger}
	equal(t, "an editor of a part", controls(), []any{map[string]any{"type": "commute", "role": "", "department_ids": both}, edits})
}

func TestBrowserOptions(t *testing.T) {
	s := newSite(t)
	sameJSON(t, s.get(own(queriestest.Admin)+"/options/browser", s.token(queriestest.Admin)).body,
		`{"map_licenses":[{"provider":"tiles","key":"k1","tile_url":"https://tiles.example/{z}/{x}/{y}.png","attribution":"© tiles"}]}`)
	sameJSON(t, s.get(own(queriestest.OtherAdmin)+"/options/browser", s.token(queriestest.OtherAdmin)).body, `{"map_licenses":[]}`)
}

// The console's own pages call with the session of the signed-in user, which
// the middleware around the API recognizes.
func TestConsoleSession(t *testing.T) {
	s := newSite(t)
	ctx := context.Background()
	signedIn, err := s.db.Identity.SignIn(ctx, identity.Credentials{
		Email: queriestest.Email(queriestest.Viewer), Password: queriestest.Password, Address: netip.MustParseAddr("192.0.2.1"),
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := api.New(s.db, "test", nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.ServeHTTP(w, r.WithContext(identity.WithSignedIn(r.Context(), signedIn)))
	}))
	t.Cleanup(server.Close)
	console := &site{t, s.db, s.clock, s.files, server.URL + "/api/v1"}

	a := console.get("/profile", "")
	if a.status != http.StatusOK || !strings.Contains(a.body, `"id":3,`) {
		t.Errorf("profile: %d %s", a.status, a.body)
	}
	a = console.get("/profile", s.token(queriestest.Admin))
	if !strings.Contains(a.body, `"id":1,`) {
		t.Errorf("a token counts more than the session: %d %s", a.status, a.body)
	}
	if a := console.get("/profile", "forged"); a.status != 419 {
		t.Errorf("a forged token beside a session: %d %s", a.status, a.body)
	}
	if a := console.call(http.MethodPost, "/logout", "", ""); a.status != http.StatusNoContent {
		t.Errorf("logout: %d %s", a.status, a.body)
	}
	if _, err := s.db.Identity.SignedIn(ctx, signedIn.CompanyID, signedIn.SignInID); fmt.Sprint(err) != fmt.Sprint(queries.NotFound) {
		t.Errorf("the sign-in has not ended: %v", err)
	}
	// A request with the cookie of a session in which nobody is signed in has
	// an ended session.
	if a := s.get("/profile", "", "Cookie: officeconsole_session=old"); a.status != 419 || code(t, a) != "api.ended" {
		t.Errorf("an ended session: %d %s", a.status, a.body)
	}
}

func TestLogoutEndsOnlyItsToken(t *testing.T) {
	s := newSite(t)
	one, two := s.token(queriestest.Employee), s.token(queriestest.Employee)
	if a := s.call(http.MethodPost, "/logout", one, ""); a.status != http.StatusNoContent || a.body != "" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	equal(t, "the token that signed out", s.get("/profile", one).status, 419)
	equal(t, "another token", s.get("/profile", two).status, 200)
}

func TestAuthorizationHeader(t *testing.T) {
	s := newSite(t)
	token := s.token(queriestest.Employee)
	for header, status := range map[string]int{
		"Authorization: Bearer " + token:                        200,
		"Authorization: bearer   " + token:                      200,
		"Authorization: Bearer ":                                401,
		"Authorization: Bearer":                                 401,
		"Authorization: Basic " + token:                         401,
		"Authorization: " + token:                               401,
		"Authorization: Bearer " + token[1:]:                    419,
		"Authorization: Bearer " + strings.Repeat("x", 100_000): 419,
		"Authorization: Bearer \xff\xfe":                        419,
	} {
		a := s.get("/profile", "", header)
		if a.status != status {
			t.Errorf("%.60q: %d %s", header, a.status, a.body)
		}
		if (a.status == 401) != (a.header.Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%.60q: WWW-Authenticate %q", header, a.header.Get("WWW-Authenticate"))
		}
	}
}
