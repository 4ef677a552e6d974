package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
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
	addLink := func(name string) (int64, error) {
		return s.db.Links.Create(ctx, by, link.Draft{Name: name, URL: "https://wiki.example/", Visible: true})
	}
	linkID := func(name string) int64 { return int64(s.count("select id from links where name = $1", name)) }
	provider := queriestest.NewSignOnProvider(t, s.db)
	var providerID, noticeID int64
	kim := []int64{queriestest.Kim}
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
		{"user.hidden", func() error {
			_, err := s.db.Hidings.Hide(ctx, by, hiding.Draft{UserIDs: kim, Kind: hiding.Leave, Reason: "육아 휴직", ShowAgainOn: day})
			return err
		}, "김철수 님의 아래 숨김을 해제합니다. 종류 휴직 다시 표시할 날 2026년 12월 24일 사유 육아 휴직"},
		{"user.shown", func() error {
			_, err := s.db.Hidings.Show(ctx, by, kim)
			return err
		}, "김철수 님을 아래 내용으로 다시 숨깁니다. 로그인과 토큰이 종료됩니다. 종류 휴직"},
		{"user.deactivated", func() error {
			_, err := s.db.Hidings.Deactivate(ctx, by, hiding.Deactivation{UserIDs: kim, Reason: "퇴사"})
			return err
		}, "김철수 님의 아래 비활성화를 해제합니다. 방법 관리자 사유 퇴사"},
		{"user.reactivated", func() error {
			_, err := s.db.Hidings.Reactivate(ctx, by, kim)
			return err
		}, "김철수 님을 아래 내용으로 다시 비활성화합니다. 로그인과 토큰이 종료됩니다. 방법 관리자"},
		{"link.created", func() error {
			_, err := addLink("위키")
			return err
		}, "삭제합니다. 이름 위키 설명 없음 주소 https://wiki.example/"},
		{"link.moved", func() error {
			for _, name := range []string{"메일", "일정"} {
				if _, err := addLink(name); err != nil {
					return err
				}
			}
			_, err := s.db.Links.Move(ctx, by, linkID("위키"), linkID("일정"))
			return err
		}, "변경 전 값으로 되돌립니다. 순서 3 → 1"},
		{"link.ordered", func() error { return s.db.Links.Order(ctx, by, []int64{linkID("위키")}) }, "순서 위키 1 → 3"},
		{"link.deleted", func() error {
			_, err := s.db.Links.Delete(ctx, by, linkID("위키"), 0)
			return err
		}, "복원합니다. 이름 위키"},
		{"service.updated", func() error {
			return s.db.Links.SetServiceVisibility(ctx, by, "mail", link.Visibility{"mobile": false})
		}, "표시 추가: + 모바일"},
		{"service.moved", func() error {
			_, err := s.db.Links.MoveService(ctx, by, "calendar", "chat")
			return err
		}, "순서 일정 2 → 7"},
		{"service.ordered", func() error { return s.db.Links.OrderServices(ctx, by, []string{"chat", "poll"}) }, "순서 투표 2 → 8"},
		{"notice.created", func() error {
			n, err := s.db.Notices.Create(ctx, by, notice.Draft{Title: "점검", Body: "새벽에 점검합니다", Targets: notice.Targets{Everyone: true}})
			noticeID = n.ID
			return err
		}, "삭제합니다. 제목 점검 내용 새벽에 점검합니다 대상 삭제: 전 직원"},
		{"notice.deleted", func() error {
			_, err := s.db.Notices.Delete(ctx, by, noticeID, 0)
			return err
		}, "복원합니다. 제목 점검"},
		{"provider.created", func() (err error) {
			providerID, err = s.db.Identity.CreateProvider(ctx, by, provider.Draft())
			return err
		}, "삭제합니다. 이름 한빛 계정 사용 예 방식 OpenID Connect"},
		{"provider.updated", func() error {
			d := provider.Draft()
			d.Name, d.Domains = "다른 계정", []string{"lab.hanbit.example", "hanbit.example"}
			return s.db.Identity.UpdateProvider(ctx, by, providerID, 0, d)
		}, "변경 전 값으로 되돌립니다. 이름 다른 계정 → 한빛 계정 사용 예 → 아니요 이메일 도메인 삭제: lab.hanbit.example"},
		{"provider.deleted", func() error { return s.db.Identity.DeleteProvider(ctx, by, providerID, 0) }, "비밀 값은 보관하지 않으므로 다시 입력해야 사용할 수 있습니다. 이름 다른 계정 사용 아니요"},
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
				if strings.Contains(detail+reversal, mapKey) || strings.Contains(detail+reversal, queriestest.SignOnSecret) || webhookSecret != "" && strings.Contains(detail+reversal, webhookSecret) {
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

// The preview of a moved link says where it returns to when the link before it has moved, and
// that it cannot return when that one is deleted.
func TestChangePreviewsReversalOfMovedLink(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	admin.addLinks("하나", "둘", "셋", "넷")
	id := func(name string) int64 { return int64(s.count("select id from links where name = $1", name)) }
	move := func(name string, after int64) {
		t.Helper()
		s.clock.Advance(time.Minute)
		if _, err := s.db.Links.Move(t.Context(), by, id(name), after); err != nil {
			t.Fatal(err)
		}
	}
	move("둘", id("넷"))
	moved := fmt.Sprintf("%s?open=%d", changesPath, s.lastChange())
	admin.get(moved).want(200).shows("변경 전 값으로 되돌립니다", "<del>4</del>", "<ins>2</ins>")
	move("하나", id("셋"))
	admin.get(moved).want(200).shows("그 링크의 순서가 바뀌어", "<del>4</del>", "<ins>3</ins>").hides("변경 전 값으로 되돌립니다")
	admin.get("/en" + moved).shows("is in another position now")
	admin.get("/ja" + moved).shows("その後変わった")
	move("넷", 0)
	admin.get(moved).want(200).shows("되돌릴 수 없습니다").hides("이 대상을 바꾼 사람이 없습니다", `/reversal"`)
	move("둘", 0)
	_, reversal, _ := strings.Cut(admin.get(moved).want(200).shows("되돌릴 수 없습니다").body, `id="reversal"`)
	reversal, _, _ = strings.Cut(reversal, "</section>")
	if !strings.Contains(reversal, fmt.Sprintf("open=%d", s.lastChange())) {
		t.Errorf("the later move is not named: %s", reversal)
	}
}
