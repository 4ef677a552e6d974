package handlers_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const holidaysPath = "/manage/use/holidays"

func TestHolidays(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(holidaysPath).want(200).shows(`id="list"`, "회사 휴일", "2026년", "설날", "한국 공휴일", `href="/manage/use/holidays?year=2027"`, `href="/manage/use/holidays" aria-current="page"`).hides("일본 공휴일")
	admin.get("/en"+holidaysPath+"?year=2027").want(200).shows("Company holidays", "Public, Korea").hides("⟦")
	admin.get("/ja"+holidaysPath).want(200).shows("会社の休日", "韓国の祝日").hides("⟦")
	admin.get(holidaysPath + "?year=2050").want(200).hides("year=2051")
	for _, year := range []string{"2009", "2051", "x"} {
		admin.get(holidaysPath + "?year=" + year).want(404)
	}
	s.as(queriestest.Manager).get(holidaysPath).leads("/logs/workingattitude/day")

	// What cannot be saved is shown beside its field with everything that was typed.
	admin.get(holidaysPath+"?create=1").want(200).shows(`name="first_date"`, `action="/manage/use/holidays"`)
	for want, typed := range map[string][]string{
		"이름을 입력해 주세요.":  {"name", " ", "first_date", "2027-03-02"},
		"50자까지 입력할 수":   {"name", strings.Repeat("가", 51), "first_date", "2027-03-02"},
		"날짜를 입력해 주세요.":  {"name", "창립기념일"},
		"2026-11-20처럼":  {"name", "창립기념일", "first_date", "2. 3."},
		"2010년부터 2050년": {"name", "창립기념일", "first_date", "2051-01-01"},
		"첫 날짜보다 빠를 수":   {"name", "창립기념일", "first_date", "2027-03-02", "last_date", "2027-03-01"},
		"한 번에 31일까지":    {"name", "창립기념일", "first_date", "2027-03-01", "last_date", "2027-04-01"},
	} {
		answer := admin.post(holidaysPath, typed...).want(422).shows(want, "휴일을 저장하지 못했습니다", `aria-invalid="true"`)
		if name := typed[1]; name != " " && !strings.Contains(answer.body, html.EscapeString(name)) {
			t.Errorf("%q is lost", name)
		}
	}

	// One for several days, in every list of its year; no other may have one of its days.
	admin.post(holidaysPath, "name", "  여름  휴가 ", "first_date", "2027-08-02", "last_date", "2027-08-06").leads(holidaysPath + "?year=2027")
	admin.get(holidaysPath+"?year=2027").want(200).shows("휴일을 저장했습니다.", "여름 휴가", "5일", ">회사 휴일<")
	admin.post(holidaysPath, "name", "하루", "first_date", "2027-08-06").want(422).shows("이미 회사 휴일인 날짜")
	admin.post(holidaysPath, "name", "하루", "first_date", "2027-07-30", "last_date", "2027-08-02").want(422).shows("이미 회사 휴일인 날짜")
	id := s.count("select id from company_holidays")
	one := fmt.Sprintf("%s/%d", holidaysPath, id)
	admin.get(fmt.Sprintf("%s?edit=%d", holidaysPath, id)).want(200).shows(`value="여름 휴가"`, `value="2027-08-02"`, `value="2027-08-06"`, `name="version" value="1"`)
	admin.post(one, "version", "1", "name", "여름휴가", "first_date", "2027-08-03", "last_date", "2027-08-06").leads(holidaysPath + "?year=2027")
	admin.post(one, "version", "1", "name", "내 것", "first_date", "2027-08-03").want(409).shows("그사이 이 휴일이 변경되었습니다", `value="내 것"`, `name="version" value="2"`)

	// The change log shows what was changed, and reverts it.
	const changes = "/manage/security/changes"
	admin.get(fmt.Sprintf("%s?open=%d", changes, s.lastChange())).want(200).shows("여름휴가", "<dt>첫날</dt>", "2027-08-02", "2027-08-03").hides("근무일")
	admin.get(fmt.Sprintf("/en%s?open=%d", changes, s.lastChange())).want(200).shows("<dt>First day</dt>")
	admin.get(fmt.Sprintf("/ja%s?open=%d", changes, s.lastChange())).want(200).shows("<dt>初日</dt>")
	admin.post(fmt.Sprintf("%s/%d/reversal", changes, s.lastChange())).want(303)
	admin.get(holidaysPath+"?year=2027").want(200).shows("여름 휴가", "5일")
	admin.get(fmt.Sprintf("%s?delete=%d", holidaysPath, id)).want(200).shows("‘여름 휴가’ 휴일을 삭제하시겠습니까?").hides(`name="confirmed"`)
	admin.post(one+"/delete", "version", "3").leads(holidaysPath + "?year=2027")
	admin.get(holidaysPath + "?year=2027").want(200).shows("휴일을 삭제했습니다.").hides("여름 휴가")
	admin.post(fmt.Sprintf("%s/%d/reversal", changes, s.lastChange())).want(303)
	if n := s.count("select count(*) from company_holidays where id = $1 and version_no = 4 and first_date = '2027-08-02' and last_date = '2027-08-06'", id); n != 1 {
		t.Error("the deletion was not reverted")
	}
	admin.post(fmt.Sprintf("%s/%d/reversal", changes, s.lastChange())).want(303)
	for _, path := range []string{one + "9", one + "9/delete"} {
		admin.post(path, "version", "1", "name", "x", "first_date", "2027-01-02").want(404)
	}
	if n := s.count("select count(*) from outbox where type = 'policy.changed'"); n < 5 {
		t.Errorf("%d messages tell the messenger to read the policies again", n)
	}

	// Nobody changes the holidays of another company.
	other := s.as(queriestest.OtherAdmin)
	admin.post(holidaysPath, "name", "우리 것", "first_date", "2027-08-02").leads(holidaysPath + "?year=2027")
	id = s.count("select id from company_holidays")
	other.get(fmt.Sprintf("%s?edit=%d", holidaysPath, id)).want(404)
	other.post(fmt.Sprintf("%s/%d/delete", holidaysPath, id), "version", "1").want(404)
	other.get(holidaysPath + "?year=2027").want(200).hides("우리 것")
}

