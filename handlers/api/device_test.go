package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestDeviceEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	const path = "/companies/1/events/devices"
	body := `{"devices": [{"user_id": 6, "device_id": "phone", "registered": true}, {"user_id": 6, "device_id": "old", "registered": false},
		{"user_id": 11, "device_id": "phone", "registered": true}, {"user_id": 9, "device_id": "phone", "registered": true}, {"user_id": 6, "device_id": "", "registered": true}]}`
	for _, time := range []string{"results", "results of sending it again"} {
		equal(t, time, object(t, s.call(http.MethodPost, path, token, body), http.StatusAccepted)["data"], []any{
			map[string]any{"user_id": 6, "device_id": "phone", "status": "accepted"},
			map[string]any{"user_id": 6, "device_id": "old", "status": "accepted"},
			map[string]any{"user_id": 11, "device_id": "phone", "status": "refused", "code": "event.user"},
			map[string]any{"user_id": 9, "device_id": "phone", "status": "refused", "code": "event.user"},
			map[string]any{"user_id": 6, "device_id": "", "status": "refused", "code": "event.device_id"},
		})
	}
	for name, test := range map[string]struct {
		path, token, body string
		status            int
	}{
		"a token without the scope": {path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"devices": []}`, http.StatusForbidden},
		"a person's token":          {path, s.token(queriestest.Admin), `{"devices": []}`, http.StatusForbidden},
		"another company's token":   {path, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"devices": []}`, http.StatusNotFound},
		"a wrong token":             {path, "forged", `{"devices": []}`, 419},
		"no token":                  {path, "", `{"devices": []}`, http.StatusUnauthorized},
		"no devices at all":         {path, token, `{}`, http.StatusUnprocessableEntity},
		"more than a batch":         {path, token, `{"devices": [` + repeated(`{"user_id": 6, "device_id": "phone", "registered": true}`, 501) + `]}`, http.StatusUnprocessableEntity},
		"an empty batch":            {path, token, `{"devices": []}`, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, test.path, test.token, test.body).status, test.status)
		})
	}
}

// A device that cannot be read is refused by itself.
func TestUnreadableDeviceEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	body := `{"devices": [{"event_id": "a", "user_id": 6, "device_id": "phone", "registered": true, "model": "X"}, {"event_id": "b", "user_id": 6, "device_id": "phone"},
		{"registered": "yes", "event_id": "c", "user_id": 6, "device_id": "phone"}, {"event_id": "d", "user_id": 6, "device_id": "a\u0000b", "registered": true}, 7, null]}`
	result := func(id string, user int, device, code string) map[string]any {
		r := map[string]any{"user_id": user, "device_id": device, "status": "accepted"}
		if id != "" {
			r["event_id"] = id
		}
		if code != "" {
			r["status"], r["code"] = "refused", code
		}
		return r
	}
	equal(t, "results", object(t, s.call(http.MethodPost, "/companies/1/events/devices", token, body), http.StatusAccepted)["data"], []any{
		result("a", 6, "phone", ""), result("b", 6, "phone", "event.unreadable"), result("c", 6, "phone", "event.unreadable"),
		result("d", 6, "a\x00b", "event.device_id"), result("", 0, "", "event.unreadable"), result("", 0, "", "event.unreadable"),
	})
	equal(t, "devices", queriestest.LookUp(t, s.db, "select string_agg(device_id, ',') from clock_devices where user_id = 6"), "phone")
}

// Users may clock with the devices that the messenger registers.
func TestClockOnRegisteredDevices(t *testing.T) {
	s := newSite(t)
	s.setAttendance(`{"device_binding": "registered", "clock_platforms": ["pc", "web"]}`)
	service := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	clock := func(id, device string) any {
		return object(t, s.call(http.MethodPost, clockPath, service,
			`{"events": [{"event_id": "`+id+`", "user_id": 2, "kind": "in", "occurred_at": "2026-11-20T09:58:00+09:00", "platform": "pc", "device_id": "`+device+`"}]}`), http.StatusAccepted)["data"]
	}
	accepted := func(id string) any { return []any{map[string]any{"event_id": id, "status": "accepted"}} }
	refused := func(id string) any {
		return []any{map[string]any{"event_id": id, "status": "refused", "code": "event.device"}}
	}
	equal(t, "the first device", clock("a", "pc"), accepted("a"))
	equal(t, "another device", clock("b", "phone"), refused("b"))
	equal(t, "no device", clock("c", ""), refused("c"))
	token := s.token(queriestest.Employee)
	for language, message := range map[string]string{
		"ko": "등록된 기기에서만 출퇴근을 등록할 수 있습니다. 새 기기는 먼저 메신저에서 등록해 주세요.",
		"en": "Clocking is only allowed on a registered device. Please register a new one in the messenger first.",
		"ja": "登録済みの端末でのみ打刻できます。新しい端末は、先にメッセンジャーで登録してください。",
	} {
		own := s.call(http.MethodPost, own(queriestest.Employee)+"/logs/workingattitude/clock", token, `{"event_id": "d", "kind": "in"}`, "Accept-Language: "+language)
		answered := object(t, own, http.StatusUnprocessableEntity)
		equal(t, "a person's own", []any{answered["code"], answered["message"]}, []any{"event.device", message})
	}
	told := s.call(http.MethodPost, "/companies/1/events/devices", service, `{"devices": [{"user_id": 2, "device_id": "phone", "registered": true}, {"user_id": 2, "device_id": "pc", "registered": false}]}`)
	equal(t, "told", told.status, http.StatusAccepted)
	equal(t, "the new device", clock("b", "phone"), accepted("b"))
	equal(t, "the old device", clock("e", "pc"), refused("e"))
}
