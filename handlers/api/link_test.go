package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

func linksOf(user int64) string    { return own(user) + "/links" }
func servicesOf(user int64) string { return own(user) + "/convenience-services" }

// rowsOf gives a member of every row of an answer.
func rowsOf(t *testing.T, a answer, member string) []any {
	t.Helper()
	var values []any
	for _, row := range object(t, a, http.StatusOK)["data"].([]any) {
		values = append(values, row.(map[string]any)[member])
	}
	return values
}

func TestLinkLife(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), linksOf(queriestest.Admin)
	sameJSON(t, s.get(all, token).body, `{"data":[],"meta":{"next_cursor":null}}`)
	created := s.call(http.MethodPost, all, token, `{"name":" 그룹웨어 ","description":"결재","url":"gw.{host}/home"}`)
	id := jsonNumber(object(t, created, http.StatusCreated)["id"])
	one := all + "/" + id
	sameJSON(t, created.body, `{"id":`+id+`,"name":"그룹웨어","description":"결재","url":"gw.{host}/home","address":"https://gw.hanbit.example/home","visible":true,"icon_visible":false}`)
	first := created.header.Get("ETag")
	equal(t, "read", s.get(one, token).header.Get("ETag"), first)
	changed := s.call(http.MethodPatch, one, token, `{"visible":false,"icon_visible":true}`, "If-Match: "+first)
	body := object(t, changed, http.StatusOK)
	equal(t, "changed", []any{body["name"], body["visible"], body["icon_visible"]}, []any{"그룹웨어", false, true})
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		stale := s.call(method, one, token, `{"name":"다른 이름"}`, "If-Match: "+first)
		equal(t, method, []any{stale.status, code(t, stale)}, []any{http.StatusConflict, "link.changed"})
	}
	if a := s.call(http.MethodDelete, one, token, ""); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPatch} {
		if a := s.call(method, one, token, `{}`); a.status != http.StatusNotFound {
			t.Errorf("%s of a deleted one: %d %s", method, a.status, a.body)
		}
	}
	equal(t, "deleted", rowsOf(t, s.get(all+"?status=deleted", token), "name"), []any{"그룹웨어"})
	object(t, s.call(http.MethodPost, one+"/restoration", token, ""), http.StatusOK)
	equal(t, "no longer deleted", len(rowsOf(t, s.get(all+"?status=deleted", token), "name")), 0)
	equal(t, "restored", rowsOf(t, s.get(all, token), "name"), []any{"그룹웨어"})
}

func TestRefusedLinks(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), linksOf(queriestest.Admin)
	for body, want := range map[string]string{
		`{}`: "link.name.required link.url.required",
		`{"name":"가","url":"javascript:alert(1)"}`:                  "link.url.scheme",
		`{"name":"가","url":"{host}.evil"}`:                          "link.url.host",
		`{"name":"가","url":"http://{host}@evil"}`:                   "link.url.host",
		`{"name":"가","url":"data:text/html,{host}"}`:                "link.url.host",
		`{"name":"위\t키","description":"\u202e결재","url":"{host}"}`:   "link.description.invalid link.name.invalid",
		`{"name":"위키\ud800","description":"\u0000","url":"{host}"}`: "link.description.invalid link.name.invalid",
	} {
		a := s.call(http.MethodPost, all, token, body)
		var codes string
		for _, e := range object(t, a, http.StatusUnprocessableEntity)["errors"].([]any) {
			if codes != "" {
				codes += " "
			}
			codes += e.(map[string]any)["code"].(string)
		}
		equal(t, body, codes, want)
	}
	for i := range link.MaxLinks {
		object(t, s.call(http.MethodPost, all, token, fmt.Sprintf(`{"name":"링크 %d","url":"{host}"}`, i)), http.StatusCreated)
	}
	full := s.call(http.MethodPost, all, token, `{"name":"하나 더","url":"{host}"}`)
	equal(t, "one more", []any{full.status, code(t, full)}, []any{http.StatusUnprocessableEntity, "link.limit"})
}