// A dialog leads back to the year above which it was opened, also one that is refused.
func TestHolidayDialogsOfYear(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(holidaysPath, "name", "여름휴가", "first_date", "2027-08-02").leads(holidaysPath + "?year=2027")
	admin.get(holidaysPath) // takes the toast
	id := s.count("select id from company_holidays")
	const cancel = `data-dismiss href="/en/manage/use/holidays?year=2027"`
	const cancelDeletion = `data-dismiss autofocus href="/en/manage/use/holidays?year=2027"`
	edit, deletion := fmt.Sprintf("&edit=%d", id), fmt.Sprintf("&delete=%d", id)
	for dialog, link := range map[string]string{"&create=1": cancel, edit: cancel, deletion: cancelDeletion} {
		admin.get("/en"+holidaysPath+"?year=2027"+dialog).want(200).shows(link, `name="year" value="2027"`, "여름휴가")
	}
	admin.post("/en"+holidaysPath, "year", "2027", "name", "", "first_date", "2027-08-03").want(422).shows(cancel, "여름휴가")
	admin.get("/en" + holidaysPath + "?create=1").want(200).shows(`data-dismiss href="/en/manage/use/holidays?year=2026"`)
	admin.post(holidaysPath, "year", "x", "name", "").want(404)
}

// Saving a holiday that somebody has deleted loses nothing that was typed: saving it once
// more adds it anew.
func TestSaveDeletedHoliday(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(holidaysPath, "name", "여름휴가", "first_date", "2027-08-02").want(303)
	one := fmt.Sprintf("%s/%d", holidaysPath, s.count("select id from company_holidays"))
	admin.post(one+"/delete", "version", "1", "year", "2027").want(303)
	admin.get(holidaysPath)
	typed := form{"version", "1", "year", "2027", "name", "긴 여름휴가", "first_date", "2027-08-02", "last_date", "2027-08-06"}
	gone := admin.post(one, typed...).want(409).
		shows("김서연 님이 2026년 11월 20일 10:00에 이 휴일을 삭제했습니다", "새로 추가", `value="긴 여름휴가"`, `value="2027-08-02"`, `value="2027-08-06"`, `action="`+holidaysPath+`"`)
	for language, text := range map[string]string{"/en": "김서연 deleted this holiday at", "/ja": "この休日を削除しました"} {
		admin.post(language+one, typed...).want(409).shows(text).hides("⟦")
	}
	s.as(queriestest.OtherAdmin).post(one, typed...).want(404)
	admin.post(one+"/delete", "version", "1", "year", "2027").leads(holidaysPath + "?year=2027")
	admin.get(holidaysPath).shows("김서연 님이 2026년 11월 20일 10:00에 이 휴일을 삭제했습니다")
	for _, dialog := range []string{"&edit=", "&delete="} {
		stale := holidaysPath + "?year=2027" + dialog + strings.TrimPrefix(one, holidaysPath+"/")
		admin.get(stale).want(200).shows("김서연 님이 2026년 11월 20일 10:00에 이 휴일을 삭제했습니다", `href="`+holidaysPath+`?year=2028"`).hides("data-question")
		admin.get(stale + "9").want(404)
		s.as(queriestest.OtherAdmin).get(stale).want(404)
	}
	admin.post(holidaysPath, typed.with("version", gone.field("version"))...).leads(holidaysPath + "?year=2027")
	admin.get(holidaysPath+"?year=2027").shows("긴 여름휴가", "5일")
}

