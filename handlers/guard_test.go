package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
)

const (
	adminHome    = "/policies/communication/management"
	employeeHome = "/logs/workingattitude/day"
)

// The route guard of spec §5: the response of each path to each kind of
// visitor, either a status or the target of a redirect with 303.
func TestGuard(t *testing.T) {
	s := newSite(t)
	nobody, admin, employee, viewer := s.nobody(), s.as(queriestest.Admin), s.as(queriestest.Employee), s.as(queriestest.Viewer)
	for _, test := range []struct {
		path                    string
		nobody, admin, employee any
	}{
		{"/", "/login", adminHome, employeeHome},
		{"/login", 200, "/", "/"},
		{"/login?next=/profile", 200, "/", "/"},
		{"/oauth", "/login", "/login", employeeHome},
		{"/sso", 200, "/", employeeHome},
		{"/sso?next=/profile", 200, "/", employeeHome},
		{"/profile", "/login?next=%2Fprofile", 200, 200},
		{employeeHome, "/login?next=%2Flogs%2Fworkingattitude%2Fday", 200, 200},
		{employeeHome + "?date=2026-11-02", "/login?next=%2Flogs%2Fworkingattitude%2Fday%3Fdate%3D2026-11-02", 200, 200},
		{adminHome, "/login?next=%2Fpolicies%2Fcommunication%2Fmanagement", 200, employeeHome},
		{"/manage/use/install", "/login?next=%2Fmanage%2Fuse%2Finstall", 200, employeeHome},
		{"/nowhere", "/login?next=%2Fnowhere", 404, employeeHome},
		{"/logs/workingattitude/management", "/login?next=%2Flogs%2Fworkingattitude%2Fmanagement", 200, employeeHome},
		{"/session", "/login?next=%2Fsession", 200, 200},
		{"/images/users/1", "/login?next=%2Fimages%2Fusers%2F1", 404, 404},
	} {
		for _, prefix := range []string{"", "/en", "/ja"} {
			path := prefix + strings.TrimSuffix(test.path, "/")
			if path == "" {
				path = "/"
			}
			meets(nobody, path, prefix, test.nobody)
			meets(admin, path, prefix, test.admin)
			meets(employee, path, prefix, test.employee)
			meets(viewer, path, prefix, test.employee)
		}
	}
}

func meets(c *client, path, prefix string, want any) {
	c.site.t.Helper()
	a := c.get(path)
	if status, ok := want.(int); ok {
		a.want(status)
		return
	}
	to := prefix + want.(string)
	if prefix != "" {
		to = strings.TrimSuffix(to, "/")
	}
	a.leads(to)
}

// Forms pass the same guard as pages.
func TestGuardOfForms(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/logout", "/profile/password", "/profile/sessions/1/delete", "/profile/sessions/delete", "/session/activity"} {
		s.nobody().post(path).leads("/login")
		s.nobody().post("/ja" + path).leads("/ja/login")
		s.nobody().htmx().post(path).want(419)
	}
	employee := s.as(queriestest.Employee)
	employee.post(adminHome).leads(employeeHome)
	employee.post("/session/activity").want(http.StatusNoContent)
	s.as(queriestest.Admin).post("/profile").want(http.StatusNotFound)
	if n := s.count("select count(*) from sign_ins where ended_at is not null"); n != 0 {
		t.Errorf("%d sign-ins ended", n)
	}
}

func TestHeadAnswersAsGet(t *testing.T) {
	s := newSite(t)
	s.nobody().do(http.MethodHead, "/login", "").want(200)
	s.nobody().do(http.MethodHead, "/profile", "").leads("/login?next=%2Fprofile")
	s.as(queriestest.Employee).do(http.MethodHead, employeeHome, "").want(200)
}

// The router around that of the API takes every method for it.
func TestMethodsOfTheAPI(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	s := newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", nil)})
	for path, want := range map[string]string{"/api/v1/profile": "GET, HEAD", "/api/v1/companies/1/users/1/exports": "POST"} {
		if a := s.nobody().do(http.MethodPut, path, "").want(http.StatusMethodNotAllowed); a.header.Get("Allow") != want {
			t.Errorf("%s allows %q", path, a.header.Get("Allow"))
		}
	}
	s.nobody().do(http.MethodHead, "/api/v1/openapi.json", "").want(http.StatusOK)
}

func TestUnknownPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get("/nowhere").want(404).shows("<html lang=\"ko\"", "페이지를 찾을 수 없습니다", "404")
	admin.get("/en/nowhere").want(404).shows("<html lang=\"en\"", "This page could not be found")
	admin.get("/ja/nowhere").want(404).shows("<html lang=\"ja\"", "ページが見つかりません")
	admin.htmx().get("/en/nowhere").want(404).shows(`{"message":"This page could not be found","code":"error.not_found"}`)
	admin.htmx().with("HX-Request-Type", "full").get("/en/nowhere").want(404).shows("<h1>This page could not be found</h1>")
}

// Browsers send the origin of a form; forms of other sites are refused.
func TestCrossSiteForms(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	forged := admin.with("Sec-Fetch-Site", "cross-site")
	forged.post("/en/profile/sessions/delete").want(403).shows("This is an invalid access")
	admin.with("Sec-Fetch-Site", "same-site").post("/logout").want(403)
	admin.with("Origin", "https://evil.example").post("/logout").want(403).shows("잘못된 접근입니다")
	admin.with("Origin", "null").post("/logout").want(403)
	forged.htmx().post("/logout").want(403).shows(`"code":"error.invalid_access"`)
	forged.with("Accept-Language", "en").post("/api/v1/logout").want(403).shows(`{"message":"This is an invalid access`, `"code":"error.invalid_access"}`)
	forged.get("/profile").want(200)
	for _, path := range []string{"/api", "/api/v1", "/api/v2/profile"} {
		admin.with("Accept", "application/json").get(path).want(404)
		s.nobody().with("Accept", "application/json").get(path).want(404)
	}
	admin.with("Sec-Fetch-Site", "same-origin").post("/session/activity").want(http.StatusNoContent)
}

func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	s := newSite(t)
	for _, a := range []answer{
		s.nobody().get("/login"),
		s.as(queriestest.Admin).get("/profile"),
		s.as(queriestest.Admin).get("/nowhere"),
		s.nobody().with("Origin", "null").post("/logout"),
		s.nobody().get("/api/v1/profile"),
		s.nobody().do(http.MethodTrace, "/login", "").want(http.StatusNotFound),
	} {
		policy := strings.Split(a.header.Get("Content-Security-Policy"), "; ")
		for _, directive := range []string{"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"} {
			if !slices.Contains(policy, directive) {
				t.Errorf("%s: the policy %q lacks %s", a.request, policy, directive)
			}
		}
		if strings.Contains(a.header.Get("Content-Security-Policy"), "unsafe") || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: headers %v", a.request, a.header)
		}
		if !strings.Contains(a.request, "/api/") && a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: browsers may store it: %v", a.request, a.header)
		}
		if a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other sites may read it: %v", a.request, a.header)
		}
	}
	// Scripts and stylesheets have the policies of the page that loads them.
	if a := s.nobody().get("/static/"); a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%s: headers %v", a.request, a.header)
	}
}
