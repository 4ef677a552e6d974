package handlers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/bot"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// The hidden user of the walk: nobody else has anything of the kind.
const (
	hiddenName  = "흑요석거울"
	hiddenEmail = "obsidian@hanbit.example"
	hiddenStaff = "OBS77"
)

// showsAbsent are the places where a hidden or deactivated user appears, with the
// reason. Only these may show one, and the list of the API of their state.
var showsAbsent = map[string]string{
	"GET /manage/use/hidden":                                 "the list of hidden and deactivated users",
	"GET /organization/hidden":                               "the list of hidden and deactivated users",
	"API /companies/{company_id}/users/{id}/audit":           "the change log",
	"GET /manage/security/changes":                           "the change log",
	"GET /manage/security/reads":                             "the log of reads",
	"GET /manage/security/access":                            "access of the past",
	"API /companies/{company_id}/users/{id}/security/access": "access of the past",

	"GET /logs/workingattitude/day":                                           "attendance of the past",
	"GET /logs/workingattitude/day/{record}":                                  "attendance of the past",
	"GET /logs/workingattitude/week":                                          "attendance of the past",
	"GET /logs/workingattitude/month":                                         "attendance of the past",
	"GET /logs/workingattitude/management":                                    "attendance of the past",
	"API /companies/{company_id}/users/{id}/logs/workingattitude":             "attendance of the past",
	"API /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}": "attendance of the past",
}

// unwalked are the places that the walk cannot read, with the reason.
var unwalked = map[string]string{
	"GET /logs/communication/file/{file:[0-9]+-[0-9]+}":                       "a file that was saved in the past, marked; TestSavedFile reads it",
	"API /companies/{company_id}/stream":                                      "does not end; its messages have ids only",
	"API /companies/{company_id}/users/{id}/exports/{export_id}/file":         "made by a request of its own, from the lists that are walked",
	"API /companies/{company_id}/users/{id}/exports/{export_id}":              "made by a request of its own",
	"API /companies/{company_id}/users/{id}/webhook":                          "none is set up; names nobody",
	"API /companies/{company_id}/users/{id}/webhook/deliveries":               "none is set up; names nobody",
	"API /companies/{company_id}/users/{id}/webhook/deliveries/{delivery_id}": "none is set up; names nobody",
	"API /companies/{company_id}/users/{id}/security/providers/{provider_id}": "none is set up; names nobody",
	"API /companies/{company_id}/users/{id}/imports/{import_id}":              "none is made; has numbers, and the ids of employees as a file has them",
}

// listsAbsent are the lists of the API of users in a state.
var listsAbsent = map[hiding.State]string{
	hiding.Hidden:      "API /companies/{company_id}/users/{id}/hidden-users",
	hiding.Deactivated: "API /companies/{company_id}/users/{id}/deactivated-users",
}

// A hidden or deactivated user appears nowhere but in showsAbsent: every page and
// every list of the API is read with an object that names them, and with a search
// for them. A new route fails the test until a value for its parameters is known
// here.
func TestHiddenUsersAppearNowhere(t *testing.T) {
	w := newHiddenWalk(t)
	places := w.places()
	visible := w.walk(places)
	// The walk would see them: where they appear before they are hidden.
	for _, place := range []string{
		"GET /policies/{kind}/management", "GET /policies/{kind}/{policy}", "GET /policies/{kind}/status", "GET /policies/workingattitude/manager", "GET /search",
		"GET /manage/notice/{id}/readers", "GET /manage/notice/{id}/edit", "GET /manage/use/webhook", "GET /logs/workingattitude/day/corrections",
		"API /companies/{company_id}/users/{id}/organizations/users", "API /companies/{company_id}/users/{id}/organizations/saved-managers",
		"API /companies/{company_id}/users/{id}/policies/{kind}/status", "API /companies/{company_id}/users/{id}/notices/{notice_id}/readers",
		"API /companies/{company_id}/users/{id}/installations",
	} {
		if !slices.Contains(visible, place) {
			t.Errorf("%s does not show the user before they are hidden", place)
		}
	}
	by := queriestest.AdminActor(t, w.db)
	if _, err := w.db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{w.id}, Kind: hiding.Leaver}); err != nil {
		t.Fatal(err)
	}
	w.absent(hiding.Hidden, places)
	if _, err := w.db.Hidings.Show(t.Context(), by, []int64{w.id}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.db.Hidings.Deactivate(t.Context(), by, hiding.Deactivation{UserIDs: []int64{w.id}}); err != nil {
		t.Fatal(err)
	}
	w.absent(hiding.Deactivated, places)
	if _, err := w.db.Hidings.Reactivate(t.Context(), by, []int64{w.id}); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(places, func(place string, _ []string) bool { return !slices.Contains(visible, place) })
	again := w.walk(places)
	for _, place := range visible {
		if !slices.Contains(again, place) {
			t.Errorf("%s does not show the user who is shown again", place)
		}
	}
}