// Dates that have records are shown with what they change, and changed once somebody has
// confirmed just that.
func TestHolidaysWithRecords(t *testing.T) {
	s := aWeek(t)
	admin := s.as(queriestest.Admin)
	typed := []string{"name", "창립기념일", "first_date", "2026-11-18"}
	shown := admin.post(holidaysPath, typed...).want(422).shows("이미 있는 근태 기록을 다시 계산합니다", "기록 ", "저장하고 다시 계산", `name="confirmed" value="2026-11-18  창립기념일"`)
	if s.count("select count(*) from company_holidays") != 0 || strings.Contains(shown.body, "휴일을 저장하지 못했습니다") {
		t.Error("it was saved, or refused")
	}
	confirmed := append(typed[:len(typed):len(typed)], "confirmed", "2026-11-18  창립기념일")
	other := append([]string{}, confirmed...)
	other[3] = "2026-11-17"
	admin.post(holidaysPath, other...).want(422).shows("저장하고 다시 계산", `value="2026-11-17  창립기념일"`)
	admin.post(holidaysPath, confirmed...).leads(holidaysPath + "?year=2026")
	admin.get(holidaysPath).want(200).shows("다시 계산하기 시작합니다.", "창립기념일")
	if n := s.count("select count(*) from attendance_outdated where company_id = 1 and first = '2026-11-15' and last = '2026-11-21'"); n != 1 {
		t.Errorf("%d requests to compute records again", n)
	}
	admin.get("/logs/workingattitude/day?date=2026-11-18").want(200).shows("창립기념일")
	id := s.count("select id from company_holidays")
	admin.get(fmt.Sprintf("%s?delete=%d", holidaysPath, id)).want(200).shows(`name="confirmed" value="1"`)
	admin.post(fmt.Sprintf("%s/%d/delete", holidaysPath, id), "version", "1").want(200).shows(`name="confirmed" value="1"`)

	s.exec("insert into attendance_locks (company_id, month, locked_at) values (1, '2026-11-01', now())")
	admin.post(holidaysPath, "name", "하루 더", "first_date", "2026-11-19", "confirmed", "2026-11-19  하루 더").want(422).shows("마감한 달의 날짜는", `id="first_date"`)
	admin.get(fmt.Sprintf("%s?delete=%d", holidaysPath, id)).want(422).shows("마감한 달의 날짜는")
}
