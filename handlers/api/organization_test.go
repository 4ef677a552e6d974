package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

func organization(user int64, list string) string { return own(user) + "/organizations/" + list }

func TestResponseFields(t *testing.T) {
	s := newSite(t)
	s.exec("update users set image_hash = 'abc', company_phone = '02-1', personal_phone = '010-1' where id = $1", queriestest.Kim)
	s.exec(`insert into attendance_viewers (company_id, id, rank_id, whole_company, may_edit, created_at, updated_at) overriding system value values
		(1, 1, null, false, true, now(), now()), (1, 2, 2, true, false, now(), now())`)
	s.exec("insert into attendance_viewer_users values (1, 1, 4)")
	s.exec("insert into attendance_viewer_departments values (1, 1, false, 2, true), (1, 1, false, 5, false), (1, 2, false, 7, true)")
	s.exec(`insert into client_people (company_id, user_id, platform, installed, devices, system, version, version_number, os, os_number, device_name, first_login_at, last_login_at) values
		(1, $1, 'pc', true, 1, 'windows', '6.3.1', 1, 'Windows 11', 0, 'PC', '2025-01-02 03:04:05Z', '2026-11-19 01:00:00Z'),
		(1, $1, 'mobile', false, 0, 'ios', '6.4.1', 1, 'iOS 26.1', 0, 'iPhone', '2024-01-02 03:04:05Z', '2026-11-20 01:00:00Z')`, queriestest.Kim)
	admin := s.token(queriestest.Admin)
	for path, want := range map[string]string{
		organization(queriestest.Admin, "departments?q=영업팀&limit=1"): `{"data":[
			{"id":3,"name":"국내영업팀","parent_id":2,"path":"한빛테크/영업본부/국내영업팀","default":false,"children_ids":[],"user_count":1}],
			"meta":{"next_cursor":"eyJ2IjoxLCJsIjoiZGVwYXJ0bWVudHMiLCJzIjoi7ZWc67mb7YWM7YGsL-yYgeyXheuzuOu2gC_qta3rgrTsmIHsl4XtjIAifQ"}}`,
		organization(queriestest.Admin, "departments?limit=1&q=한빛"): `{"data":[
			{"id":1,"name":"한빛테크","parent_id":"#","path":"한빛테크","default":true,"children_ids":[5,2,7],"user_count":7}],"meta":{"next_cursor":null}}`,
		organization(queriestest.Admin, "users?q=김철수"): `{"data":[
			{"id":6,"name":"김철수","bot":false,"image":{"thumbnail_url":"/images/users/6?v=abc"},"email":"kim.cs@hanbit.example","employee_id":"H0006",
			"position":"사원","rank_id":3,"role_id":null,"company_phone":"02-1","personal_phone":"010-1","department":{"id":3,"name":"국내영업팀"},
			"departments":[{"id":3,"name":"국내영업팀","default":true},{"id":4,"name":"해외영업팀","default":false}],
			"installed":true,"version":"6.3.1","first_login_at":"2024-01-02T03:04:05Z","last_login_at":"2026-11-20T01:00:00Z"}],"meta":{"next_cursor":null}}`,
		organization(queriestest.Admin, "users?q=공지봇"): `{"data":[
			{"id":9,"name":"공지봇","bot":true,"email":"","employee_id":"","position":"","rank_id":null,"role_id":null,
			"company_phone":"","personal_phone":"","department":null,"departments":[],
			"installed":false,"version":"","first_login_at":null,"last_login_at":null}],"meta":{"next_cursor":null}}`,
		organization(queriestest.Admin, "ranks"): `{"data":[{"id":1,"name":"이사","position":1},{"id":2,"name":"부장","position":2},{"id":3,"name":"사원","position":3}],"meta":{"next_cursor":null}}`,
		organization(queriestest.Admin, "roles"): `{"data":[{"id":1,"name":"본부장","position":1},{"id":2,"name":"팀장","position":2}],"meta":{"next_cursor":null}}`,
		organization(queriestest.Admin, "saved-managers"): `{"data":[
			{"id":1,"user_id":4,"name":"최유진","position":"부장","role":"ROLE_W_COMMUTE","department_ids":[2,5],
			"departments":[{"id":2,"include_children":true},{"id":5,"include_children":false}]},
			{"id":2,"user_id":null,"name":"부장 이상","position":"부장","role":"","department_ids":[7],
			"departments":[{"id":7,"include_children":true}]}],"meta":{"next_cursor":null}}`,
	} {
		sameJSON(t, s.get(escape(path), admin).body, want)
	}
	viewer := s.get(organization(queriestest.Viewer, "users?limit=1"), s.token(queriestest.Viewer)).body
	values, _ := list(t, viewer, "hidden")
	equal(t, "hidden for others", values, []any{nil})
}