// absent checks that exactly those places show the user that may show one in a state.
func (w *hiddenWalk) absent(state hiding.State, places map[string][]string) {
	w.t.Helper()
	shown := w.walk(places)
	for _, place := range shown {
		if showsAbsent[place] == "" && place != listsAbsent[state] {
			w.t.Errorf("%s shows a %s user", place, state)
		}
	}
	for _, place := range append(slices.Collect(maps.Keys(showsAbsent)), listsAbsent[state]) {
		if !slices.Contains(shown, place) {
			w.t.Errorf("%s does not show a %s user", place, state)
		}
	}
}

// hiddenWalk is a site with a user whom everything names that can name one.
type hiddenWalk struct {
	*site
	t                        *testing.T
	id                       int64
	policy, notice, reserved int64
	manager                  int64
	token                    string
	admin                    *client
}

func newHiddenWalk(t *testing.T) *hiddenWalk {
	db, clock := queriestest.NewWithClock(t)
	w := &hiddenWalk{t: t}
	w.site = newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", queriestest.Blobs(t))})
	by := queriestest.AdminActor(t, db)
	if err := db.Pool().QueryRow(t.Context(), `insert into users (company_id, department_id, rank_id, name, email, employee_id, company_phone, search_text, search_grams)
		select 1, 3, 2, $1, $2, $3, '02-777-7777', search_text || $4, search_grams from users where id = 6 returning id`,
		hiddenName, hiddenEmail, hiddenStaff, hiddenName+hiddenStaff).Scan(&w.id); err != nil {
		t.Fatal(err)
	}
	w.exec("update users set search_text = $2 || E'\\n' || search_text where id = $1", w.id, hiddenName)
	w.exec("insert into passwords (company_id, user_id, hash) select 1, $1, hash from passwords where user_id = 2", w.id)
	w.exec("update companies set directory_version = directory_version + 1 where id = 1")
	draft := queriestest.PolicyDraft("걸음 정책", queriestest.UserTarget(w.id), queriestest.DepartmentTarget(queriestest.Japan))
	draft.Owner = policy.Owner{UserID: w.id}
	w.policy = queriestest.CreatePolicy(t, db, draft).ID
	w.manager = queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, false, w.id, queriestest.Kim)).ID
	w.notice = queriestest.InsertNotice(t, db, queriestest.Notice{Title: "걸음 공지", Body: "본문", PublishAt: clock.Now().Add(-time.Hour), Users: []int64{w.id, queriestest.Kim}})
	w.reserved = queriestest.InsertNotice(t, db, queriestest.Notice{Title: "예약 공지", Body: "본문", PublishAt: clock.Now().Add(24 * time.Hour), Users: []int64{w.id, queriestest.Kim}})
	if err := db.Bots.Update(t.Context(), by, 0, func(d bot.Draft) bot.Draft {
		d.HookReceivers = bot.Receivers{Users: []int64{w.id, queriestest.Kim}}
		return d
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(12 * time.Hour)
	w.clocks(w.id, workday.In, "2026-11-20T09:34:12")
	w.clocks(w.id, workday.Out, "2026-11-20T18:02:51")
	w.exec(`insert into attendance_corrections (company_id, user_id, work_date, extra, department_id, arrival_at, reason, created_at)
		values (1, $1, '2026-11-20', false, 3, '2026-11-20 00:00:00Z', '버스', $2)`, w.id, clock.Now())
	service, err := db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	w.token = service.Token
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(hiddenEmail, queriestest.Password)); err != nil {
		t.Fatal(err)
	}
	w.admin = w.as(queriestest.Admin)
	return w
}

// walk reads places and returns those that show the user. It leaves a place with the
// first address that does.
func (w *hiddenWalk) walk(places map[string][]string) []string {
	w.t.Helper()
	var shown []string
	for place, addresses := range places {
		if slices.ContainsFunc(addresses, func(address string) bool { return w.shows(place, address) }) {
			shown = append(shown, place)
		}
	}
	slices.Sort(shown)
	return shown
}

