package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

func managersOf(user int64) string { return own(user) + "/policies/workingattitude/managers" }

func TestViewerLifecycle(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), managersOf(queriestest.Admin)
	created := object(t, s.call(http.MethodPost, all, token, `{"by":"position","rank_id":2,"within":[{"id":2},{"id":7,"include_children":false}],"departments":[{"id":5,"include_children":false}],"may_edit":true}`), http.StatusCreated)
	one := all + "/" + jsonNumber(created["id"])
	read := s.get(one, token)
	sameJSON(t, read.body, `{"id":`+jsonNumber(created["id"])+`,"by":"position","rank":{"id":2,"name":"부장"},"whole_company":false,
		"within":[{"id":2,"name":"영업본부","include_children":true},{"id":7,"name":"일본지사","include_children":false}],"users":[],
		"departments":[{"id":5,"name":"연구소","include_children":false}],"may_edit":true,"registered_by":"김서연","registered_at":"2026-11-20T01:00:00Z"}`)

	changed := object(t, s.call(http.MethodPatch, one, token, `{"may_edit":false}`), http.StatusOK)
	equal(t, "changed", []any{changed["may_edit"], changed["by"], len(changed["within"].([]any))}, []any{false, "position", 2})
	changed = object(t, s.call(http.MethodPatch, one, token, `{"by":"person","user_ids":[2,6],"departments":[{"id":7}]}`), http.StatusOK)
	equal(t, "people", changed["users"], []any{
		map[string]any{"id": 6, "name": "김철수", "position": "사원", "department": "국내영업팀"}, map[string]any{"id": 2, "name": "이준호", "position": "사원", "department": "메신저팀"}})
	equal(t, "rank", changed["rank"], nil)

	if a := s.call(http.MethodDelete, one, token, ""); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if a := s.call(method, one, token, ""); a.status != http.StatusNotFound {
			t.Errorf("%s of a deleted one: %d %s", method, a.status, a.body)
		}
	}
	if a := s.call(http.MethodPatch, one, token, `{}`); a.status != http.StatusNotFound {
		t.Errorf("PATCH of a deleted one: %d %s", a.status, a.body)
	}
	object(t, s.call(http.MethodPost, one+"/restoration", token, ""), http.StatusOK)
	equal(t, "seen by 이준호", s.rows(organization(queriestest.Employee, "departments"), s.token(queriestest.Employee), "id"), []int64{7})
	s.call(http.MethodDelete, one, token, "")
	object(t, s.call(http.MethodPost, all, token, `{"by":"person","user_ids":[6],"departments":[{"id":7}]}`), http.StatusCreated)
	if a := s.call(http.MethodPost, one+"/restoration", token, ""); a.status != http.StatusConflict || code(t, a) != "viewer.restore.taken" {
		t.Errorf("restoring what is registered again: %d %s", a.status, a.body)
	}
}

// A change based on an old state is refused once there is a newer one.
func TestViewersIfMatch(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), managersOf(queriestest.Admin)
	created := s.call(http.MethodPost, all, token, `{"by":"person","user_ids":[2],"departments":[{"id":5}]}`)
	one, first := all+"/"+jsonNumber(object(t, created, http.StatusCreated)["id"]), created.header.Get("ETag")
	equal(t, "read", s.get(one, token).header.Get("ETag"), first)

	changed := s.call(http.MethodPatch, one, token, `{"may_edit":true}`, "If-Match: "+first)
	object(t, changed, http.StatusOK)
	second := changed.header.Get("ETag")
	if second == first || s.get(one, token).header.Get("ETag") != second {
		t.Errorf("after a change: %s", second)
	}
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		stale := s.call(method, one, token, `{"may_edit":false}`, "If-Match: "+first)
		equal(t, method, []any{stale.status, code(t, stale)}, []any{http.StatusConflict, "viewer.changed"})
		unreadable := s.call(method, one, token, `{"may_edit":false}`, "If-Match: newest")
		equal(t, method, []any{unreadable.status, code(t, unreadable)}, []any{http.StatusPreconditionRequired, "api.if_match"})
	}
	equal(t, "kept", object(t, s.get(one, token), http.StatusOK)["may_edit"], true)
	object(t, s.call(http.MethodPatch, one, token, `{"may_edit":false}`), http.StatusOK)
	equal(t, "deleted", s.call(http.MethodDelete, one, token, "", `If-Match: "3"`).status, http.StatusNoContent)
	back := s.call(http.MethodPost, one+"/restoration", token, "")
	equal(t, "restored", []any{object(t, back, http.StatusOK)["may_edit"], back.header.Get("ETag")}, []any{false, `"5"`})
}

