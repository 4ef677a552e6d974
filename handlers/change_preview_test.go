package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/queries/webhook"
	"officeconsole/settings"
	"officeconsole/workday"
)

// changeParts returns of the page of the latest change what it changed and what reverting
// it would do.
func (c *client) changeParts(prefix string) (detail, reversal string) {
	c.site.t.Helper()
	detail, reversal, _ = strings.Cut(c.openChange(prefix).text(), `<section class="change-reversal" aria-labelledby="reversal">`)
	reversal, _, _ = strings.Cut(reversal, "</section>")
	return detail, reversal
}

// shownFields returns the fields that a part of the page of a change shows; "" for none.
func shownFields(part string) string {
	_, fields, _ := strings.Cut(part, `<dl class="diff">`)
	fields, _, _ = strings.Cut(fields, "</dl>")
	return fields
}

// What a reversal of a whole object changes is shown before, and is what it then changes.
func TestChangePreviewsReversal(t *testing.T) {
	s := newSite(t)
	admin, by, ctx := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db), t.Context()
	day := workday.NewDate(2026, 12, 24)
	const mapKey = "0123456789ABCDEF"
	var holidayID, viewerID, checkID int64
	var webhookSecret string
	saveHoliday := func(d *policy.HolidayDraft) error {
		h, err := s.db.Policies.SaveHoliday(ctx, by, policy.HolidayChange{ID: holidayID, Draft: d, Confirmed: true})
		if err == nil && d != nil {
			holidayID = h.ID
		}
		return err
	}
	saveCheck := func(d *policy.CheckDraft) error {
		check, err := s.db.Policies.SaveCheck(ctx, by, policy.CheckChange{ID: checkID, Kind: "communication", Draft: d})
		if err == nil && d != nil {
			checkID = check.ID
		}
		return err
	}
	check := func(value string) *policy.CheckDraft {
		return &policy.CheckDraft{
			Name: "세션", Quantifier: policy.Every, Severity: policy.Warn,
			Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: value},
		}
	}
	sales := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}
	for _, test := range []struct {
		change string
		do     func() error
		shows  string // the text and the fields of the reversal
	}{
		{"holiday.created", func() error { return saveHoliday(&policy.HolidayDraft{First: day, Last: day, Name: "창립일"}) }, "삭제합니다. 이름 창립일 첫날"},
		{"holiday.updated", func() error {
			return saveHoliday(&policy.HolidayDraft{First: day, Last: day + 1, Name: "창립 기념일"})
		}, "변경 전 값으로 되돌립니다. 이름 창립 기념일 → 창립일"},
		{"holiday.deleted", func() error { return saveHoliday(nil) }, "복원합니다. 이름 창립 기념일"},
		{"viewer.registered", func() error {
			viewerID = queriestest.RegisterViewer(t, s.db, queriestest.IndividualsDraft(sales, false, queriestest.Kim)).ID
			return nil
		}, "삭제합니다. 사람 삭제: 김철수"},
		{"viewer.updated", func() error {
			_, err := s.db.Attendance.UpdateViewer(ctx, by, viewerID, 0, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Japan)}, true, queriestest.Kim))
			return err
		}, "관리 부서 삭제: 일본지사 , 추가: + 영업본부"},
		{"viewer.deleted", func() error { return s.db.Attendance.DeleteViewer(ctx, by, viewerID, 0) }, "복원합니다. 사람 추가: + 김철수"},
		{"check.created", func() error { return saveCheck(check("3600")) }, "삭제합니다. 이름 세션"},
		{"check.updated", func() error { return saveCheck(check("7200")) }, "변경 전 값으로 되돌립니다. 조건"},
		{"check.deleted", func() error { return saveCheck(nil) }, "복원합니다. 이름 세션"},
		{"webhook.updated", func() (err error) {
			if webhookSecret, err = s.db.Webhooks.Create(ctx, by, webhook.Draft{URL: "https://a.example/"}); err != nil {
				return err
			}
			return s.db.Webhooks.Update(ctx, by, 0, webhook.Draft{URL: "https://b.example/", Types: []string{"link.changed"}, Enabled: true})
		}, "추가: + 모두"},
		{"installation.updated", func() error {
			stored, err := s.db.Usage.InstallationRules(ctx, queriestest.Hanbit)
			if err != nil {
				return err
			}
			stored.Clients[0].Targets = usage.RuleTargets{Departments: []int64{queriestest.Sales}}
			_, err = s.db.Usage.SaveRules(ctx, by, stored.VersionNo, stored.Rules)
			return err
		}, "Windows 대상 삭제: 영업본부 , 추가: + 전 직원"},
		{"retention.updated", func() error {
			return s.db.Usage.SaveRetention(ctx, by, 0, usage.RetentionMonths{usage.AccessLog: 24})
		}, "접속 이력 24개월"},
		{"disclosure.updated", func() error {
			return s.db.Directory.SaveDisclosure(ctx, by, 0, directory.Disclosure{PersonalPhones: true})
		}, "개인 전화"},
		{"map.updated", func() error {
			return s.db.Directory.SaveMaps(ctx, by, 0, directory.MapLicenses{{Provider: "VWorld", Key: mapKey, TileURL: directory.MapServices[0].TileURL, Attribution: "© VWorld"}})
		}, "…CDEF"},
		{"factor_rule.updated", func() error {
			return s.db.Identity.SaveFactorRule(ctx, by, 0, identity.FactorRuleDraft{RequiredOf: identity.RequiredOfAdministrators, GraceDays: 14})
		}, "변경 전 값으로 되돌립니다"},
	} {
		s.clock.Advance(time.Minute)
		if err := test.do(); err != nil {
			t.Fatalf("%s: %v", test.change, err)
		}
		for i := range 2 { // the change, then its reversal
			action := queriestest.LookUp(t, s.db, "select action from changes where id = $1", s.lastChange())
			if i == 0 && action != test.change {
				t.Fatalf("changed %s, want %s", action, test.change)
			}
			_, reversal := admin.changeParts("")
			preview := shownFields(reversal)
			if text := strings.Join(strings.Fields(tag.ReplaceAllString(reversal, " ")), " "); i == 0 && !strings.Contains(text, test.shows) {
				t.Errorf("%s: reverting it shows %q, want %q", action, text, test.shows)
			}
			for _, prefix := range []string{"", "/en", "/ja"} {
				detail, reversal := admin.changeParts(prefix)
				if count := strings.Count(shownFields(reversal), "<dt>"); count == 0 || count != strings.Count(preview, "<dt>") {
					t.Errorf("%s: reverting it shows %q in %s", action, reversal, prefix)
				}
				if strings.Contains(detail+reversal, mapKey) || webhookSecret != "" && strings.Contains(detail+reversal, webhookSecret) {
					t.Errorf("%s shows a secret", action)
				}
			}
			s.clock.Advance(time.Minute)
			if _, err := s.db.Audit.Revert(ctx, by, int64(s.lastChange()), true); err != nil {
				t.Fatalf("%s: %v", action, err)
			}
			if detail, _ := admin.changeParts(""); shownFields(detail) != preview {
				t.Errorf("reverting %s changed\n%s\nwant as shown\n%s", action, shownFields(detail), preview)
			}
		}
	}
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, s.count("select min(id) from changes where action = 'holiday.created'"))).want(200).hides("삭제합니다").shows("겹치지 않더라도 되돌릴 수 없습니다")
}
