package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// The affected people are exactly those whose policy or settings change.
func TestAffectedPeople(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	moving := queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root), queriestest.UserTarget(queriestest.Japanese))
	moving.Move = true
	empty := queriestest.PolicyDraft("영업본부 외근 정책", queriestest.DepartmentTarget(queriestest.Domestic), queriestest.DepartmentTarget(queriestest.Overseas))
	empty.Settings = json.RawMessage(`{"session_time_sec":600}`)
	for _, test := range []struct {
		name     string
		draft    policy.Draft
		policyID int64
		most     int
		want     string
	}{
		{"a new policy", moving, 0, 9, "[김서연/한빛테크 박지민/영업본부 佐藤ひろし/일본지사 최유진/영업본부]"},
		{"some", moving, 0, 2, "[김서연/한빛테크 박지민/영업본부]"},
		{"a setting", queriestest.PolicyDraft("영업본부 외근 정책", queriestest.DepartmentTarget(queriestest.Domestic), queriestest.DepartmentTarget(queriestest.Overseas)), queriestest.SalesPolicyID, 9, "[김철수/국내영업팀 Olivia Martin/해외영업팀]"},
		{"nothing", empty, queriestest.SalesPolicyID, 9, "[]"},
		{"a target less", queriestest.PolicyDraft("연구소 보안 정책", queriestest.DepartmentTarget(queriestest.Research)), queriestest.ResearchPolicyID, 9, "[이준호/메신저팀 佐藤ひろし/일본지사]"},
	} {
		people, err := db.Policies.AffectedPeople(t.Context(), by, test.draft, test.policyID, test.most)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, p := range people {
			names = append(names, p.Name+"/"+p.Department)
		}
		if got := fmt.Sprint(names); got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
	if _, err := db.Policies.AffectedPeople(t.Context(), by, queriestest.PolicyDraft("a"), queriestest.OtherPolicyID, 9); !errors.Is(err, queries.NotFound) {
		t.Errorf("another company's: %v", err)
	}
}
