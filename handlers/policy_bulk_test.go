package handlers_test

import (
	"strings"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

const (
	bulkPath     = "/policies/communication/bulk"
	enablingPath = "/policies/communication/enabling"
)

// A policy that somebody else deleted is named by the question and by its answer, which
// apply to the rest only, and to that only after it was shown.
func TestBulkNamesDeletedPolicies(t *testing.T) {
	s := newSite(t)
	s.exec("update users set is_admin = true where id = $1", queriestest.Manager)
	admin, other := s.as(queriestest.Admin), s.as(queriestest.Manager)
	versions := func() int { return s.count("select count(*) from policy_versions where policy_id in (5, 6, 7)") }
	before := versions()
	admin.get(enablingPath+"?enabled=false&id=5&id=6").want(200).hides("삭제했습니다", "아직 아무것도")
	stale := admin.askedToDelete("5", "6")
	other.post(salesPath+"/delete", "version_no", "2").want(303)
	deletedRest := append([]string{"action", "delete", "confirmed", "1", "id", "5"}, stale[8:]...)
	for _, in := range []struct{ language, gone, rest, disable, remove string }{
		{"", "최유진 님이 11월 20일 10:00에 ‘영업본부 외근 정책’ 정책을 삭제했습니다.", "아직 아무것도 바뀌지 않았습니다.", "명에게 적용되는 ‘연구소 보안 정책’ 정책 사용을 중지하시겠습니까?", "명에게 적용되는 ‘연구소 보안 정책’ 정책을 삭제하시겠습니까?"},
		{"/en", "최유진 deleted “영업본부 외근 정책”, Nov 20, 10:00.", "Nothing has been changed yet.", "Disable “연구소 보안 정책” for", "Delete “연구소 보안 정책” for"},
		{"/ja", "최유진さんが11月20日 10:00に「영업본부 외근 정책」を削除しました。", "まだ何も変更していません。", "人に適用される「연구소 보안 정책」を無効にしますか", "人に適用される「연구소 보안 정책」を削除しますか"},
	} {
		admin.post(in.language+bulkPath, "action", "disable", "asked", "1", "id", "5", "id", "6").want(409).shows(in.gone, in.rest, in.disable, `name="id" value="6"`).hides("⟦", `type="hidden" name="id" value="5"`)
		admin.get(in.language+enablingPath+"?enabled=false&id=5&id=6").want(200).shows(in.gone, in.rest, in.disable).hides(`type="hidden" name="id" value="5"`)
		admin.post(in.language+bulkPath, stale...).want(409).shows(in.gone, in.rest, in.remove).hides("⟦")
		admin.post(in.language+bulkPath, deletedRest...).want(409).shows(in.gone)
		admin.get(in.language+"/policies/communication/delete?id=5&id=6").want(200).shows(in.gone, in.rest, in.remove)
	}
	asked := admin.post(bulkPath, "action", "enable", "id", "5", "id", "7").want(303) // 7 affects nobody, which alone is not asked about
	admin.get(asked.location()).want(200).shows("최유진 님이", "‘감사 대응 정책’ 정책을 사용하시겠습니까?")
	if n := versions(); n != before {
		t.Errorf("%d versions were added before the rest was confirmed", n-before)
	}
	admin.post(bulkPath, "action", "disable", "asked", "1", "id", "6").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘연구소 보안 정책’ 정책 사용을 중지했습니다")
}

// If every policy of the question was deleted, it leads back to the list.
func TestBulkOfDeletedPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const list = policiesPath + "?sort=name"
	deletion := append(admin.askedToDelete("5", "6"), "back", list)
	admin.post(bulkPath, admin.askedToDelete("5")...).leads(policiesPath)
	admin.get(list).want(200)
	s.exec("update policy_versions set until = $1 where policy_id = 6", queriestest.Now)
	s.exec("update policies set deleted_at = $1 where id = 6", queriestest.Now) // by nobody who is known
	s.exec("update companies set policy_version = policy_version + 1")
	for _, in := range []struct{ language, disable, remove, back string }{
		{"", "사용을 중지할 정책이 없습니다", "삭제할 정책이 없습니다", "정책 목록으로 돌아가기"},
		{"/en", "No policies to disable", "No policies to delete", "Back to the list"},
		{"/ja", "無効にするポリシーがありません", "削除するポリシーがありません", "一覧に戻る"},
	} {
		for _, a := range []answer{
			admin.post(in.language+bulkPath, "action", "disable", "asked", "1", "id", "5", "id", "6", "back", list).want(409).shows(in.disable),
			admin.get(in.language + enablingPath + "?enabled=false&id=6&id=5&back=" + list).want(200).shows(in.disable),
			admin.post(in.language+bulkPath, deletion...).want(409).shows(in.remove), // as after Back
			admin.post(in.language+salesPath+"/delete", "version_no", "2", "back", list).want(409).shows(in.remove),
			admin.get(in.language + "/policies/communication/delete?id=5&id=6&back=" + list).want(200).shows(in.remove),
			admin.get(in.language + salesPath + "/delete?back=" + list).want(200).shows(in.remove),
		} {
			a.shows("김서연", in.back).hides("⟦", `name="asked"`, `name="confirmed"`, "정책을 삭제했습니다</")
			if got := a.cancelled(); got != in.language+list {
				t.Errorf("%s leads back to %s", a.request, got)
			}
		}
	}
	admin.get(salesPath + "/delete?back=" + salesPath).want(200).hides(`data-dismiss href="` + salesPath + `"`) // which is deleted
	admin.get(admin.post(salesPath+"/enabling", "enabled", "false").want(303).location()).want(200).shows("사용을 중지할 정책이 없습니다", "김서연 님이")
	admin.get(enablingPath + "?enabled=false&id=6").want(200).shows("‘연구소 보안 정책’ 정책은 11월 20일 10:00에 삭제되었습니다.").hides("님이 11월")
	s.clock.Advance(policy.RestoreTime + time.Hour)
	s.as(queriestest.Admin).post(bulkPath, "action", "disable", "asked", "1", "id", "5").want(409).shows("‘영업본부 외근 정책’")
	s.as(queriestest.OtherAdmin).post(bulkPath, "action", "disable", "asked", "1", "id", "5").want(404)
}

