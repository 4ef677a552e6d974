package handlers_test

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// A matrixCaller is somebody who opens every page and makes every call.
type matrixCaller struct {
	name    string
	company int64
	user    int64    // whose paths it uses for calls
	browser *client  // for pages
	token   string   // for calls; "" for none
	changes bool     // whether it may change things of its company
	never   []string // the texts that no answer to it has

	administrates bool // it may do everything in its company, and so is not asked to
	provisions    bool // the same of the routes of SCIM
}

// What only some may read. Everything of the other company is read by nobody of this one.
var (
	textsOfOther  = []string{"한도윤", "다른컴퍼니", "@other.example", "O0001", "O0002", foreignWord}
	textsOfHanbit = []string{"한빛테크", "김서연", "이준호", "박지민", "최유진", "정하윤", "佐藤", "Olivia", "@hanbit.example", "H000", "국내영업팀", "해외영업팀", "메신저팀", "일본지사", insideWord, outsideWord}
	textsOutside  = []string{"佐藤", "sato@", "H0008", "일본지사", "정하윤", outsideWord, "기본 정책"}
	textsOfSales  = []string{"김철수", "kim.cs", "H0006", "Olivia", "H0007", insideWord}
)

func (s *matrixSite) callers() []matrixCaller {
	all := slices.Concat(textsOfOther, textsOfHanbit, []string{"김철수", "kim.cs"})
	const hanbit, other = queriestest.Hanbit, queriestest.Other
	callers := []matrixCaller{{name: "nobody", company: hanbit, user: queriestest.Admin, browser: s.nobody(), never: all}}
	for _, name := range []string{"expired token", "revoked token", "hidden", "expired service token", "revoked service token"} {
		c := matrixCaller{name: name, company: hanbit, user: queriestest.Admin, token: s.tokens[name], never: all}
		if name == "hidden" {
			c.user, c.browser = queriestest.Hidden, s.hidden
		}
		callers = append(callers, c)
	}
	callers = append(callers,
		matrixCaller{name: "service token: events", company: hanbit, user: queriestest.Admin, token: s.service(hanbit, identity.ScopeEvents).Token, changes: true, never: all},
		matrixCaller{name: "service token: read", company: hanbit, user: queriestest.Admin, token: s.service(hanbit, identity.ScopeRead).Token, never: textsOfOther},
		matrixCaller{name: "service token: scim", company: hanbit, user: queriestest.Admin, token: s.service(hanbit, identity.ScopeSCIM).Token, provisions: true, never: textsOfOther},
		matrixCaller{name: "other service token: read", company: other, user: queriestest.OtherAdmin, token: s.service(other, identity.ScopeRead).Token, never: textsOfHanbit},
	)
	person := func(name string, company, user int64, never []string) {
		callers = append(callers, matrixCaller{
			name: name, company: company, user: user, browser: s.as(user), token: s.bearer(user), changes: true, never: never,
			administrates: user == queriestest.Admin || user == queriestest.OtherAdmin,
		})
	}
	person("employee", hanbit, queriestest.Employee, slices.Concat(textsOfOther, textsOutside, textsOfSales))
	person("viewer", hanbit, queriestest.Viewer, slices.Concat(textsOfOther, textsOutside))
	person("manager", hanbit, queriestest.Manager, slices.Concat(textsOfOther, textsOutside))
	person("other administrator", other, queriestest.OtherAdmin, textsOfHanbit)
	person("administrator", hanbit, queriestest.Admin, textsOfOther)
	return callers
}