func (w *hiddenWalk) shows(place, address string) bool {
	w.t.Helper()
	a := w.read(place, address)
	if a.status >= 500 {
		w.t.Errorf("%s: %d", address, a.status)
	}
	return w.names(a.body)
}

func (w *hiddenWalk) read(place, address string) answer {
	w.t.Helper()
	if strings.HasPrefix(place, "API /companies/{company_id}/") && !strings.Contains(place, "/users/{id}") {
		return w.nobody().with("Authorization", "Bearer "+w.token).with("Accept", "application/json").get(address)
	}
	if strings.HasPrefix(place, "API") {
		return w.admin.with("Accept", "application/json").with("Sec-Fetch-Site", "same-origin").get(address)
	}
	return w.admin.get(address)
}

// names reports whether a text names the user. A search box repeats what was
// typed, so its value does not count.
func (w *hiddenWalk) names(body string) bool {
	body = strings.ReplaceAll(body, `value="`+hiddenName+`"`, "")
	for _, part := range []string{hiddenName, hiddenEmail, hiddenStaff, "02-777-7777"} {
		if strings.Contains(body, part) {
			return true
		}
	}
	return false
}

// places returns the addresses of every place but those that cannot be walked.
func (w *hiddenWalk) places() map[string][]string {
	w.t.Helper()
	patterns, err := handlers.PagePatterns()
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string][]string{}
	for _, pattern := range patterns {
		if !strings.HasSuffix(pattern, "/*") {
			pattern = "/" + strings.Trim(pattern, "/")
			place := "GET " + strings.NewReplacer(":communication|workingattitude}", "}", ":[0-9]+}", "}").Replace(pattern)
			all[place] = append(all[place], w.fill(place)...)
		}
	}
	document, err := api.Document("test")
	if err != nil {
		w.t.Fatal(err)
	}
	var listed struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &listed); err != nil {
		w.t.Fatal(err)
	}
	for path, methods := range listed.Paths {
		if methods["get"] != nil {
			all["API "+path] = w.fill("API " + path)
		}
	}
	return all
}

// fill returns the addresses of a place: for each kind and object, alone and
// with a search for the user.
func (w *hiddenWalk) fill(place string) (addresses []string) {
	w.t.Helper()
	if unwalked[place] != "" {
		return nil
	}
	path := strings.TrimPrefix(strings.TrimPrefix(place, "GET "), "API ")
	base := ""
	if strings.HasPrefix(place, "API ") {
		base = "/api/v1"
	}
	record := fmt.Sprintf("%d-2026-11-20", w.id)
	objects := map[string][]int64{"notice": {w.notice, w.reserved}}
	var ids []int64 = []int64{1}
	if strings.Contains(path, "notice") {
		ids = objects["notice"]
	}
	for _, kind := range []string{"communication", "workingattitude"} {
		for _, id := range ids {
			first := "1"
			if base == "" {
				first = fmt.Sprint(id)
			}
			filled := strings.NewReplacer(
				"{company_id}", "1", "{kind}", kind, "{id}", first, "{user_id}", fmt.Sprint(w.id), "{policy}", fmt.Sprint(w.policy), "{policy_id}", fmt.Sprint(w.policy),
				"{no}", "1", "{record}", record, "{record_id}", record, "{notice_id}", fmt.Sprint(id), "{manager_id}", fmt.Sprint(w.manager), "{hash}", strings.Repeat("0", 64),
				"{attachment}", "1", "{attachment_id}", "1", "{link_id}", "1", "{delivery_id}", "1", "{month}", "2026-11", "{set}", "1", "{session}", "999999", "{export}", "1",
			).Replace(path)
			if strings.ContainsAny(filled, "{}") {
				w.t.Errorf("%s has a parameter that no value is known for", place)
				return nil
			}
			name := url.QueryEscape(hiddenName)
			if strings.HasSuffix(path, "/users/{id}/installations") { // its platform is required
				for _, platform := range usage.ClientPlatforms {
					addresses = append(addresses, base+filled+"?platform="+platform, base+filled+"?platform="+platform+"&q="+name)
				}
			}
			for _, query := range []string{
				"", "?q=" + name, "?unit=day&date=2026-11-20", "?new=1&people_q=" + name, fmt.Sprintf("?edit=%d", w.manager), fmt.Sprintf("?user_id=%d", w.id), "?read=false", "?state=deactivated",
			} {
				addresses = append(addresses, base+filled+query)
			}
		}
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}