// escape encodes the query of a path as a browser does.
func escape(path string) string {
	path, query, found := strings.Cut(path, "?")
	if !found {
		return path
	}
	values := url.Values{}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		values.Set(name, value)
	}
	return path + "?" + values.Encode()
}

// Which users each reader sees (spec §6), in the orders of spec §9.
func TestScope(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		user               int64
		departments, users []int64
	}{
		{queriestest.Admin, []int64{1, 5, 6, 2, 3, 4, 7}, []int64{9, 1, 6, 3, 2, 8, 4, 7}},
		{queriestest.Viewer, []int64{2, 3, 4}, []int64{6, 3, 4, 7}},
		{queriestest.Manager, []int64{2, 3, 4}, []int64{6, 3, 4, 7}},
		{queriestest.Employee, nil, nil},
		{queriestest.OtherAdmin, []int64{8, 9}, []int64{11, 10}},
	} {
		token := s.token(c.user)
		equal(t, fmt.Sprint("departments of ", c.user), s.rows(organization(c.user, "departments"), token, "id"), c.departments)
		equal(t, fmt.Sprint("people of ", c.user), s.rows(organization(c.user, "users"), token, "id"), c.users)
	}
	// Only the first control of type commute counts, and hidden users are left
	// out.
	s.exec("insert into permission_controls (company_id, user_id, type, department_ids) values (1, 3, 'commute', '{5}'), (1, 2, 'other', '{5}'), (1, 2, 'commute', '{5}')")
	equal(t, "a second control", s.rows(organization(queriestest.Viewer, "departments"), s.token(queriestest.Viewer), "id"), []int64{2, 3, 4})
	employee := s.token(queriestest.Employee)
	equal(t, "the first of the type", s.rows(organization(queriestest.Employee, "departments"), employee, "id"), []int64{5, 6})
	equal(t, "without hidden people", s.rows(organization(queriestest.Employee, "users"), employee, "name"), []string{"이준호"})
}

// The count of a department includes the users below it whom the caller may
// see.
func TestUserCount(t *testing.T) {
	s := newSite(t)
	s.exec("update users set hidden_at = now() where id = $1", queriestest.Kim)
	s.exec("insert into permission_controls (company_id, user_id, type, department_ids) values (1, 2, 'commute', '{5}')")
	s.exec(`insert into attendance_viewers (company_id, id, rank_id, whole_company, may_edit, created_at, updated_at) overriding system value values (1, 1, null, false, true, now(), now())`)
	s.exec("insert into attendance_viewer_users values (1, 1, 6), (1, 1, 7)")
	s.exec("insert into attendance_viewer_departments values (1, 1, false, 2, false), (1, 1, false, 5, false)")
	for _, c := range []struct {
		user        int64
		departments []int64
		counts      []int64
	}{
		{queriestest.Admin, []int64{1, 5, 6, 2, 3, 4, 7}, []int64{6, 1, 1, 3, 0, 1, 1}}, // without two hidden users
		{queriestest.Viewer, []int64{2, 3, 4}, []int64{3, 0, 1}},
		{queriestest.Foreigner, []int64{5, 2}, []int64{0, 2}}, // without the departments below
		{queriestest.Employee, []int64{5, 6}, []int64{1, 1}},
		{queriestest.OtherAdmin, []int64{8, 9}, []int64{2, 1}},
	} {
		s.exec("insert into passwords (company_id, user_id, hash) select u.company_id, u.id, p.hash from users u, passwords p where u.id = $1 and p.user_id = 1 on conflict do nothing", c.user)
		token := s.token(c.user)
		equal(t, fmt.Sprint("departments of ", c.user), s.rows(organization(c.user, "departments"), token, "id"), c.departments)
		equal(t, fmt.Sprint("counts of ", c.user), s.rows(organization(c.user, "departments"), token, "user_count"), c.counts)
	}
	equal(t, "of a search", s.rows(escape(organization(queriestest.Admin, "departments?q=영업본부")), s.token(queriestest.Admin), "user_count"), []int64{3})
	s.exec("update users set department_id = 7 where id = 1")
	s.exec("update companies set directory_version = directory_version + 1")
	equal(t, "after a transfer", s.rows(organization(queriestest.Admin, "departments"), s.token(queriestest.Admin), "user_count"), []int64{6, 1, 1, 3, 0, 1, 2})
}

