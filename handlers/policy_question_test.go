package handlers_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const (
	restorePath     = salesPath + "/versions/1/restore"
	sessionSentence = "영업본부의 모든 사람에게 ‘세션 유지 시간’ 값이 10분 이하여야 합니다."
)

// sessionCheck is the form of a check by which the sessions of the people of 영업본부 last
// at most 10 minutes, as they do by the policy in force but not by its first version.
var sessionCheck = form{
	"targets", `[{"type":"department","id":2,"include_children":true}]`, "quantifier", "every", "setting", "session_time_sec", "part", "", "relation", "at_most", "value", "600",
	"severity", "warn", "name", "", "action", "save",
}

// question returns the open dialog of the page.
func (a answer) question() string {
	a.t.Helper()
	dialog := regexp.MustCompile(`(?s)<dialog id="[^"]*" class="dialog" data-question.*?</dialog>`).FindString(a.text())
	if dialog == "" {
		a.t.Fatalf("%s: no question", a.request)
	}
	return dialog
}

// The question before an earlier version is restored says whom that affects and which
// checks it breaks, and begins at Cancel.
func TestRestorationSaysWhomItAffects(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(checksPath+"/new", sessionCheck...).leads(checksPath)
	for _, in := range []struct{ language, people, parts, check, cancel string }{
		{"", "2명의 적용 내용이 바뀝니다.", "적용 해제 1명 · 설정 변경 1명", "이 변경은 정책 점검에 어긋납니다. 저장할 수는 있습니다.", "autofocus>취소</a>"},
		{"/en", "2 people are affected.", "1 no longer covered · 1 has other settings", "This change breaks a policy check. It can be saved.", "autofocus>Cancel</a>"},
		{"/ja", "2人の適用内容が変わります。", "適用解除 1人 · 設定変更 1人", "この変更はポリシーチェックに違反します。保存はできます。", "autofocus>キャンセル</a>"},
	} {
		question := admin.get(in.language + restorePath).want(200).hides("⟦").question()
		for _, text := range []string{in.people, in.parts, in.check, in.cancel} {
			if !strings.Contains(question, text) {
				t.Errorf("%q is not in the question: %s", text, question)
			}
		}
		if n := strings.Count(question, "autofocus"); n != 1 {
			t.Errorf("%d elements of the question take the focus", n)
		}
	}
	admin.post(restorePath, "version_no", "2").leads(salesPath)
	admin.get(salesPath).want(200).shows("이전 버전으로 되돌렸습니다. 정책 점검에 어긋납니다: " + sessionSentence)

	taking := newForm.with("targets", `[{"type":"department","id":4,"include_children":true}]`)
	admin.apply("/policies/communication", taking).want(303)
	if question := admin.get(salesPath + "/versions/2/restore").want(200).question(); !strings.Contains(question, "다른 정책으로 옮겨진 대상이 있어") || strings.Contains(question, "<button") {
		t.Errorf("of targets that other policies hold: %s", question)
	}
}

// Restoring a version that may lock somebody out is confirmed in its question.
func TestRestorationLockout(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`update policy_versions set settings = '{"login_platforms": ["pc"]}' where policy_id = 5 and no = 1`)
	s.exec(`insert into policy_targets (company_id, policy_id, no, user_id) values (1, 5, 1, 1)`)
	admin.get(restorePath).want(200).shows("허용 환경에 웹이 없어", "김서연", "5분 안에", `name="risk"`).hides("risk-error")
	admin.post(restorePath, "version_no", "2").want(422).shows(`id="risk-error"`, "버전 1 상태로 되돌리시겠습니까?")
	if n := s.count("select count(*) from policy_versions where policy_id = 5"); n != 2 {
		t.Fatalf("there are %d versions before the yes", n)
	}
	admin.post(restorePath, "version_no", "2", "risk", "1").leads(salesPath)
	if s.count("select count(*) from policy_versions where policy_id = 5 and no = 3 and confirm_by is not null") != 1 {
		t.Error("the version is not provisional")
	}
}

