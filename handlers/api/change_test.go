package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// renamed saves the audit policy under another name with a token, a second
// later.
func (s *site) renamed(token string, user int64, version int, name string) {
	s.t.Helper()
	s.clock.Advance(time.Second)
	a := s.call(http.MethodPut, own(user)+"/policies/communication/7", token, `{"name":"`+name+`","enabled":false}`, fmt.Sprintf(`If-Match: "%d"`, version))
	if a.status != http.StatusOK {
		s.t.Fatalf("%d %s", a.status, a.body)
	}
}

func TestAudit(t *testing.T) {
	s := newSite(t)
	token, audit := s.token(queriestest.Admin), own(queriestest.Admin)+"/audit"
	equal(t, "nothing yet", len(s.rows(audit, token, "id")), 0)
	s.renamed(token, queriestest.Admin, 1, "감사 1")
	s.exec("update users set is_admin = true where id = $1", queriestest.Manager)
	s.renamed(s.token(queriestest.Manager), queriestest.Manager, 2, "감사 2")
	between := s.clock.Now().UTC().Format(time.RFC3339)
	s.renamed(token, queriestest.Admin, 3, "감사 3")
	object(t, s.call(http.MethodPost, managersOf(queriestest.Admin), token, `{"by":"person","user_ids":[2],"departments":[{"id":5}]}`), http.StatusCreated)

	actions := []any{"viewer.registered", "policy.updated", "policy.updated", "policy.updated"}
	equal(t, "all", s.rows(audit, token, "action"), actions)
	equal(t, "page by page", s.pages(audit+"?limit=1", token), s.rows(audit, token, "id"))
	for query, want := range map[string]int{
		"object_type=policy": 3, "object_type=policy&object_id=7": 3, "object_type=policy&object_id=6": 0, "object_type=viewer": 1, "object_type=notice": 0,
		"q=" + url.QueryEscape("감사 2"): 2, "q=" + url.QueryEscape("감사 2") + "&actor_id=4": 1, "q=" + url.QueryEscape("최유진"): 2, // who changed it, and who owned it until then
		"actor_id=4": 1, "actor_id=4&object_type=viewer": 0, "actor_id=1&object_type=policy": 2, "actor_id=1&object_type=policy&object_id=7": 2,
		"since=" + between: 3, "until=" + between: 1, "since=" + between + "&object_type=policy": 2, "until=" + between + "&actor_id=1": 1,
		"until=" + between + "&object_type=policy&object_id=7": 1, "since=" + between + "&until=" + between: 0,
	} {
		equal(t, query, len(s.pages(audit+"?limit=2&"+query, token)), want)
	}
	_, next := list(t, s.get(audit+"?limit=1", token).body, "id")
	equal(t, "a place behind the period", len(s.rows(audit+"?cursor="+next+"&until="+between, token, "id")), 1)
	for query, want := range map[string]string{"object_id=7": "api.field.required", "since=yesterday": "api.refused", "since=2026-11-20T00:00:00Z&until=2026-11-19T00:00:00Z": "search.period.reversed", "cursor=" + url.QueryEscape("bm9uZQ"): "api.refused", "limit=0": "api.refused", "q=x": "search.too_short"} {
		refused := s.get(audit+"?"+query, token)
		equal(t, query, []any{refused.status, code(t, refused)}, []any{http.StatusUnprocessableEntity, want})
	}
	equal(t, "reversed reads", code(t, s.get(audit+"/reads?from=2026-11-20&to=2026-11-19", token)), "search.period.reversed")

	var first map[string]any
	for _, row := range object(t, s.get(audit+"?actor_id=4", token), http.StatusOK)["data"].([]any) {
		first = row.(map[string]any)
	}
	equal(t, "who", first["actor"], map[string]any{"id": 4, "name": "최유진"})
	equal(t, "what", first["object"], map[string]any{"type": "policy", "id": 7, "name": "감사 2"})
	equal(t, "before", first["old"].(map[string]any)["name"], "감사 1")
	equal(t, "after", first["new"].(map[string]any)["name"], "감사 2")
	equal(t, "where and whether", []any{first["address"], first["revertible"], first["at"]}, []any{"127.0.0.1", true, between})
}

