package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func TestInheritAgain(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	list := "/policies/communication/status"
	ask := fmt.Sprintf("%s/inherit?type=user&id=%d", list, queriestest.Japanese)
	if a := admin.get(list); !strings.Contains(a.body, "佐藤ひろし: 상속으로 되돌리기") || strings.Contains(a.body, "이준호: 상속으로 되돌리기") {
		t.Fatal("the action is not offered to those with a policy of their own alone")
	}
	question := admin.get(ask)
	for _, text := range []string{"‘佐藤ひろし’의 정책을 상속으로 되돌리시겠습니까?", "‘연구소 보안 정책’ 대신 ‘기본 정책’ 정책이", "1명의 적용 내용이 바뀝니다."} {
		if !strings.Contains(question.body, text) {
			t.Errorf("the question does not say %q", text)
		}
	}
	a := admin.post(list+"/inherit", "type", "user", "id", fmt.Sprint(queriestest.Japanese), "back", list+"?source=own")
	if a.status != 303 || a.location() != list+"?source=own" {
		t.Fatalf("got %d to %q", a.status, a.location())
	}
	if e := queriestest.Effective(t, s.db, queriestest.Japanese, queriestest.Now); e.PolicyName != queriestest.DefaultPolicyName {
		t.Errorf("%s applies", e.PolicyName)
	}
	if a := admin.get(ask); a.status != 404 {
		t.Errorf("asking again: %d", a.status)
	}
	if a := admin.post("/policies/communication/revert?version=6-3"); a.status != 303 {
		t.Errorf("undo: %d", a.status)
	}
	if e := queriestest.Effective(t, s.db, queriestest.Japanese, queriestest.Now); e.PolicyName != queriestest.ResearchPolicyName {
		t.Errorf("after the undo %s applies", e.PolicyName)
	}
	for _, target := range []string{"type=user&id=4", "type=department&id=1", "type=user&id=999", "type=bot&id=1", "type=user", fmt.Sprintf("type=user&id=%d", queriestest.OtherKim)} {
		if a := admin.get(list + "/inherit?" + target); a.status != 404 {
			t.Errorf("%s: %d", target, a.status)
		}
	}
	if a := admin.get(list + "/inherit?type=department&id=5&back=//elsewhere.example/"); a.status != 200 || strings.Contains(a.body, "elsewhere") || !strings.Contains(a.body, "연구소") {
		t.Errorf("a department: %d", a.status)
	}
}

// planToTake creates a policy with Kim, and plans a change of a policy with a lower id
// that takes Kim.
func planToTake(s *site) (planning, holder policy.Policy) {
	s.t.Helper()
	planning = queriestest.CreatePolicy(s.t, s.db, queriestest.PolicyDraft("나중 정책"))
	holder = queriestest.CreatePolicy(s.t, s.db, queriestest.PolicyDraft("현재 정책", queriestest.UserTarget(queriestest.Kim)))
	d := queriestest.PolicyDraft("나중 정책", queriestest.UserTarget(queriestest.Kim))
	d.Move, d.EffectiveFrom = true, queriestest.StartIn(17*24*time.Hour)
	if _, err := s.db.Policies.Update(s.t.Context(), queriestest.AdminActor(s.t, s.db), planning.ID, 1, d); err != nil {
		s.t.Fatal(err)
	}
	return planning, holder
}

func TestInheritAgainWhileAnotherPolicyPlansToTakeThePerson(t *testing.T) {
	s := newSite(t)
	planToTake(s)
	admin := s.as(queriestest.Admin)
	list := "/policies/communication/status"
	admin.get(fmt.Sprintf("%s/inherit?type=user&id=%d", list, queriestest.Kim)).want(200).shows("‘현재 정책’ 대신")
	admin.post(list+"/inherit", "type", "user", "id", fmt.Sprint(queriestest.Kim)).leads(list)
	if e := queriestest.Effective(t, s.db, queriestest.Kim, s.clock.Now()); e.PolicyName != queriestest.SalesPolicyName {
		t.Errorf("%s applies", e.PolicyName)
	}
	admin.get(fmt.Sprintf("%s/inherit?type=user&id=%d", list, queriestest.Kim)).want(404)
}