// The question and its answer count the policies that change, and say which are so
// already; without any that changes nothing is asked or reported.
func TestBulkCountsChangedPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	versions := func() int { return s.count("select count(*) from policy_versions") }
	disable := func(pairs ...string) answer {
		return admin.post(bulkPath, append([]string{"action", "disable", "asked", "1"}, pairs...)...)
	}
	disable("id", "5").leads(policiesPath)
	admin.get(policiesPath)
	before := versions()
	for language, texts := range map[string][]string{
		"":    {"‘연구소 보안 정책’ 정책 사용을 중지하시겠습니까?", "‘영업본부 외근 정책’ 정책은 이미 사용하지 않고 있습니다."},
		"/en": {"Disable “연구소 보안 정책” for", "“영업본부 외근 정책” was already disabled."},
		"/ja": {"「연구소 보안 정책」を無効にしますか", "「영업본부 외근 정책」はすでに無効です。"},
	} {
		admin.get(language+enablingPath+"?enabled=false&id=5&id=6").want(200).shows(append(texts, `name="id" value="6"`, `name="already" value="5"`)...).hides("⟦", `type="hidden" name="id" value="5"`, "2개", "2件")
		admin.get(language+enablingPath+"?enabled=false&id=5&id=7").want(200).hides("⟦", `name="asked"`)
	}
	admin.get(enablingPath+"?enabled=false&id=5&id=7").want(200).shows("사용을 중지할 정책이 없습니다", "정책 2개는 이미 사용하지 않고 있습니다.", "정책 목록으로 돌아가기")

	disable("id", "5", "id", "6").want(409).shows("아직 아무것도 바뀌지 않았습니다.", "‘영업본부 외근 정책’ 정책은 이미", "‘연구소 보안 정책’ 정책 사용을 중지하시겠습니까?") // 5 was disabled after the question
	disable("id", "6", "already", "x").want(404)
	if n := versions() - before; n != 0 {
		t.Fatalf("%d versions were written", n)
	}
	disable("id", "6", "id", "6", "already", "5").want(409) // nobody is asked about a policy twice
	disable("id", "6", "already", "5", "already", "1").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘연구소 보안 정책’ 정책 사용을 중지했습니다. ‘영업본부 외근 정책’ 정책은 이미 사용하지 않고 있습니다.").hides("기본 정책’ 정책은 이미")
	disable("id", "6", "already", "5").want(409).shows("사용을 중지할 정책이 없습니다", "정책 2개는 이미").hides("사용을 중지했습니다") // as after Back
	admin.get(policiesPath).want(200).hides("사용을 중지했습니다")
	asked := admin.post(salesPath+"/enabling", "enabled", "false").want(303) // of a list that is older
	admin.get(asked.location()).want(200).shows("‘영업본부 외근 정책’ 정책은 이미 사용하지 않고 있습니다.")
	if n := versions() - before; n != 1 {
		t.Errorf("%d versions were written, not that of the one policy that changed", n)
	}

	admin.post(bulkPath, "action", "enable", "id", "1", "id", "7").leads(policiesPath) // which affects nobody
	admin.get(policiesPath).want(200).shows("‘감사 대응 정책’ 정책을 사용하도록 설정했습니다. ‘기본 정책’ 정책은 이미 사용 중입니다.")
	question := admin.get(enablingPath+"?enabled=true&id=1&id=5&id=6&id=7").want(200).shows("정책 2개를 사용하시겠습니까?", "정책 2개는 이미 사용 중입니다.")
	if n := strings.Count(question.body, `name="already"`); n != 2 {
		t.Errorf("%d are enabled already", n)
	}
}

