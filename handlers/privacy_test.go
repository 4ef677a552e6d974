package handlers_test

import (
	"encoding/json"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestPrivacyInTheProfile(t *testing.T) {
	s := lateSite(t)
	kim := s.asKim()
	kim.get("/profile").want(200).shows("아직 내 기록을 열어 본 사람이 없습니다", "부터 위치정보 기록에 동의한 상태입니다", "저장된 위치가 없습니다").hides("동의 이력")
	s.exec(`insert into clock_events (company_id, user_id, at, event_id, kind, occurred_at, received_at, lat, lng, place) values
		(1, 6, '2026-11-19T23:50Z', 'located', 'in', now(), now(), 37.4, 127.1, '판교'), (1, 2, '2026-11-19T23:50Z', 'of another', 'in', now(), now(), 38.25, 128.5, '속초')`)
	s.as(queriestest.Admin).get("/logs/workingattitude/day/6-2026-11-20").want(200)
	s.as(queriestest.Admin).get("/logs/workingattitude/day/2-2026-11-20").want(200)

	kim.get("/en/profile").want(200).shows("김서연", "1 location is stored", "판교", "37.40000, 127.10000", "/en/logs/workingattitude/day/6-2026-11-20").hides("속초", "38.25")
	s.exec("insert into location_consents (company_id, user_id, at, given, source, received_at) values (1, 6, '2026-11-19', false, 'messenger', now())")
	kim.get("/ja/profile").want(200).shows("同意を撤回しました", "同意の履歴")
	s.as(queriestest.Employee).get("/profile").want(200).shows("위치정보 기록에 동의하지 않았습니다", "김서연").hides("판교", "동의 이력")
}

func TestDownloadOwnData(t *testing.T) {
	s := lateSite(t)
	s.as(queriestest.Admin).get("/logs/workingattitude/day/6-2026-11-20").want(200)
	s.as(queriestest.Admin).get("/profile").want(200) // what was read is written
	a := s.asKim().get("/profile/data").want(200)
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="officeconsole-2026-11-20.json"` {
		t.Errorf("the file is %s", got)
	}
	var data struct {
		Name       string
		Attendance map[string][]map[string]any
		Reads      []map[string]any `json:"read_by_others"`
		SignIns    []map[string]any `json:"sign_ins"`
		Access     []map[string]any `json:"access_history"`
	}
	if err := json.NewDecoder(strings.NewReader(a.body)).Decode(&data); err != nil {
		t.Fatal(err)
	}
	records := s.count("select count(*) from day_records where user_id = 6")
	if data.Name != "김철수" || len(data.Attendance["day_records"]) != records || records == 0 || len(data.Attendance["location_consents"]) != 1 {
		t.Errorf("%s has %d records of %d", data.Name, len(data.Attendance["day_records"]), records)
	}
	if len(data.Reads) != 1 || data.Reads[0]["reader"] != "김서연" || len(data.SignIns) == 0 || len(data.Access) == 0 {
		t.Errorf("reads %v, sign-ins %v, access %v", data.Reads, data.SignIns, data.Access)
	}
	for _, secret := range []string{queriestest.Email(queriestest.Employee), "password", "token"} {
		if strings.Contains(a.body, secret) {
			t.Errorf("the file has %q", secret)
		}
	}
}
