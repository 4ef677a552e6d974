package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"officeconsole/queries/queriestest"
)

const hiddenPath = "/manage/use/hidden"

func TestHideAndShow(t *testing.T) {
	s := newSite(t)
	admin, devices := s.as(queriestest.Admin), []*client{s.as(queriestest.Employee), s.as(queriestest.Employee)}
	admin.get(hiddenPath).want(200).shows("숨긴 사용자", "정하윤", "육아휴직", "휴직").hides("이준호")
	admin.get("/organization/hidden").want(200).shows("정하윤", `href="/manage/use/hidden" aria-current="page"`)
	admin.get(hiddenPath+"?new=1&people_q=이준호").want(200).shows("이준호", "메신저팀")

	employee := fmt.Sprint(queriestest.Employee)
	asked := admin.post(hiddenPath, "users", employee+", 6", "kind", "leaver", "reason", "11월 퇴사").want(200)
	asked.shows("김철수 외 1명 숨기기", "로그인 2개와 토큰 0개가 끝납니다", "2명 숨기기", "11월 퇴사")
	for _, d := range devices {
		d.get(employeeHome).want(200)
	}
	admin.post(hiddenPath, "confirmed", "1", "user_ids", employee, "user_ids", "6", "kind", "leaver", "reason", "11월 퇴사").want(303).leads(hiddenPath)
	done := admin.get(hiddenPath).want(200).shows("2명을 숨겼습니다.", "이준호", "김철수", "11월 퇴사")
	for _, d := range devices {
		d.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday")
		d.with("HX-Request", "true").get(employeeHome).want(419)
	}
	admin.get("/policies/communication/status").want(200).hides("이준호")

	undo := regexp.MustCompile(`/manage/use/hidden/sets/\d+/reversal`).FindString(done.body)
	admin.post(undo).leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("2명을 다시 표시했습니다.").hides("이준호")
	for _, d := range devices {
		d.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday") // nothing is revived
	}
	s.as(queriestest.Employee).get(employeeHome).want(200)
	admin.post(undo).leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("실행 취소할 사용자가 없습니다")

	admin.post("/en"+hiddenPath+"/showing", "id", "5").leads("/en" + hiddenPath)
	admin.get("/en"+hiddenPath).want(200).shows("1 person is shown again.", "No hidden users")
	admin.post(hiddenPath+"/showing", "id", "5").leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("이미 다시 표시된 사용자입니다.")
}

// A refused form says whom it is about, beside the field, with everything that
// was typed.
func TestHidingIsRefused(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, confirmed := range []string{"", "1"} {
		for language, text := range map[string]string{"": "대상을 선택해 주세요.", "/en": "A target must be selected.", "/ja": "対象を選択してください。"} {
			admin.post(language+hiddenPath, "confirmed", confirmed, "kind", "leave", "reason", "<이유>").want(422).
				shows(text, "<이유>", `value="leave" selected`, `aria-describedby="user_ids-help user_ids-error"`)
		}
		for ids, text := range map[string]string{
			"1": "자기 자신은 숨길 수 없습니다: 김서연", "9": "봇은 숨길 수 없습니다: 공지봇", "5, 6": "이미 숨긴 사용자입니다: 정하윤",
			"11": "존재하지 않는 사용자가 포함되어 있습니다.", "6, 99999": "존재하지 않는 사용자가 포함되어 있습니다.",
		} {
			admin.post(hiddenPath, "confirmed", confirmed, "users", ids, "kind", "leave").want(422).shows(text)
		}
	}
	admin.post(hiddenPath, "users", "x").want(422)
	admin.post(hiddenPath + "/showing").want(422).shows("대상을 선택해 주세요.")
	admin.post(hiddenPath + "/sets/x/reversal").want(http.StatusNotFound)
	if n := s.count("select count(*) from users where hidden_at is not null"); n != 1 {
		t.Errorf("%d are hidden", n)
	}
}