// Policies of working attitude change tomorrow, so that the same answer given again finds
// them planned.
func TestBulkOfPlannedChange(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const kind = "/policies/workingattitude"
	for _, name := range []string{"교대 1", "교대 2"} {
		f := form{"name", name, "enabled", "true", "when", "next_work_date", "version_no", "0", "based_on", "0", "work_type", "free"}
		admin.apply(kind, f).want(303)
	}
	s.clock.Advance(24 * time.Hour)
	admin = s.as(queriestest.Admin)
	first, second := "1001", "1002"
	admin.post(kind+"/bulk", "action", "disable", "id", first).want(303)
	admin.get(kind + "/management").want(200).shows("내일부터 ‘교대 1’ 정책을 사용하지 않습니다.")
	for language, text := range map[string]string{"": "‘교대 1’ 정책은 이미 내일부터 사용하지 않을 예정입니다.", "/en": "“교대 1” was already set to end tomorrow.", "/ja": "「교대 1」はすでに明日から無効になる予定です。"} {
		admin.get(language+kind+"/enabling?enabled=false&id="+first).want(200).shows(text).hides("⟦", `name="asked"`)
		admin.post(language+kind+"/bulk", "action", "disable", "asked", "1", "id", first).want(409).shows(text)
	}
	admin.post(kind+"/bulk", "action", "disable", "id", first, "id", second).want(303)
	admin.get(kind + "/management").want(200).shows("내일부터 ‘교대 2’ 정책을 사용하지 않습니다. ‘교대 1’ 정책은 이미 내일부터 사용하지 않을 예정입니다.")
	admin.get(kind + "/enabling?enabled=false&id=" + first + "&id=" + second).want(200).shows("정책 2개는 이미 내일부터 사용하지 않을 예정입니다.")
	admin.get(kind+"/enabling?enabled=true&id="+first).want(200).shows("‘교대 1’ 정책은 이미 사용 중입니다.", "‘교대 1’ 정책은 예정된 변경에 따라")
}

// A policy with a planned change is named and left out, and the rest is asked about.
func TestBulkBesideAPlannedChange(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const kind = "/policies/workingattitude"
	policyForm := func(name string, more ...string) form {
		return append(form{"name", name, "enabled", "true", "work_type", "free"}, more...)
	}
	for _, name := range []string{"교대 1", "교대 2"} {
		admin.apply(kind, policyForm(name, "when", "next_work_date", "version_no", "0", "based_on", "0")).want(303)
	}
	s.clock.Advance(24 * time.Hour)
	admin = s.as(queriestest.Admin)
	const free, planned = "1001", "1002"
	admin.apply(kind+"/"+planned, policyForm("교대 2", "description", "나중", "when", "time", "at", "2026-12-01T00:00", "version_no", "1", "based_on", "1")).want(303)
	for language, text := range map[string]string{"": "‘교대 2’ 정책은 2026년 12월 1일 00:00에 예정된 변경이 있어 바꾸지 않습니다.", "/en": "“교대 2” is left out because a change is planned for Dec 1, 2026, 00:00.", "/ja": "「교대 2」は2026年12月1日 00:00に変更が予定されているため、対象外です。"} {
		asked := admin.post(language+kind+"/bulk", "action", "disable", "id", free, "id", planned).want(303)
		admin.get(asked.location()).want(200).shows(text, `name="asked"`, `type="hidden" name="id" value="`+free+`"`).hides("⟦", `type="hidden" name="id" value="`+planned+`"`)
		admin.get(language + kind + "/enabling?enabled=false&id=" + planned).want(200).shows(text).hides(`name="asked"`)
	}
	admin.post(kind+"/bulk", "action", "disable", "asked", "1", "id", free).want(303)
	admin.get(kind + "/management").want(200).shows("내일부터 ‘교대 1’ 정책을 사용하지 않습니다.")
}