func TestLinkOrder(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), linksOf(queriestest.Admin)
	var ids []string
	for _, name := range []string{"가", "나", "다"} {
		ids = append(ids, jsonNumber(object(t, s.call(http.MethodPost, all, token, `{"name":"`+name+`","url":"{host}"}`), http.StatusCreated)["id"]))
	}
	equal(t, "order", rowsOf(t, s.call(http.MethodPut, all+"/order", token, `{"ids":[`+ids[2]+`]}`), "name"), []any{"다", "가", "나"})
	equal(t, "move", rowsOf(t, s.call(http.MethodPut, all+"/"+ids[0]+"/position", token, `{"after_id":`+ids[1]+`}`), "name"), []any{"다", "나", "가"})
	unknown := s.call(http.MethodPut, all+"/order", token, `{"ids":[999]}`)
	equal(t, "unknown", []any{unknown.status, code(t, unknown)}, []any{http.StatusUnprocessableEntity, "link.order.unknown"})
	equal(t, "after one that is not there", s.call(http.MethodPut, all+"/"+ids[0]+"/position", token, `{"after_id":999}`).status, http.StatusConflict)
}

func TestServices(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), servicesOf(queriestest.Admin)
	equal(t, "usually", rowsOf(t, s.get(all, token), "id")[:4], []any{"chat", "mail", "meeting", "screen_share"})
	sameJSON(t, s.call(http.MethodPatch, all+"/mail", token, `{"visible":{"pc":true,"mobile":false}}`).body, `{"id":"mail","visible":{"pc":true,"web":true,"mobile":false},"locked":false}`)
	sameJSON(t, s.call(http.MethodPatch, all+"/screen_share", token, `{"visible":{"web":false}}`).body, `{"id":"screen_share","visible":{"pc":true,"web":false},"locked":false}`)
	for path, want := range map[string]string{"/chat": "service.locked", "/screen_share": "service.unsupported"} {
		a := s.call(http.MethodPatch, all+path, token, `{"visible":{"pc":false,"mobile":true}}`)
		equal(t, path, a.status, http.StatusUnprocessableEntity)
		if path == "/chat" {
			equal(t, path, code(t, a), want)
		}
	}
	equal(t, "unknown", s.call(http.MethodPatch, all+"/fax", token, `{"visible":{}}`).status, http.StatusNotFound)
	equal(t, "order", rowsOf(t, s.call(http.MethodPut, all+"/order", token, `{"ids":["chat","poll"]}`), "id")[:3], []any{"chat", "poll", "mail"})
}

// The messenger reads what is visible, and again only after a change.
func TestShortcuts(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	reads, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/companies/%d/shortcuts/%d", queriestest.Hanbit, queriestest.Employee)
	s.call(http.MethodPost, linksOf(queriestest.Admin), admin, `{"name":"가","url":"{host}","icon_visible":true}`)
	s.call(http.MethodPost, linksOf(queriestest.Admin), admin, `{"name":"나","url":"{host}","visible":false}`)
	a := s.get(path, reads.Token)
	links := object(t, a, http.StatusOK)["links"].([]any)
	equal(t, "links", len(links), 1)
	equal(t, "link", []any{links[0].(map[string]any)["name"], links[0].(map[string]any)["address"], links[0].(map[string]any)["icon"]}, []any{"가", "https://hanbit.example", true})
	tag := a.header.Get("ETag")
	equal(t, "unchanged", s.get(path, reads.Token, "If-None-Match: "+tag).status, http.StatusNotModified)
	s.call(http.MethodPatch, servicesOf(queriestest.Admin)+"/poll", admin, `{"visible":{"pc":false,"web":false,"mobile":false}}`)
	a = s.get(path, reads.Token, "If-None-Match: "+tag)
	for _, service := range object(t, a, http.StatusOK)["services"].([]any) {
		if service.(map[string]any)["id"] == "poll" {
			t.Errorf("a hidden service is shown: %v", service)
		}
	}
	for _, nobody := range []int64{queriestest.Hidden, queriestest.Bot, queriestest.OtherKim} {
		equal(t, "somebody who sees nothing", s.get(fmt.Sprintf("/companies/%d/shortcuts/%d", queriestest.Hanbit, nobody), reads.Token).status, http.StatusNotFound)
	}
}
