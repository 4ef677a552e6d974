package handlers_test

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// labels are the accessible names of the elements of a page that a pattern finds.
func (a answer) labels(element string) []string {
	var labels []string
	for _, found := range regexp.MustCompile(`<`+element+`\b[^>]*\baria-label="([^"]*)"`).FindAllStringSubmatch(a.text(), -1) {
		labels = append(labels, found[1])
	}
	return labels
}

// A list of all buttons or fields has only their names, which must say what each belongs to.
func TestControlsHaveNamesOfTheirOwn(t *testing.T) {
	s := lateSite(t)
	boxes := s.asKim().get(kimFriday + "?form=correction").want(200).labels("input")
	if want := []string{"출근은 다음 날", "퇴근은 다음 날"}; !slices.Equal(boxes, want) {
		t.Errorf("the boxes of a correction are named %q, want %q", boxes, want)
	}
	admin := s.as(queriestest.Admin)
	summaries := admin.get("/manage/use/install").want(200).labels("summary")
	if slices.Sort(summaries); len(summaries) != 10 || len(slices.Compact(summaries)) != 10 {
		t.Errorf("the rules of installation are opened by %q", summaries)
	}
	s.nobody().signIn(queriestest.Admin)
	s.clock.Advance(5 * time.Minute)
	s.nobody().signIn(queriestest.Admin)
	page := admin.get("/profile").want(200)
	buttons := page.labels("button")
	if out := slices.DeleteFunc(buttons, func(name string) bool {
		return !regexp.MustCompile(`127\.0\.0\.1, 마지막 사용 .+\) 로그아웃$`).MatchString(name)
	}); len(out) < 2 || len(slices.Compact(out)) != len(out) {
		t.Errorf("the devices are signed out by %q", out)
	}
	page.shows(`aria-label="현재 비밀번호: 기기 로그아웃"`)
}

func TestARecordOpensAtItsHeading(t *testing.T) {
	s := lateSite(t)
	kim := s.asKim()
	kim.get(above(kimFriday)).want(200).shows(`<h2 id="record-title" tabindex="-1" autofocus>`)
	kim.get(above(kimFriday)+"&form=correction").want(200).shows(`<h2 id="record-title" tabindex="-1">`, ` autofocus`)
}

// Whoever may not ask for a correction any more is told the limit, and nobody else.
func TestTheLimitOfCorrections(t *testing.T) {
	s := lateSite(t)
	kim, limit := s.asKim(), "정정은 근무일부터 7일 안에 신청할 수 있습니다."
	kim.get(kimFriday).want(200).shows("form=correction").hides(limit)
	s.clock.Advance(8 * 24 * time.Hour)
	kim = s.asKim()
	kim.get(kimFriday).want(200).hides("form=correction").shows(limit)
	s.as(queriestest.Viewer).get(kimFriday).want(200).hides(limit)
	s.exec("insert into attendance_locks (company_id, month, locked_at, locked_by) values (1, '2026-11-01', now(), 1)")
	kim.get(kimFriday).want(200).hides(limit)
}