func TestDefaultDepartment(t *testing.T) {
	s := newSite(t)
	equal(t, "the viewer's", s.rows(organization(queriestest.Viewer, "departments"), s.token(queriestest.Viewer), "default"), []bool{true, false, false})
}

func TestSearch(t *testing.T) {
	s := newSite(t)
	admin, viewer := s.token(queriestest.Admin), s.token(queriestest.Viewer)
	for _, c := range []struct {
		token string
		user  int64
		query string
		found []int64
	}{
		{admin, queriestest.Admin, "users?q=철수", []int64{6}},
		{admin, queriestest.Admin, "users?q=ㄱㅊㅅ", []int64{6}},
		{admin, queriestest.Admin, "users?q=ㄱㅅ", []int64{1}},
		{admin, queriestest.Admin, "users?q=OLIVIA", []int64{7}},
		{admin, queriestest.Admin, "users?q=olivia mart", []int64{7}},
		{admin, queriestest.Admin, "users?q=ヒロシ", []int64{8}},
		{admin, queriestest.Admin, "users?q=佐藤", []int64{8}},
		{admin, queriestest.Admin, "users?q=sato@", []int64{8}},
		{admin, queriestest.Admin, "users?q=H0006", []int64{6}},
		{admin, queriestest.Admin, "users?q=없는사람", nil},
		{admin, queriestest.Admin, "users?q=%%", nil},
		{admin, queriestest.Admin, "users?q=_철수", nil},
		{admin, queriestest.Admin, "users?q=철\x00수", []int64{6}},
		{admin, queriestest.Admin, "users?q=\xff\xfe", nil},
		{admin, queriestest.Admin, "users?q=\u202e\U0001F600\U0001F600", nil},
		{admin, queriestest.Admin, "users?q=hanbit.example", []int64{1, 6, 3, 2, 8, 4, 7}},
		{admin, queriestest.Admin, "users?department_id=2", []int64{6, 3, 4, 7}},
		{admin, queriestest.Admin, "users?department_id=4", []int64{7}},
		{admin, queriestest.Admin, "users?department_id=9", nil},
		{admin, queriestest.Admin, "users?department_id=2&q=hanbit", []int64{6, 3, 4, 7}},
		{admin, queriestest.Admin, "users?department_id=5&q=김철수", nil},
		{viewer, queriestest.Viewer, "users?q=김철수", []int64{6}},
		{viewer, queriestest.Viewer, "users?q=이준호", nil},
		{viewer, queriestest.Viewer, "users?department_id=5", nil},
		{viewer, queriestest.Viewer, "users?department_id=1&q=hanbit", []int64{6, 3, 4, 7}},
		{admin, queriestest.Admin, "departments?q=영업팀", []int64{3, 4}},
		{admin, queriestest.Admin, "departments?q=ㄱㄴㅇㅇ", []int64{3}},
		{admin, queriestest.Admin, "departments?q=영업본부", []int64{2}},
		{admin, queriestest.Admin, "departments?q=영업본부 국내", []int64{3}},
		{admin, queriestest.Admin, "departments?q=연구소 국내", nil},
		{viewer, queriestest.Viewer, "departments?q=연구소", nil},
	} {
		equal(t, c.query, s.rows(escape(organization(c.user, c.query)), c.token, "id"), c.found)
	}
}

func TestSearchRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	for query, want := range map[string]string{
		"users?q=김":                       "search.too_short",
		"departments?q=a":                 "search.too_short",
		"users?limit=0":                   "api.refused",
		"users?limit=501":                 "api.refused",
		"users?limit=ten":                 "api.refused",
		"users?limit=-1":                  "api.refused",
		"users?department_id=x":           "api.refused",
		"users?department_id=0":           "api.refused",
		"users?cursor=x":                  "api.refused",
		"ranks?cursor=!":                  "api.refused",
		"users?limit=9999999999999999999": "api.refused",
	} {
		a := s.get(escape(organization(queriestest.Admin, query)), admin)
		if a.status != http.StatusUnprocessableEntity || code(t, a) != want {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	// Clients may send any text as a cursor.
	nul := (&lists.Cursor{List: "users", Value: "\x00", ID: 6}).String()
	a := s.get(organization(queriestest.Admin, "users?cursor="+nul), admin)
	if a.status != http.StatusUnprocessableEntity || code(t, a) != "api.refused" || a.header.Get("ETag") != "" {
		t.Errorf("NUL in a cursor: %d %s %v", a.status, a.body, a.header)
	}
}

// Pages of every size contain the whole list once, in its order.
func TestPages(t *testing.T) {
	s := newSite(t)
	s.exec("insert into departments (company_id, parent_id, name) select 1, 5, '팀 ' || n from generate_series(1, 80) n")
	s.exec(`insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, d.id, '김 ' || n % 7, 'p' || n || '@pages.example', 'pages', '{pa,ag,ge,es}'
		from generate_series(1, 2300) n join departments d on d.name = '팀 ' || (n % 80 + 1)`)
	admin := s.token(queriestest.Admin)
	for _, query := range []string{"departments?", "ranks?", "roles?", "saved-managers?", "users?", "users?q=pages&", "users?department_id=5&", "users?department_id=2&", "users?department_id=5&q=pages&"} {
		path := organization(queriestest.Admin, query)
		whole := s.rows(path, admin, "id")
		for _, limit := range []int{1, 3, 97, 500} {
			if limit < 10 && len(whole) > 100 {
				continue
			}
			equal(t, fmt.Sprint(query, limit), s.pages(path+fmt.Sprint("limit=", limit), admin), whole)
		}
		if query == "users?" {
			equal(t, "number of people", len(whole), 2308)
			names := s.rows(path, admin, "name")
			if slices.Equal(names, whole) || len(slices.Compact(slices.Clone(whole))) != len(whole) {
				t.Error("somebody is listed twice")
			}
		}
	}
}

func (s *site) pages(path, token string) (all []any) {
	s.t.Helper()
	cursor := ""
	for {
		a := s.get(path+"&cursor="+cursor, token)
		if a.status != http.StatusOK {
			s.t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		var ids []any
		ids, cursor = list(s.t, a.body, "id")
		all = append(all, ids...)
		if cursor == "" {
			return all
		}
	}
}

func TestETag(t *testing.T) {
	s := newSite(t)
	admin, viewer := s.token(queriestest.Admin), s.token(queriestest.Viewer)
	path, others := organization(queriestest.Admin, "users"), organization(queriestest.Viewer, "users")
	first := s.get(path, admin)
	tag := first.header.Get("ETag")
	if tag == "" || first.header.Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("headers %v", first.header)
	}
	for _, condition := range []string{tag, `W/"other", ` + tag, "*"} {
		if a := s.get(path, admin, "If-None-Match: "+condition); a.status != http.StatusNotModified || a.body != "" || a.header.Get("ETag") != tag {
			t.Errorf("%s: %d %s", condition, a.status, a.body)
		}
	}
	if a := s.get(path+"?q=hanbit", admin, "If-None-Match: "+tag); a.status != http.StatusOK {
		t.Errorf("another query: %d", a.status)
	}
	if a := s.get(organization(queriestest.Admin, "ranks"), admin, "If-None-Match: "+tag); a.status != http.StatusOK {
		t.Errorf("another list: %d", a.status)
	}
	seen := s.get(others, viewer).header.Get("ETag")
	s.exec("update permission_controls set department_ids = '{3}' where user_id = $1", queriestest.Viewer)
	if a := s.get(others, viewer, "If-None-Match: "+seen); a.status != http.StatusOK {
		t.Errorf("a smaller scope: %d", a.status)
	}
	if _, err := s.db.Hidings.Show(t.Context(), queriestest.AdminActor(t, s.db), []int64{queriestest.Hidden}); err != nil {
		t.Fatal(err)
	}
	if a := s.get(path, admin, "If-None-Match: "+tag); a.status != http.StatusOK || a.header.Get("ETag") == tag {
		t.Errorf("after a change: %d", a.status)
	}
}

func TestLongSearch(t *testing.T) {
	s := newSite(t)
	token, long := s.token(queriestest.Admin), strings.Repeat("a", 201)
	for _, path := range []string{"/organizations/users", "/policies/communication", "/logs/workingattitude?unit=day", "/notices", "/hidden-users"} {
		separator := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		if a := s.get("/companies/1/users/1"+path+separator+"q="+long, token); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "search.too_long") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// A further department outside of the caller's scope is not named.
func TestFurtherDepartmentsAreScoped(t *testing.T) {
	s := newSite(t)
	s.exec("insert into user_departments values (1, $1, $2)", queriestest.Kim, queriestest.Research)
	for user, want := range map[int64]bool{queriestest.Admin: true, queriestest.Viewer: false} {
		a := s.get(own(user)+"/organizations/users?limit=50", s.token(user))
		if a.status != http.StatusOK || !strings.Contains(a.body, "해외영업팀") || strings.Contains(a.body, "연구소") != want {
			t.Errorf("%s: %d %s", queriestest.Email(user), a.status, a.body)
		}
	}
}

// A program reads the picture of a person with its token; the page's address needs a
// browser that is signed in.
func TestUserImage(t *testing.T) {
	s := newSite(t)
	stored := func(user int64, content string) {
		blob, err := s.files.Put(t.Context(), queriestest.Hanbit, strings.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		s.exec("update users set image_hash = $2 where company_id = 1 and id = $1", user, path.Base(blob.Key))
	}
	content := pngOf(t, 64, 64)
	for _, user := range []int64{queriestest.Kim, queriestest.Hidden} {
		stored(user, content)
	}
	stored(queriestest.Manager, "<script>alert(1)</script>")
	image := func(caller, user int64) answer {
		return s.get(fmt.Sprintf("%s/organizations/users/%d/image", own(caller), user), s.token(caller))
	}
	a := image(queriestest.Employee, queriestest.Kim)
	equal(t, "picture", []any{a.status, a.header.Get("Content-Type"), a.header.Get("Cache-Control"), a.body == content}, []any{200, "image/png", "private, no-cache", true})
	equal(t, "of a hidden person", []int{image(queriestest.Employee, queriestest.Hidden).status, image(queriestest.Admin, queriestest.Hidden).status}, []int{404, 200})
	equal(t, "none, no picture, nobody, of another company", []int{
		image(queriestest.Admin, queriestest.Employee).status, image(queriestest.Admin, queriestest.Manager).status,
		image(queriestest.Admin, 99999).status, image(queriestest.OtherAdmin, queriestest.Kim).status,
	}, []int{404, 404, 404, 404})
}