// Every page and call is opened by everybody, with objects within their scope, outside
// of it, of another company, and with invented ones. testdata/matrix.txt lists the
// statuses; whatever somebody may not see is in no answer, and changes nothing. After
// an intended change, go test ./handlers -run TestMatrix -update rewrites the file.
func TestMatrix(t *testing.T) {
	s := newMatrixSite(t)
	routes := matrixRoutes(t, s.db)
	all, callers := s.callers(), map[string]map[string][]string{} // by route and statuses
	contents := s.contents()
	for _, c := range all {
		for _, route := range routes {
			if c.browser == nil && !route.isCall() {
				continue // pages take no tokens
			}
			of := route.String()
			if callers[of] == nil {
				callers[of] = map[string][]string{}
			}
			statuses := s.open(c, route)
			callers[of][statuses] = append(callers[of][statuses], c.name)
		}
		contents = s.expectUnchanged(c, contents)
	}
	got := "# The statuses for objects within the caller's scope / outside of it / of another company / invented / by the path of another company; - is not asked.\n"
	for _, route := range routes {
		of := route.String()
		got += of + ":"
		for _, statuses := range slices.Sorted(maps.Keys(callers[of])) {
			got += " [" + statuses + "] " + strings.Join(callers[of][statuses], ", ") + ";"
		}
		got = strings.TrimSuffix(got, ";") + "\n"
	}
	compareGolden(t, "testdata/matrix.txt", got)
}

// open opens a page or makes a call, and returns the statuses as the golden file has
// them.
func (s *matrixSite) open(c matrixCaller, route matrixRoute) string {
	s.t.Helper()
	own, theirs, theirAdmin := s.inside, s.foreign, queriestest.OtherAdmin
	if c.company == queriestest.Other {
		own, theirs, theirAdmin = s.foreign, s.inside, queriestest.Admin
	}
	caller := objects{"company": own["company"], "caller": fmt.Sprint(c.user)}
	var answers []answer
	ask := func(caller, with objects) {
		path, _ := route.fill(s.t, caller, with)
		may := (c.administrates && !route.isProvisioning() || c.provisions && route.isProvisioning()) && route.changes() && with["company"] == own["company"]
		if may || c.changes && strings.HasSuffix(path, "/logout") {
			answers = append(answers, answer{})
			return
		}
		answers = append(answers, s.ask(c, route, path, with))
	}
	if _, hasObject := route.fill(s.t, caller, s.inside); hasObject {
		for _, with := range []objects{own, s.outside, theirs, s.invented} {
			ask(caller, with)
		}
		foreign, invented := answers[2], answers[3]
		isSecret := strings.HasPrefix(route.pattern, "/hooks/") // whoever knows it may use it
		if !isSecret && (foreign.status != invented.status || foreign.withoutIDs() != invented.withoutIDs()) {
			s.t.Errorf("%s of %s tells an object of another company from none: %d %s\nor %d %s", c.name, route, foreign.status, foreign.withoutIDs(), invented.status, invented.withoutIDs())
		}
	} else {
		ask(caller, own)
		if route.namesObjects() {
			ask(caller, theirs)
		}
	}
	if strings.Contains(route.pattern, "{company_id}") {
		ask(objects{"company": theirs["company"], "caller": fmt.Sprint(theirAdmin)}, theirs)
	}
	return statusesOf(answers)
}

// statusesOf returns the statuses of answers, and one for all if they are the same.
func statusesOf(answers []answer) string {
	var statuses []string
	for _, a := range answers {
		if a.status == 0 {
			statuses = append(statuses, "-")
		} else {
			statuses = append(statuses, fmt.Sprint(a.status))
		}
	}
	if len(slices.Compact(slices.Clone(statuses))) == 1 {
		return statuses[0]
	}
	return strings.Join(statuses, " / ")
}

// namesObjects reports whether a route without objects in its path can name some: in
// the query of what it reads or in the body of what it changes.
func (r matrixRoute) namesObjects() bool {
	if !r.changes() || !r.isCall() {
		return true
	}
	if r.body == nil {
		return false
	}
	_, names := r.body.sample("", objects{"user": "1", "department": "1", "notice": "1", "policy": "1", "link": "1", "attachment": "1"})
	return names
}