// The toast names the check that a switch, a deletion or a restored policy breaks.
func TestToastNamesBrokenCheck(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(checksPath+"/new", sessionCheck...).leads(checksPath)
	for language, text := range map[string]string{
		"":    "정책 사용을 중지했습니다. 정책 점검에 어긋납니다: " + sessionSentence,
		"/en": "is disabled. It breaks a policy check: ",
		"/ja": "を無効にしました。ポリシーチェックに違反しています: ",
	} {
		admin.post(language+salesPath+"/enabling", "asked", "1", "enabled", "false").leads(language + policiesPath)
		admin.get(language + policiesPath).want(200).shows(text).hides("⟦")
		admin.post(salesPath+"/enabling", "asked", "1", "enabled", "true").leads(policiesPath)
		admin.get(policiesPath).want(200).hides("정책 점검에 어긋납니다")
	}
	admin.post(bulkPath, "action", "disable", "asked", "1", "id", "5", "id", "6").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("정책 2개의 사용을 중지했습니다. 정책 점검에 어긋납니다: " + sessionSentence)
	admin.post(bulkPath, "action", "enable", "asked", "1", "id", "5", "id", "6").leads(policiesPath)
	admin.post(bulkPath, admin.askedToDelete("5", "6")...).leads(policiesPath)
	admin.get(policiesPath).want(200).shows("정책 2개를 삭제했습니다. 정책 점검에 어긋납니다: " + sessionSentence)

	// With the policy back the sessions are short again, which another check does not want.
	admin.post(checksPath+"/new", sessionCheck.with("relation", "at_least", "value", "601")...).leads(checksPath)
	admin.post("/policies/communication/restore?id=5").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘영업본부 외근 정책’ 정책을 복원했습니다. 정책 점검에 어긋납니다: ")
}

// A question about a change that a check stops has no answer but to go back.
func TestStoppedQuestionOnlyLeadsBack(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(checksPath+"/new", sessionCheck.with("severity", "stop")...).leads(checksPath)
	versions := s.count("select count(*) from policy_versions")
	edited := admin.formOf(salesPath).with("session_time_sec", "60")
	for _, in := range []struct{ language, stop, back string }{
		{"", "이 변경은 정책 점검에 어긋나 저장할 수 없습니다.", "닫기"},
		{"/en", "This change breaks a policy check and cannot be saved.", "Close"},
		{"/ja", "この変更はポリシーチェックに違反するため、保存できません。", "閉じる"},
	} {
		review := admin.post(in.language+salesPath, append(edited, "action", "review")...).want(200)
		for _, a := range []answer{
			review, admin.post(in.language+salesPath, append(edited, "action", "apply", "reviewed", review.field("reviewed"))...).want(422),
		} {
			if question := a.question(); !strings.Contains(question, in.stop) || !strings.Contains(question, `value="edit"`) || strings.Contains(question, `value="apply"`) {
				t.Errorf("%s: %s", a.request, question)
			}
		}
		for _, a := range []answer{
			admin.get(in.language + enablingPath + "?enabled=false&id=5").want(200),
			admin.get(in.language + enablingPath + "?enabled=false&id=5&id=6").want(200),
			admin.post(in.language+bulkPath, "action", "disable", "asked", "1", "id", "5", "id", "6").want(422),
			admin.get(in.language + salesPath + "/delete").want(200),
			admin.post(in.language+bulkPath, "action", "delete", "confirmed", "1", "id", "5", "version_no", "2").want(422),
			admin.get(in.language + restorePath).want(200),
			admin.post(in.language+restorePath, "version_no", "2").want(422),
		} {
			question := a.hides("⟦").question()
			if !strings.Contains(question, in.stop) || !strings.Contains(question, fmt.Sprintf("autofocus>%s</a></footer>", in.back)) || strings.Contains(question, "<button") {
				t.Errorf("%s: %s", a.request, question)
			}
		}
	}
	if s.count("select count(*) from policy_versions") != versions {
		t.Error("a version was saved although a check stops it")
	}
}

// A question about a change that a check stops does not ask to confirm a lockout.
func TestStoppedQuestionConfirmsNoLockout(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`update policy_versions set settings = '{"login_platforms": ["pc"]}' where policy_id = 1 or policy_id = 5 and no = 1`)
	s.exec(`insert into policy_targets (company_id, policy_id, no, user_id) values (1, 5, 1, 1), (1, 5, 2, 1)`)
	edited := admin.formOf(salesPath).with("session_time_sec", "60", "login_platforms", "mobile")
	questions := func() []answer {
		return []answer{
			admin.post(salesPath, append(edited, "action", "review")...).want(200), admin.get(enablingPath + "?enabled=false&id=5").want(200),
			admin.get(salesPath + "/delete").want(200), admin.get(restorePath).want(200), admin.post(restorePath, "version_no", "2").want(422),
		}
	}
	const lockout = "허용 환경에 웹이 없어"
	for _, a := range questions() {
		if question := a.question(); !strings.Contains(question, lockout) || !strings.Contains(question, `type="checkbox"`) {
			t.Errorf("%s asks for no confirmation: %s", a.request, question)
		}
	}
	admin.post(checksPath+"/new", sessionCheck.with("severity", "stop")...).leads(checksPath)
	for _, a := range questions() {
		if question := a.question(); strings.Contains(question, lockout) || strings.Contains(question, `type="checkbox"`) {
			t.Errorf("%s: %s", a.request, question)
		}
	}
}

