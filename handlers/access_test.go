package handlers_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

var update = flag.Bool("update", false, "write the answers to testdata/access.txt")

// Paths without a page whose response depends on who asks.
var pathsWithoutPage = []string{
	"/oauth", "/sso", "/nowhere", "/login/x", "/locale/x", "/logout/x",
	"/profile/", "/profile/nowhere", "/profiles", "/session/nowhere", "/images", "/images/", "/images/nowhere",
	"/logs", "/logs/workingattitude", "/logs/workingattitude/days", "/logs/workingattitude/day/", "/logs/workingattitude/day/x/nowhere",
	"/logs/workingattitude/week/nowhere", "/logs/workingattitude/month/nowhere", "/logs/workingattitude/management/nowhere",
	"/policies", "/policies/nowhere", "/policies/communication/nowhere", "/policies/communication/1x", "/manage/use/install",
}

// The response of each path to each kind of visitor, as a page and as JSON, is
// listed in testdata/access.txt: the status, or where it redirects. After an
// intended change, go test ./handlers -run TestAccess -update rewrites the
// file.
func TestAccess(t *testing.T) {
	s := newSiteWith(t, handlers.Config{OperatingCompany: "hanbit.example"})
	const head = "# signed out, employee, viewer, manager, administrator: of a page; and of JSON\n"
	people := []int64{0, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Admin}
	signIn := func(id int64) *client {
		if id == 0 {
			return s.nobody()
		}
		return s.as(id)
	}
	clients := make([]*client, len(people))
	for i, id := range people {
		clients[i] = signIn(id)
	}
	got := head
	for _, path := range accessPaths(t) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
			got += method + " " + path + ":"
			for _, accept := range []string{"text/html", "application/json"} {
				for i, id := range people {
					a := clients[i].with("Accept", accept).do(method, path, "")
					got += strings.TrimSuffix(fmt.Sprintf(" %d %s", a.status, a.location()), " ")
					if method == http.MethodPost && (path == "/logout" || path == "/login") {
						clients[i] = signIn(id)
					}
				}
				got += ";"
			}
			got += "\n"
		}
	}
	const file = "testdata/access.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, expected := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for _, line := range lines {
		if !slices.Contains(expected, line) {
			t.Errorf("got   %s", line)
		}
	}
	for _, line := range expected {
		if !slices.Contains(lines, line) {
			t.Errorf("want  %s", line)
		}
	}
}

func accessPaths(t *testing.T) []string {
	patterns, err := handlers.PagePatterns()
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer(
		"{kind:communication|workingattitude}", "communication", "{record}", fmt.Sprintf("%d-2026-11-20", queriestest.Employee), "{file:[0-9]+-[0-9]+}", "1-1", "{export:[0-9]+}", "1",
		"{policy:[0-9]+}", "1", "{attachment}", "1", "{id:[0-9]+}", "1", "{id}", "1", "{no}", "1", "{month}", "2026-10", "{user_id:[0-9]+}", "2", "{set}", "1", "{session}", "999999", "{hash}", strings.Repeat("0", 64), "{kind}", "message",
	)
	paths := slices.Clone(pathsWithoutPage)
	for _, pattern := range patterns {
		if !strings.HasSuffix(pattern, "/*") {
			paths = append(paths, "/"+strings.Trim(fill.Replace(pattern), "/"))
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if strings.ContainsAny(path, "{}*") {
			t.Errorf("%s has a parameter that no value is known for", path)
		}
	}
	return slices.Compact(paths)
}

// An administrator sees through which accounts of providers somebody signs in, and unlinks
// them after a question; not the own ones.
func TestUnlinkOnThePage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const panel, unlink = "/manage/security/access?user_id=2", "/manage/security/access/people/2/identities/delete"
	admin.get(panel).want(200).hides("통합 로그인 연결", "https://id.example")
	admin.post(unlink, "back", panel).leads(panel)
	admin.get(panel).want(200).shows("연결된 통합 로그인 계정이 없습니다")
	queriestest.Exec(t, s.db, "insert into identities (company_id, issuer, subject, user_id, created_at) values (1, 'https://id.example', 'a', 2, $1), (1, 'https://id.example', 'b', 1, $1)", s.clock.Now())
	admin.get("/en"+panel).want(200).shows("https://id.example", "Linked", "unlink=1").hides("data-question")
	admin.get("/en"+panel+"&unlink=1").want(200).shows("Unlink 이준호 from single sign-on?", `action="/en`+unlink+`"`)
	admin.get("/manage/security/access?user_id=1&unlink=1").want(200).shows("https://id.example").hides("data-question", ">연결 해제<")
	admin.post(unlink, "back", panel).leads(panel)
	admin.get(panel).want(200).shows("통합 로그인 연결을 해제했습니다").hides("https://id.example")
	admin.get("/en/manage/security/changes?object=user").want(200).shows("Single sign-on account unlinked", "이준호")
	admin.post("/manage/security/access/people/1/identities/delete", "back", panel).leads(panel)
	admin.get(panel).want(200).shows("자신의 연결은 해제할 수 없습니다")
	if s.count("select count(*) from identities where user_id = 1") != 1 {
		t.Error("the own identity was unlinked")
	}
}
