package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const checksPath = "/policies/communication/checks"

// savingCheck is the form of a check by which the people of 영업본부 can save files on
// their PC.
var savingCheck = form{
	"targets", `[{"type":"department","id":2,"include_children":true}]`, "quantifier", "every", "setting", "file_save", "part", "pc", "relation", "is", "value", "allow",
	"severity", "stop", "name", "", "action", "save",
}

func TestPolicyChecks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(checksPath).want(200).shows("아직 점검이 없습니다", "연구소의 모든 사람이 모바일에서 파일을 저장할 수 없어야 합니다.", "인사팀 사람 중 한 명 이상이 203.0.113.0/24에서 로그인할 수 있어야 합니다.")
	admin.get("/en" + checksPath).want(200).shows("Saving files on Mobile must not be possible for anyone in Research.").hides("⟦")
	admin.get("/ja" + checksPath).want(200).shows("研究所の全員は、モバイルでファイルを保存できない設定でなければなりません。").hides("⟦")
	admin.get("/policies/workingattitude/checks").want(200).hides("⟦")
	admin.get("/policies/workingattitude/checks/new").want(200).hides("⟦")
	s.as(queriestest.Manager).get(checksPath).leads("/logs/workingattitude/day")
	admin.get("/policies/communication/management").want(200).shows(checksPath)

	// The form shows its sentence, and the fields of another setting.
	admin.get(checksPath + "/new").want(200).shows("모든 사람이 모바일에서 파일을 저장할 수 없어야 합니다.")
	admin.post(checksPath+"/new", savingCheck.with("action", "show", "setting", "session_time_sec")...).want(200).shows("값(초)", `name="relation"`).hides(`value="view_only"`)
	admin.post(checksPath+"/new", savingCheck.with("action", "show", "setting", "")...).want(200).shows("IP 대역", "아무 환경이나")
	admin.post(checksPath+"/new", savingCheck.with("action", "find", "find", "연구소")...).want(200).shows("department:5")
	for refusal, typed := range map[string]form{
		`id="value-error"`: savingCheck.with("setting", "", "value", "203.0.113"),
		"목록에 있는 값":         savingCheck.with("value", "x"),
		"이 항목에 있는 환경":      savingCheck.with("part", "x"),
		"200자까지":           savingCheck.with("name", strings.Repeat("가", 201)),
		"점검할 수 있는 항목":      savingCheck.with("setting", "x"),
		"모두인지 한 명 이상인지":    savingCheck.with("quantifier", "x"),
	} {
		admin.post(checksPath+"/new", typed...).want(422).shows(refusal, "영업본부")
	}

	const sentence = "영업본부의 모든 사람이 PC에서 파일을 저장할 수 있어야 합니다."
	admin.post(checksPath+"/new", savingCheck...).leads(checksPath)
	admin.get(checksPath).want(200).shows("점검을 저장했습니다.", sentence, "지켜짐", "변경 막기", "김서연")
	id := s.count("select id from policy_checks")
	one := fmt.Sprintf("%s/%d", checksPath, id)
	admin.get(one).want(200).shows(sentence, "지금은 조건이 지켜지고 있습니다.", `name="version" value="1"`)

	// A save that breaks it says so in its review, and stops.
	f := admin.formOf(salesPath).with("file_save.pc", "block")
	review := admin.post(salesPath, append(f, "action", "review")...).want(200).shows("이 변경은 정책 점검에 어긋나 저장할 수 없습니다.", sentence, "새로 어긋나는 사람")
	before := s.count("select count(*) from policy_versions")
	admin.post(salesPath, append(f, "action", "apply", "reviewed", review.field("reviewed"))...).want(422).shows(sentence, "김철수")
	if s.count("select count(*) from policy_versions") != before {
		t.Error("a version was saved although a check stops it")
	}
	admin.apply(salesPath, admin.formOf(salesPath).with("file_save.mobile", "block")).leads(salesPath)

	// One that only warns is named again, and is in the change log.
	admin.post(one, savingCheck.with("severity", "warn", "version", "1", "name", "영업 파일")...).leads(checksPath)
	admin.post(one, savingCheck.with("version", "1")...).want(409).shows("그사이 이 점검이 수정되었습니다", `name="version" value="2"`)
	admin.apply(salesPath, f.with("version_no", fmt.Sprint(s.count("select max(no) from policy_versions where policy_id = 5")), "based_on", fmt.Sprint(s.count("select max(no) from policy_versions where policy_id = 5")))).leads(salesPath)
	admin.get(salesPath).shows("저장했습니다. 정책 점검에 어긋납니다: " + sentence)
	if s.count("select count(*) from changes where action = 'check.broken'") != 1 {
		t.Error("the change log does not say that a check was broken")
	}
	admin.get(checksPath).want(200).shows("명 위반", "영업 파일")
	admin.get(one).want(200).shows("김철수", "영업본부")

	// It is deleted and restored by the toast, and by the change log.
	admin.post(one+"/delete", "version", "2").leads(checksPath)
	admin.get(checksPath).shows("점검을 삭제했습니다.", one+"/restoration", "아직 점검이 없습니다")
	admin.post(one + "/restoration").leads(checksPath)
	admin.get(checksPath).shows(sentence)
	admin.post(one + "/restoration").want(404)
	const changes = "/manage/security/changes"
	admin.get(fmt.Sprintf("%s?open=%d", changes, s.lastChange())).want(200).shows(sentence, "경고만")
	admin.post(fmt.Sprintf("%s/%d/reversal", changes, s.lastChange())).want(303)
	admin.get(one).want(404)
}

