package queries_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

// Those affected are the very ones whose policy or settings are others then.
func TestAffectedPeople(t *testing.T) {
	db := queriestest.New(t)
	by := admin(t, db)
	moving := draft("본사", department(queriestest.Root), user(queriestest.Japanese))
	moving.Move = true
	empty := draft("영업본부 외근 정책", department(queriestest.Domestic), department(queriestest.Overseas))
	empty.Settings = json.RawMessage(`{"session_time_sec":600}`)
	for _, test := range []struct {
		name     string
		draft    queries.PolicyDraft
		policyID int64
		most     int
		want     string
	}{
		{"a new policy", moving, 0, 9, "[김서연/한빛테크 박지민/영업본부 佐藤ひろし/일본지사 최유진/영업본부]"},
		{"some", moving, 0, 2, "[김서연/한빛테크 박지민/영업본부]"},
		{"a setting", draft("영업본부 외근 정책", department(queriestest.Domestic), department(queriestest.Overseas)), salesID, 9, "[김철수/국내영업팀 Olivia Martin/해외영업팀]"},
		{"nothing", empty, salesID, 9, "[]"},
		{"a target less", draft("연구소 보안 정책", department(queriestest.Research)), researchID, 9, "[이준호/메신저팀 정하윤/연구소 佐藤ひろし/일본지사]"},
	} {
		people, err := db.AffectedPeople(t.Context(), by, test.draft, test.policyID, test.most)
		if err != nil {
			t.Fatal(err)
		}
		told := []string{}
		for _, p := range people {
			told = append(told, p.Name+"/"+p.Department)
		}
		if got := fmt.Sprint(told); got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
	if _, err := db.AffectedPeople(t.Context(), by, draft("a"), otherID, 9); !errors.Is(err, queries.NotFound) {
		t.Errorf("another company's: %v", err)
	}
}