func TestViewersRefuse(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), managersOf(queriestest.Admin)
	for _, c := range []struct {
		body, language string
		want           map[string]string // error code by field
		message        string
	}{
		{`{}`, "ko", map[string]string{"by": "viewer.by.required", "departments": "viewer.departments.required"}, "등록 방식을 선택해 주세요."},
		{`{"by":"position"}`, "en", map[string]string{"rank_id": "viewer.position.required", "within": "viewer.targets.required", "departments": "viewer.departments.required"}, "Please select a management department."},
		{`{"by":"person","departments":[{"id":2}]}`, "ja", map[string]string{"user_ids": "viewer.targets.required"}, "対象を選択してください。"},
		{`{"by":"person","user_ids":[2,3,4],"departments":[{"id":2}]}`, "ko", map[string]string{"user_ids": "viewer.people.too_many"}, "대상은 최대 2명까지 선택할 수 있습니다."},
		{`{"by":"person","user_ids":[11],"departments":[{"id":9}]}`, "ko", map[string]string{"user_ids": "viewer.people.unknown", "departments": "viewer.departments.unknown"}, "선택한 부서 중 찾을 수 없는 부서가 있습니다. 다시 선택해 주세요."},
		{`{"by":"boss","departments":[{"id":2}]}`, "ko", map[string]string{"by": "viewer.by.required"}, "등록 방식을 선택해 주세요."},
		{`{"who":"x"}`, "ko", map[string]string{"who": "api.field.unknown"}, "입력한 값을 확인해 주세요."},
	} {
		answered := object(t, s.call(http.MethodPost, all, token, c.body, "Accept-Language: "+c.language), http.StatusUnprocessableEntity)
		got := map[string]string{}
		for _, e := range answered["errors"].([]any) {
			e := e.(map[string]any)
			got[e["field"].(string)] = e["code"].(string)
		}
		equal(t, c.body, fmt.Sprint(got, answered["message"]), fmt.Sprint(c.want, c.message))
	}
	if a := s.call(http.MethodPost, all, token, `{`); a.status != http.StatusBadRequest {
		t.Errorf("no JSON: %d %s", a.status, a.body)
	}
	for _, id := range []string{"0", "-1", "99999", "x"} {
		if a := s.get(all+"/"+id, token); a.status != http.StatusNotFound && a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", id, a.status, a.body)
		}
	}
}

func TestViewersAccess(t *testing.T) {
	s := newSite(t)
	created := object(t, s.call(http.MethodPost, managersOf(queriestest.Admin), s.token(queriestest.Admin), `{"by":"person","user_ids":[2],"departments":[{"id":5}]}`), http.StatusCreated)
	id := jsonNumber(created["id"])
	for _, c := range []struct {
		user      int64
		all, each int
	}{
		{queriestest.Employee, 403, 403}, {queriestest.Viewer, 403, 403}, {queriestest.Manager, 403, 403}, {queriestest.OtherAdmin, 200, 404},
	} {
		token, all := s.token(c.user), managersOf(c.user)
		for _, call := range []struct {
			method, path, body string
			status             int
		}{
			{http.MethodGet, all, "", c.all}, {http.MethodGet, all + "/" + id, "", c.each}, {http.MethodPatch, all + "/" + id, `{}`, c.each},
			{http.MethodDelete, all + "/" + id, "", c.each}, {http.MethodPost, all + "/" + id + "/restoration", "", c.each},
			{http.MethodGet, managersOf(queriestest.Admin), "", 404},
		} {
			if a := s.call(call.method, call.path, token, call.body); a.status != call.status {
				t.Errorf("%d %s %s: %d %s", c.user, call.method, call.path, a.status, a.body)
			}
		}
		equal(t, "nothing crosses", len(s.idsOrNone(all, token)), 0)
	}
	if a := s.get(managersOf(queriestest.Admin), ""); a.status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", a.status)
	}
}

// idsOrNone returns the ids of a list, none if the request was refused.
func (s *site) idsOrNone(path, token string) []any {
	s.t.Helper()
	a := s.get(path, token)
	if a.status != http.StatusOK {
		return nil
	}
	ids, _ := list(s.t, a.body, "id")
	return ids
}

func TestViewersList(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), managersOf(queriestest.Admin)
	var ids []any
	for _, body := range []string{
		`{"by":"person","user_ids":[2,6],"departments":[{"id":5}],"may_edit":true}`,
		`{"by":"position","rank_id":2,"whole_company":true,"departments":[{"id":2}]}`,
		`{"by":"person","user_ids":[7],"departments":[{"id":7}]}`,
	} {
		ids = append([]any{object(t, s.call(http.MethodPost, all, token, body), http.StatusCreated)["id"]}, ids...)
	}
	equal(t, "all", s.rows(all, token, "id"), ids)
	equal(t, "page by page", s.pages(all+"?limit=1", token), ids)
	equal(t, "editing", s.rows(all+"?may_edit=true", token, "id"), ids[2:])
	equal(t, "not editing", s.rows(all+"?may_edit=false", token, "id"), ids[:2])
	equal(t, "found", s.rows(escape(all+"?q=부장"), token, "id"), ids[1:2])
	if a := s.get(escape(all+"?q=부"), token); a.status != http.StatusUnprocessableEntity || code(t, a) != "search.too_short" {
		t.Errorf("short search: %d %s", a.status, a.body)
	}

	saved := organization(queriestest.Admin, "saved-managers")
	equal(t, "saved managers", s.rows(saved, token, "name"), []string{"이준호", "김철수", "부장 이상", "Olivia Martin"})
	equal(t, "in English", func() any { v, _ := list(t, s.get(saved, token, "Accept-Language: en").body, "name"); return v[2] }(), "부장 or above")
	equal(t, "their roles", s.rows(saved, token, "role"), []string{directory.RoleCommute, directory.RoleCommute, "", ""})
	equal(t, "page by page", s.pages(saved+"?limit=1", token), s.rows(saved, token, "id"))
	s.exec("update users set hidden_at = now() where id = 6")
	equal(t, "without hidden people", s.rows(saved, token, "user_id"), []any{2, nil, 7})

	for _, path := range []string{all, saved} {
		tag := s.get(path, token).header.Get("ETag")
		if a := s.get(path, token, "If-None-Match: "+tag); a.status != http.StatusNotModified {
			t.Errorf("%s: %d", path, a.status)
		}
		s.clock.Advance(time.Second)
		if a := s.call(http.MethodPatch, all+"/"+jsonNumber(ids[0]), token, `{"may_edit":true}`); a.status != http.StatusOK {
			t.Fatalf("%d %s", a.status, a.body)
		}
		if a := s.get(path, token, "If-None-Match: "+tag); a.status != http.StatusOK {
			t.Errorf("%s after a change: %d", path, a.status)
		}
	}
}