// Hiding and deactivating are held against checks: the form is shown again with the
// sentence and everything that was typed, and so is the question.
func TestHidingIsHeldAgainstChecks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	check := form{
		"targets", `[{"type":"department","id":3,"include_children":true}]`, "quantifier", "some", "setting", "session_time_sec", "part", "", "relation", "at_most", "value", "600",
		"severity", "stop", "name", "", "action", "save",
	}
	admin.post(checksPath+"/new", check...).leads(checksPath)
	for language, sentence := range map[string]string{
		"":    "이 변경은 정책 점검에 어긋나 저장할 수 없습니다.",
		"/en": "This change breaks a policy check and cannot be saved.",
		"/ja": "この変更はポリシーチェックに違反するため、保存できません。",
	} {
		for _, state := range []string{"", "deactivated"} {
			for _, confirmed := range []string{"", "1"} {
				admin.post(language+hiddenPath, "state", state, "users", "6", "kind", "leave", "reason", "육아 휴직", "show_again_on", "2027-01-02", "confirmed", confirmed).
					want(422).shows(sentence, "김철수", "육아 휴직").hides("⟦")
			}
		}
	}
	if s.count("select count(*) from users where id = 6 and hidden_at is not null") != 0 {
		t.Error("somebody was hidden although a check stops it")
	}

	id := s.count("select id from policy_checks")
	admin.post(fmt.Sprintf("%s/%d", checksPath, id), check.with("severity", "warn", "version", "1")...).leads(checksPath)
	admin.post(hiddenPath, "users", "6", "kind", "leave").want(200).shows("저장할 수는 있습니다.", "조건에 맞는 사람이 한 명도 남지 않습니다.")
	admin.post(hiddenPath, "users", "6", "kind", "leave", "confirmed", "1").leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("1명을 숨겼습니다. 정책 점검에 어긋납니다: ")
	if s.count("select count(*) from changes where action = 'check.broken'") != 1 {
		t.Error("the change log does not say that a check was broken")
	}

	// Showing somebody again is held, too: everybody of the department is to have less.
	admin.post(fmt.Sprintf("%s/%d", checksPath, id), check.with("quantifier", "every", "value", "300", "version", "2")...).leads(checksPath)
	refused := admin.post(hiddenPath+"/showing", "id", "6").want(422)
	refused.shows("정책 점검에 어긋나 저장하지 않았습니다: ", "국내영업팀")
	if text := admin.htmx().post(hiddenPath+"/showing", "id", "6").want(422).body; !strings.Contains(text, "국내영업팀") {
		t.Errorf("the dialog says %s", text)
	}
}
