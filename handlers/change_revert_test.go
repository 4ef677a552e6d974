package handlers_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/link"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// revertPath is the address of the form that reverts a change.
func revertPath(id int) string { return fmt.Sprintf("%s/%d/reversal", changesPath, id) }

// A change of a policy is undone after later changes of other settings, and its page says
// before what that changes. After a later change of the same setting the page says whose.
func TestRevertChangeOfOneSetting(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	draft := queriestest.PolicyDraft("메신저팀", queriestest.DepartmentTarget(queriestest.Messenger))
	draft.Settings = nil
	p := queriestest.CreatePolicy(t, s.db, draft)
	save := func(by queries.Actor, settings string) int {
		t.Helper()
		s.clock.Advance(time.Minute)
		d := draft
		d.Settings = json.RawMessage(settings)
		if _, err := s.db.Policies.Update(t.Context(), by, p.ID, 0, d); err != nil {
			t.Fatal(err)
		}
		return s.lastChange()
	}
	stored := func() string {
		t.Helper()
		return string(queriestest.StoredPolicy(t, s.db, p.ID).Version.Settings)
	}
	const before = `{"mobile_copy": false}`
	ranged := save(by, `{"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]}`)
	save(by, `{"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}],"mobile_copy":false}`)
	both := stored()
	open := fmt.Sprintf("%s?open=%d", changesPath, ranged)
	admin.get(open).want(200).shows("다른 항목이 변경되었습니다", "변경 전 값으로 되돌립니다", "1명").hides("겹치", "⟦")
	admin.get("/en"+open).want(200).shows("Those changes stay", "set back").hides("⟦")
	admin.get("/ja"+open).want(200).shows("別の項目が変更されています", "変更前の値に戻します").hides("⟦")
	s.clock.Advance(time.Minute)
	admin.post(revertPath(ranged)).leads(changesPath)
	if got := stored(); got != before {
		t.Errorf("reverted to %s, not %s", got, before)
	}
	s.clock.Advance(time.Minute)
	admin.undo(changesPath).leads(changesPath)
	if got := stored(); got != both {
		t.Errorf("the reversal reverted to %s, not %s", got, both)
	}

	save(queriestest.ManagerActor(t, s.db), `{"allowed_ip_ranges":[{"location_name":"지사","range":"198.51.100.0/24"}],"mobile_copy":false}`)
	changed := stored()
	admin.get(open).want(200).shows("같은 항목이 다시 변경되었습니다", "최유진", fmt.Sprintf("open=%d", s.lastChange())).hides("다른 항목이 변경되었습니다")
	for prefix, text := range map[string]string{"": "같은 항목이 다시 변경되어 되돌릴 수 없습니다", "/en": "the same fields have changed again since", "/ja": "同じ項目が再び変更されたため"} {
		admin.post(prefix+revertPath(ranged)).want(409).shows(`role="alert"`, text, "최유진", fmt.Sprintf("open=%d", s.lastChange())).hides("⟦")
	}
	if got := stored(); got != changed {
		t.Errorf("became %s of %s", got, changed)
	}
}

// The newest save of a day of working attitude is cancelled for the one before it, so that
// the page does not say that everything goes back that the change shows.
func TestRevertChangeOfPlannedVersion(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	d := queriestest.PolicyDraft("근태")
	d.Kind, d.Settings = "workingattitude", nil
	p := queriestest.CreatePolicy(t, s.db, d)
	s.clock.Advance(24 * time.Hour)
	admin.signIn(queriestest.Admin)
	save := func() int {
		t.Helper()
		s.clock.Advance(time.Minute)
		if _, err := s.db.Policies.Update(t.Context(), by, p.ID, 0, d); err != nil {
			t.Fatal(err)
		}
		return s.lastChange()
	}
	d.Name = "다른 근태"
	first := save()
	d.Description = "설명"
	second := save()
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, second)).want(200).shows("다른 근태").hides("변경 전 값으로")
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, first)).want(200).shows("변경 전 값으로", "<del>다른 근태</del>")
	admin.post(revertPath(first)).leads(changesPath)
	if planned := queriestest.StoredPolicy(t, s.db, p.ID).Planned; planned == nil || planned.Name != "근태" || planned.Description != "설명" {
		t.Errorf("planned: %+v", planned)
	}
}

// What a change of a link edited is undone after edits of something else, too.
func TestRevertChangeOfOneFieldOfLink(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("하나")
	id := int64(s.count("select id from links where name = '하나'"))
	edit := func(by queries.Actor, change func(*link.Draft)) int {
		t.Helper()
		s.clock.Advance(time.Minute)
		if err := s.db.Links.Update(t.Context(), by, id, 0, func(d link.Draft) link.Draft {
			change(&d)
			return d
		}); err != nil {
			t.Fatal(err)
		}
		return s.lastChange()
	}
	by := queriestest.AdminActor(t, s.db)
	named := edit(by, func(d *link.Draft) { d.Name = "둘" })
	edit(by, func(d *link.Draft) { d.Description = "설명" })
	open := fmt.Sprintf("%s?open=%d", changesPath, named)
	admin.get(open).want(200).shows("<del>둘</del>", "<ins>하나</ins>", "다른 항목이 변경되었습니다")
	admin.post(revertPath(named)).leads(changesPath)
	if got := queriestest.LookUp(t, s.db, "select name || ' ' || description from links"); got != "하나 설명" {
		t.Errorf("reverted to %s", got)
	}
	edit(queriestest.ManagerActor(t, s.db), func(d *link.Draft) { d.Name = "셋" })
	admin.post(revertPath(named)).want(409).shows("같은 항목이 다시 변경되어", "<b>이름</b>", "최유진")
	if got := queriestest.LookUp(t, s.db, "select name from links"); got != "셋" {
		t.Errorf("became %s", got)
	}
}

// Where the targets came from another policy, its later change is named.
func TestRevertChangeOfMovedTargets(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	save := func(id int64, d policy.Draft) {
		t.Helper()
		s.clock.Advance(time.Minute)
		d.Move = true
		if _, err := s.db.Policies.Update(t.Context(), by, id, 0, d); err != nil {
			t.Fatal(err)
		}
	}
	save(queriestest.AuditPolicyID, queriestest.PolicyDraft(queriestest.AuditPolicyName, queriestest.DepartmentTarget(queriestest.Overseas)))
	moved := s.count("select max(id) from changes where action = 'policy.updated'")
	save(queriestest.SalesPolicyID, queriestest.PolicyDraft(queriestest.SalesPolicyName))
	admin.post(revertPath(moved)).want(409).shows("‘"+queriestest.SalesPolicyName+"’ 정책의 같은 항목이", "적용 대상", fmt.Sprintf("open=%d", s.lastChange()))
}
