package handlers_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// A deleted policy says by whom and when it was deleted, to those who could see
// it, for as long as it can be restored.
func TestDeletedPolicyPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	form := admin.formOf(salesPath)
	admin.post(salesPath+"/delete", "version_no", form.value("version_no")).want(303)
	admin.get(policiesPath) // takes the toast with its undo
	admin.get(salesPath).want(404).shows("‘영업본부 외근 정책’ 정책은 삭제되었습니다", "김서연 님이 2026년 11월 20일 10:00에 이 정책을 삭제했습니다", "2026년 12월 20일까지", `action="`+salesPath+`/restore"`, `href="/manage/security/changes?object=policy&id=5"`)
	admin.get("/manage/security/changes?object=policy&id=5").want(200).shows("영업본부 외근 정책")
	admin.get("/en"+salesPath).want(404).shows("김서연 deleted this policy at", "Restore policy")
	admin.get("/ja"+salesPath).want(404).shows("削除されました", "ポリシーを復元")
	admin.get("/policies/workingattitude/5").want(404).hides("영업본부 외근 정책")
	s.as(queriestest.OtherAdmin).get(salesPath).want(404).hides("영업본부 외근 정책", "restore")
	s.as(queriestest.Employee).get(salesPath).hides("영업본부 외근 정책")

	s.clock.Advance(31 * 24 * time.Hour)
	s.as(queriestest.Admin).get(salesPath).want(404).hides("영업본부 외근 정책")
}

// Saving into a deleted policy loses nothing that was typed: it can be restored
// and saved, or become a new policy.
func TestSaveDeletedPolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	typed := admin.formOf(salesPath).with("name", "외근 기준 2", "session_time_sec", "33", "description", "적어 둔 설명")
	reviewed := admin.post(salesPath, append(typed, "action", "review")...).want(200)
	admin.post(salesPath+"/delete", "version_no", typed.value("version_no")).want(303)
	typedValues := []string{"외근 기준 2", `value="33"`, "적어 둔 설명", `data-guard="dirty"`}
	for _, action := range []form{{"action", "review"}, {"action", "apply", "reviewed", reviewed.field("reviewed")}, {"action", "edit"}} {
		admin.post(salesPath, append(typed, action...)...).want(409).shows(append(typedValues, "김서연 님이", "이 정책을 삭제했습니다", `value="restore"`, `value="create"`)...).hides(`id="review"`, salesPath+"/duplicate")
	}
	s.as(queriestest.OtherAdmin).post(salesPath, append(typed, "action", "restore")...).want(404)

	admin.post(salesPath, append(typed, "action", "create")...).want(200).shows(append(typedValues, "‘외근 기준 2’ 정책을 만드시겠습니까?", `action="/policies/communication"`)...)

	restored := admin.post(salesPath, append(typed, "action", "restore")...).want(200).shows(append(typedValues, "정책을 복원했습니다. 입력한 내용은 아직 저장하지 않았습니다.")...)
	again := typed.with("version_no", restored.field("version_no"), "based_on", restored.field("based_on"))
	admin.apply(salesPath, again).leads(salesPath)
	admin.get(salesPath).want(200).shows("외근 기준 2", `value="33"`)
	admin.post(salesPath, append(again, "action", "restore")...).want(409) // it is not deleted, so that this is a save of an old version
}

// value returns the value of the form's first field of a name.
func (f form) value(name string) string {
	for i := 0; i < len(f); i += 2 {
		if f[i] == name {
			return f[i+1]
		}
	}
	return ""
}