func TestAuditIsForAdministrators(t *testing.T) {
	s := newSite(t)
	token, audit := s.token(queriestest.Admin), own(queriestest.Admin)+"/audit"
	s.renamed(token, queriestest.Admin, 1, "감사 1")
	one := jsonNumber(s.rows(audit, token, "id")[0])
	for user, status := range map[int64]int{queriestest.Employee: 403, queriestest.Manager: 403, queriestest.OtherAdmin: 404} {
		theirs := s.token(user)
		equal(t, queriestest.Email(user), s.call(http.MethodPost, own(user)+"/audit/"+one+"/revert", theirs, "").status, status)
		equal(t, queriestest.Email(user)+" as somebody else", s.get(audit, theirs).status, http.StatusNotFound)
	}
	equal(t, "an employee", s.get(own(queriestest.Employee)+"/audit", s.token(queriestest.Employee)).status, http.StatusForbidden)
	equal(t, "another company", len(s.rows(own(queriestest.OtherAdmin)+"/audit", s.token(queriestest.OtherAdmin), "id")), 0)
	equal(t, "nobody", s.get(audit, "").status, http.StatusUnauthorized)
}

func TestRevert(t *testing.T) {
	s := newSite(t)
	token, audit := s.token(queriestest.Admin), own(queriestest.Admin)+"/audit"
	latest := func() string { return jsonNumber(s.rows(audit+"?limit=1", token, "id")[0]) }
	policy := own(queriestest.Admin) + "/policies/communication/5"
	revert := func(id string, status int) map[string]any {
		t.Helper()
		return object(t, s.call(http.MethodPost, audit+"/"+id+"/revert", token, ""), status)
	}

	object(t, s.call(http.MethodDelete, policy, token, "", `If-Match: "2"`), http.StatusOK)
	deleted := latest()
	object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/policies/communication", token, `{"name":"해외","targets":[{"type":"department","id":4}],"effective_from":"now"}`), http.StatusCreated)
	back := revert(deleted, http.StatusOK)
	equal(t, "lost", back["lost"], []any{map[string]any{"type": "department", "id": 4, "include_children": true}})
	equal(t, "what it did", []any{back["change"].(map[string]any)["action"], jsonNumber(back["change"].(map[string]any)["id"])}, []any{"policy.restored", latest()})
	object(t, s.get(policy, token), http.StatusOK)
	equal(t, "once", revert(deleted, http.StatusConflict)["code"], "change.revert.changed")

	s.renamed(token, queriestest.Admin, 1, "감사 1")
	first := latest()
	s.renamed(token, queriestest.Admin, 2, "감사 2")
	conflict := revert(first, http.StatusConflict)
	by := conflict["changed_by"].(map[string]any)
	equal(t, "changed since", []any{conflict["code"], by["fields"], by["user"].(map[string]any)["name"], conflict["errors"].([]any)[0].(map[string]any)["field"]}, []any{"change.revert.changed", []any{"name"}, "김서연", "name"})
	equal(t, "none", revert("99999", http.StatusNotFound)["code"], "api.not_found")

	s.exec(`insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name) values (1, $1, '운영자', 'user.created', 'user', 2, '이준호')`, s.clock.Now().Add(time.Second))
	equal(t, "another kind", revert(latest(), http.StatusUnprocessableEntity)["code"], "change.revert.never")
	equal(t, "an operator", object(t, s.get(audit+"?limit=1", token), 200)["data"].([]any)[0].(map[string]any)["actor"], map[string]any{"id": nil, "name": "운영자"})
}

