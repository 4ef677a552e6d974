package handlers_test

import (
	"regexp"
	"testing"

	"officeconsole/queries/queriestest"
)

// A new attendance policy begins with the time zone and the holidays of its company;
// what an administrator chooses instead is stored.
func TestNewPolicyHasTheCompanysZone(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const path = "/policies/workingattitude"
	for zone, calendar := range map[string]string{"America/Chicago": "none", "Asia/Tokyo": "JP", "Asia/Seoul": "KR"} {
		t.Run(zone, func(t *testing.T) {
			s.exec("update companies set time_zone = $1 where id = $2", zone, queriestest.Hanbit)
			page := admin.get(path).want(200)
			checked := regexp.MustCompile(`<input[^>]*name="holiday_calendar"[^>]*value="(\w+)"[^>]*\schecked`).FindStringSubmatch(page.body)
			if page.field("timezone") != zone || len(checked) == 0 || checked[1] != calendar {
				t.Fatalf("the form has %q and %q", page.field("timezone"), checked)
			}
			f := form{"name", zone, "enabled", "true", "when", "next_work_date", "version_no", "0", "based_on", "0", "timezone", zone, "holiday_calendar", calendar}
			admin.post(path, append(f, "action", "review")...).want(200).shows("적용 대상과 바꾼 설정이 없습니다")
			stored := func(f form) string {
				admin.apply(path, f).want(303)
				return queriestest.LookUp(t, s.db, `select coalesce(settings->>'timezone', 'Asia/Seoul') || ' ' || coalesce(settings->>'holiday_calendar', 'KR')
					from policy_versions where company_id = 1 order by policy_id desc limit 1`)
			}
			if got := stored(f); got != zone+" "+calendar {
				t.Errorf("stored: %s", got)
			}
			if got := stored(f.with("name", zone+" 2", "timezone", "Asia/Seoul", "holiday_calendar", "KR")); got != "Asia/Seoul KR" {
				t.Errorf("stored of another choice: %s", got)
			}
		})
	}
}
