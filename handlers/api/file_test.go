package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/exports"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const fileEventsPath = "/companies/1/events/files"

func TestFileEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	event := func(id, more string) string {
		return fmt.Sprintf(`{"event_id": %q, "user_id": 6, "receiver_ids": [2], "room": "1:1", "file_name": "a.pdf", "size": 5, "platform": "web", "saved_at": "2026-11-20T08:58:00+09:00"%s}`, id, more)
	}
	body := `{"events": [` + event("a", "") + "," + event("a", "") + "," + event("b", `, "user_id": 11`) + `, {"saved_at": "yesterday", "event_id": "c"}, 7, null, ` +
		event("d", `, "size": 9223372036854775808`) + "," + event("e", `, "ip": "not an address"`) + "," + event("f", `, "size": -1`) + "," + event("g", `, "size": 1.5`) + "," +
		event("h", `, "file_name": "견적서\u202efdp.exe", "ip": "10.0.0.1", "saved_at": "2026-11-19T08:58:00+09:00"`) + "," + event("i", `, "platform": "fridge"`) + `]}`
	got := object(t, s.call(http.MethodPost, fileEventsPath, token, body), http.StatusAccepted)["data"]
	refused := func(id, code string) map[string]any {
		return map[string]any{"event_id": id, "status": "refused", "code": code}
	}
	equal(t, "results", got, []any{
		map[string]any{"event_id": "a", "status": "accepted"},
		map[string]any{"event_id": "a", "status": "duplicate"},
		refused("b", "event.user"), refused("c", "event.unreadable"), refused("", "event.unreadable"), refused("", "event.unreadable"),
		refused("d", "usage.size"), refused("e", "event.unreadable"), refused("f", "usage.size"), refused("g", "usage.size"),
		map[string]any{"event_id": "h", "status": "accepted"},
		refused("i", "usage.platform"),
	})
	again := object(t, s.call(http.MethodPost, fileEventsPath, token, `{"events": [`+event("a", "")+`]}`), http.StatusAccepted)["data"]
	equal(t, "a replay", again, []any{map[string]any{"event_id": "a", "status": "duplicate"}})
	for name, test := range map[string]struct {
		path, token, body string
		status            int
	}{
		"a token without the scope": {fileEventsPath, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`, http.StatusForbidden},
		"a person's token":          {fileEventsPath, s.token(queriestest.Admin), `{"events": []}`, http.StatusForbidden},
		"another company's token":   {fileEventsPath, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`, http.StatusNotFound},
		"no events at all":          {fileEventsPath, token, `{}`, http.StatusUnprocessableEntity},
		"more than a batch":         {fileEventsPath, token, `{"events": [` + repeated("{}", 501) + `]}`, http.StatusUnprocessableEntity},
		"an empty batch":            {fileEventsPath, token, `{"events": []}`, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, test.path, test.token, test.body).status, test.status)
		})
	}

	admin, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/logs/communication/files"
	first := object(t, s.get(all+"?limit=1", admin), http.StatusOK)
	row := first["data"].([]any)[0].(map[string]any)
	equal(t, "row", []any{row["file_name"], row["size"], row["platform"], row["sender"], row["receivers"], row["deceptive"], row["ip"], row["saved_at"], row["department"]}, []any{"a.pdf", 5, "web",
		map[string]any{"id": 6, "name": "김철수"}, []any{map[string]any{"id": 2, "name": "이준호"}}, false, nil, "2026-11-19T23:58:00Z", map[string]any{"id": 3, "name": "국내영업팀"}})
	meta := first["meta"].(map[string]any)
	equal(t, "sums", meta["sums"], map[string]any{"files": 2, "bytes": 10, "more": false})
	second := object(t, s.get(all+"?limit=1&cursor="+meta["next_cursor"].(string), admin), http.StatusOK)
	row = second["data"].([]any)[0].(map[string]any)
	equal(t, "second row", []any{row["file_name"], row["deceptive"], row["ip"], second["meta"].(map[string]any)["next_cursor"]}, []any{"견적서\u202efdp.exe", true, "10.0.0.1", nil})
	equal(t, "sums of a search", object(t, s.get(all+"?q=pdf", admin), http.StatusOK)["meta"], map[string]any{"next_cursor": nil, "sums": map[string]any{"files": 1, "bytes": 5, "more": false}})
	firstFound := object(t, s.get(all+"?q=fdp+exe&limit=1", admin), http.StatusOK)["meta"].(map[string]any)
	equal(t, "sums of a search by words", firstFound["sums"], map[string]any{"files": 1, "bytes": 5, "more": false})
	for query, status := range map[string]int{
		"?deceptive=true": 200, "?sender_id=6&platform=web": 200, "?department_id=2&from=1900-01-01&to=2200-12-31": 200, "?in=receiver&q=%EC%9D%B4%EC%A4%80%ED%98%B8": 200,
		"?department_id=2&department_id=3&department_id=5": 200, "?department_id=2&department_id=9": 404, "?department_id=2&department_id=3&department_id=4&department_id=5": 422, "?department_id=0": 422,
		"?sender_id=11": 404, "?receiver_id=999": 404, "?department_id=9": 404, "?platform=fridge": 422, "?q=a": 422, "?from=1899-01-01": 422, "?from=2026-11-20&to=2026-11-19": 422, "?limit=501": 422,
	} {
		equal(t, query, s.get(all+query, admin).status, status)
	}
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/logs/communication/files", s.token(queriestest.Employee)).status, 403)
	equal(t, "of the other company", len(object(t, s.get(fmt.Sprintf("/companies/2/users/%d/logs/communication/files", queriestest.OtherAdmin), s.token(queriestest.OtherAdmin)), http.StatusOK)["data"].([]any)), 0)

	exported := own(queriestest.Admin) + "/exports"
	asked := object(t, s.call(http.MethodPost, exported, admin, `{"list":"files","format":"csv","files":{"deceptive":true}}`), http.StatusAccepted)
	one := exported + "/" + jsonNumber(asked["id"])
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	done := object(t, s.get(one, admin), http.StatusOK)
	equal(t, "export", []any{done["state"], done["rows"], done["total"], done["file_name"]}, []any{"done", 1, 1, "saved-files.csv"})
	equal(t, "a complete export is not cancelled", s.call(http.MethodDelete, one, admin, "").status, 404)
	other := object(t, s.call(http.MethodPost, exported, admin, `{"list":"files","format":"xlsx"}`), http.StatusAccepted)
	equal(t, "cancelled", s.call(http.MethodDelete, exported+"/"+jsonNumber(other["id"]), admin, "").status, 204)
	equal(t, "gone", s.get(exported+"/"+jsonNumber(other["id"]), admin).status, 404)
	equal(t, "no unit", s.call(http.MethodPost, exported, admin, `{"list":"attendance","format":"csv"}`).status, 422)
	equal(t, "of an employee", s.call(http.MethodPost, own(queriestest.Employee)+"/exports", s.token(queriestest.Employee), `{"list":"files","format":"csv"}`).status, 403)
}