// What a change edited of a policy or a link is set back after edits of something else.
func TestRevertChangeOfOneField(t *testing.T) {
	s := newSite(t)
	token, admin := s.token(queriestest.Admin), own(queriestest.Admin)
	latest := func() string { return jsonNumber(s.rows(admin+"/audit?limit=1", token, "id")[0]) }
	revert := func(id string, status int) map[string]any {
		t.Helper()
		s.clock.Advance(time.Second)
		return object(t, s.call(http.MethodPost, admin+"/audit/"+id+"/revert", token, ""), status)
	}
	audited := admin + "/policies/communication/7"
	save := func(settings string) string {
		t.Helper()
		s.clock.Advance(time.Second)
		object(t, s.call(http.MethodPut, audited, token, `{"name":"감사","enabled":false,"settings":`+settings+`}`, "If-Match: "+s.get(audited, token).header.Get("ETag")), http.StatusOK)
		return latest()
	}
	save(`{}`)
	const ranges = `"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]`
	first := save(`{` + ranges + `}`)
	save(`{` + ranges + `,"mobile_copy":false}`)
	revert(first, http.StatusOK)
	undone := latest()
	stored := func() []any {
		t.Helper()
		settings := object(t, s.get(audited, token), http.StatusOK)["settings"].(map[string]any)
		return []any{len(settings["allowed_ip_ranges"].([]any)), settings["mobile_copy"]}
	}
	equal(t, "the ranges are set back", stored(), []any{0, false})
	revert(undone, http.StatusOK)
	equal(t, "and set again", stored(), []any{1, false})
	save(`{"allowed_ip_ranges":[{"location_name":"지사","range":"198.51.100.0/24"}],"mobile_copy":false}`)
	refused := revert(first, http.StatusConflict)
	equal(t, "changed again", []any{refused["code"], refused["changed_by"].(map[string]any)["fields"]}, []any{"change.revert.changed", []any{"settings.allowed_ip_ranges"}})

	id := jsonNumber(object(t, s.call(http.MethodPost, admin+"/links", token, `{"name":"하나","url":"https://{host}/"}`), http.StatusCreated)["id"])
	edit := func(body string) string {
		t.Helper()
		s.clock.Advance(time.Second)
		object(t, s.call(http.MethodPatch, admin+"/links/"+id, token, body), http.StatusOK)
		return latest()
	}
	first = edit(`{"name":"둘"}`)
	edit(`{"description":"설명"}`)
	revert(first, http.StatusOK)
	equal(t, "the link", queriestest.LookUp(t, s.db, "select name || ' ' || description from links"), "하나 설명")
	edit(`{"name":"셋"}`)
	refused = revert(first, http.StatusConflict)
	equal(t, "renamed again", []any{refused["code"], refused["changed_by"].(map[string]any)["fields"]}, []any{"change.revert.changed", []any{"name"}})
}

// Reverting a change that lets the administrator sign in needs a confirmation,
// as saving it would.
func TestRiskyRevert(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/1"
	// Another administrator would be locked out, but not the one who acts.
	object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/policies/communication", token, `{"name":"관리자","targets":[{"type":"user","id":1}],"effective_from":"now"}`), http.StatusCreated)
	if err := s.db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, s.db), queriestest.Person(t, s.db, queriestest.Hanbit, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	s.token(queriestest.Manager)
	object(t, s.call(http.MethodPut, one, token, `{"name":"기본 정책","settings":{"login_platforms":["pc"]},"effective_from":"now","confirmed":true}`, `If-Match: "1"`), http.StatusOK)
	object(t, s.call(http.MethodPost, one+"/versions/2/confirmation", token, ""), http.StatusOK)
	s.clock.Advance(time.Second)
	object(t, s.call(http.MethodPut, one, token, `{"name":"기본 정책","settings":{},"effective_from":"now"}`, `If-Match: "2"`), http.StatusOK)
	revert := own(queriestest.Admin) + "/audit/" + jsonNumber(s.rows(own(queriestest.Admin)+"/audit?limit=1", token, "id")[0]) + "/revert"
	refused := object(t, s.call(http.MethodPost, revert, token, ""), http.StatusUnprocessableEntity)
	equal(t, "code", refused["code"], "policy.lock_out")
	object(t, s.call(http.MethodPost, revert+"?confirmed=true", token, ""), http.StatusOK)
	if object(t, s.get(one, token), http.StatusOK)["confirm_by"] == nil {
		t.Error("it does not end by itself")
	}
}