// ask sends a request and looks for what the caller may not read. Changes are sent
// without a body, and with one that could be valid.
func (s *matrixSite) ask(c matrixCaller, route matrixRoute, path string, with objects) (a answer) {
	s.t.Helper()
	bodies := []string{""}
	switch {
	case !route.changes():
		path = route.withIDs(path, with)
	case route.isCall() && route.body != nil:
		value, _ := route.body.sample("", with)
		body, err := json.Marshal(value)
		if err != nil {
			s.t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	case !route.isCall():
		bodies = append(bodies, plausibleForm(with))
	}
	for _, body := range bodies {
		a = s.send(c, route, path, body)
		if a.status >= 500 && a.status != http.StatusNotImplemented { // SCIM says so of what it leaves out
			s.t.Errorf("%s of %s: %d %s", c.name, a.request, a.status, a.body)
		}
		for _, text := range c.never {
			if strings.Contains(a.text()+a.location(), text) {
				s.t.Errorf("%s reads %q: %s", c.name, text, a.request)
			}
		}
	}
	return a
}

func (s *matrixSite) send(c matrixCaller, route matrixRoute, path, body string) answer {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), route.method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	browser := c.browser
	if route.isCall() {
		browser = s.nobody()
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("If-Match", `"1"`)
		if c.token != "" {
			request.Header.Set("Authorization", "Bearer "+c.token)
		}
	} else {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := browser.http.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	a := answer{s.t, route.method + " " + path, response.StatusCode, response.Header, ""}
	if response.Header.Get("Content-Type") == "text/event-stream" { // does not end
		return a
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a.body = string(text)
	return a
}

var digits = regexp.MustCompile(`[0-9a-f]{64}|[0-9]+`)

// withoutIDs returns what an answer says without the ids that were asked for, and
// without the messages about what was done before.
func (a answer) withoutIDs() string {
	body, _, _ := strings.Cut(a.body, `<div class="toasts"`)
	return digits.ReplaceAllString(html.UnescapeString(a.location()+"\n"+body), "#")
}

// tablesOfReaders change when somebody reads or is refused.
var tablesOfReaders = []string{
	"access_events", "access_origins", "sign_ins", "tokens", "bot_tokens", "reads", "sessions", "sign_in_failures", "notice_reads", "notice_read_counts", "attendance_views", "attendance_openings", "bot_messages",
	"change_texts", "change_text_ends", "export_pieces",
}

// contents returns a sum of the rows of every table by company.
func (s *matrixSite) contents() map[string]string {
	s.t.Helper()
	read := func(statement string) (lines [][2]string) {
		s.t.Helper()
		rows, err := s.db.Pool().Query(s.t.Context(), statement)
		if err != nil {
			s.t.Fatal(err)
		}
		for rows.Next() {
			var line [2]string
			if err := rows.Scan(&line[0], &line[1]); err != nil {
				s.t.Fatal(err)
			}
			lines = append(lines, line)
		}
		if err := rows.Err(); err != nil {
			s.t.Fatal(err)
		}
		return lines
	}
	contents := map[string]string{}
	for _, table := range read(`select c.relname, '' from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
		where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace`) {
		if !slices.Contains(tablesOfReaders, table[0]) {
			for _, sum := range read("select company_id::text, count(*) || ':' || sum(hashtextextended(t::text, 0)) from " + table[0] + " t group by 1") {
				contents[table[0]+" of company "+sum[0]] = sum[1]
			}
		}
	}
	return contents
}

// expectUnchanged fails where a caller has changed another company, or anything without
// a right to it. It returns the contents.
func (s *matrixSite) expectUnchanged(c matrixCaller, before map[string]string) map[string]string {
	s.t.Helper()
	after := s.contents()
	tables := maps.Clone(before)
	maps.Copy(tables, after)
	for table := range tables {
		own := strings.HasSuffix(table, fmt.Sprint(" ", c.company))
		if after[table] != before[table] && !(own && c.changes) {
			s.t.Errorf("%s changed %s", c.name, table)
		}
	}
	return after
}

// compareGolden compares lines with those of a file, which -update writes.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == got {
		return
	}
	lines, expected := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(lines), len(expected)) {
		if i >= len(lines) || i >= len(expected) || lines[i] != expected[i] {
			t.Fatalf("line %d of %s differs:\ngot  %q\nwant %q", i+1, file, at(lines, i), at(expected, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