// The toast names the check that inheriting again, a reversal in the change log or its own
// Undo breaks.
func TestReversalNamesBrokenCheck(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(checksPath+"/new", sessionCheck...).leads(checksPath)
	const broken, list = " 정책 점검에 어긋납니다: " + sessionSentence, "/policies/communication/status"
	admin.post(list+"/inherit", "type", "department", "id", "3").leads(list)
	admin.get(list).want(200).shows("되돌렸습니다." + broken)
	admin.post("/policies/communication/revert?version=5-3").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("변경을 취소했습니다.").hides(broken)

	admin.post(salesPath+"/enabling", "asked", "1", "enabled", "false").leads(policiesPath)
	admin.post(salesPath+"/enabling", "asked", "1", "enabled", "true").leads(policiesPath)
	admin.post(revertPath(s.count("select max(id) from changes where action = 'policy.enabled'"))).leads(changesPath)
	admin.get(changesPath).want(200).shows("변경을 되돌렸습니다." + broken)
	admin.post(salesPath+"/enabling", "asked", "1", "enabled", "true").leads(policiesPath)
	admin.undo(policiesPath).leads(policiesPath)
	admin.get(policiesPath).want(200).shows("변경을 취소했습니다." + broken)
	admin.post(salesPath+"/enabling", "asked", "1", "enabled", "true").leads(policiesPath)

	// A deleted policy that comes back, and somebody who is shown again.
	admin.post(bulkPath, admin.askedToDelete("5")...).leads(policiesPath)
	admin.post(checksPath+"/new", sessionCheck.with("relation", "at_least", "value", "601")...).leads(checksPath)
	admin.post(revertPath(s.count("select max(id) from changes where action = 'policy.deleted'"))).leads(changesPath)
	admin.get(changesPath).want(200).shows("변경을 되돌렸습니다. 정책 점검에 어긋납니다: ")
	admin.post(hiddenPath, "users", fmt.Sprint(queriestest.Kim), "kind", "leave", "confirmed", "1").leads(hiddenPath)
	admin.post(checksPath+"/new", sessionCheck.with("targets", `[{"type":"department","id":3,"include_children":true}]`, "relation", "at_least", "value", "601")...).leads(checksPath)
	admin.post(revertPath(s.count("select max(id) from changes where action = 'user.hidden'"))).leads(changesPath)
	admin.get(changesPath).want(200).shows("변경을 되돌렸습니다. 정책 점검에 어긋납니다: 국내영업팀")
}

// Cancelling and moving a planned change names the check that it breaks, before and after.
func TestCancellationNamesBrokenCheck(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	check := sessionCheck.with("targets", `[{"type":"department","id":5,"include_children":true}]`)
	admin.post(checksPath+"/new", check...).leads(checksPath)
	const sentence = "연구소의 모든 사람에게 ‘세션 유지 시간’ 값이 10분 이하여야 합니다."
	cancel := form{"version_no", admin.get(researchPath).field("version_no")}
	for language, warning := range map[string]string{
		"": "이 변경은 정책 점검에 어긋납니다. 저장할 수는 있습니다.", "/en": "This change breaks a policy check. It can be saved.", "/ja": "この変更はポリシーチェックに違反します。保存はできます。",
	} {
		question := admin.post(language+researchPath+"/plan/delete", cancel...).want(200).hides("⟦").question()
		if !strings.Contains(question, warning) || !strings.Contains(question, "<button") {
			t.Errorf("%s: %s", language, question)
		}
	}
	one := fmt.Sprintf("%s/%d", checksPath, s.count("select id from policy_checks"))
	admin.post(one, check.with("severity", "stop", "version", "1")...).leads(checksPath)
	for _, a := range []answer{admin.post(researchPath+"/plan/delete", cancel...).want(200), admin.post(researchPath+"/plan/delete", append(cancel, "asked", "1")...).want(422)} {
		if question := a.question(); !strings.Contains(question, "저장할 수 없습니다.") || !strings.Contains(question, sentence) || strings.Contains(question, "<button") {
			t.Errorf("%s: %s", a.request, question)
		}
	}

	admin.post(one, check.with("version", "2")...).leads(checksPath)
	admin.post(researchPath+"/plan", append(cancel, "at", "2026-12-05T10:00")...).leads(researchPath)
	moved := admin.get(researchPath).want(200).shows("적용 시점을 바꿨습니다. 정책 점검에 어긋납니다: " + sentence)
	admin.post(researchPath+"/plan/delete", "version_no", moved.field("version_no"), "asked", "1").leads(researchPath)
	admin.get(researchPath).want(200).shows("예정된 변경을 취소했습니다. 정책 점검에 어긋납니다: " + sentence)
	cancelled := s.count("select max(no) from policy_versions where policy_id = 6")
	admin.post(checksPath+"/new", check.with("relation", "at_least", "value", "601")...).leads(checksPath)
	admin.post(fmt.Sprintf("%s/plan/restore?no=%d", researchPath, cancelled)).leads(researchPath)
	admin.get(researchPath).want(200).shows("변경을 취소했습니다. 정책 점검에 어긋납니다: ")
}
