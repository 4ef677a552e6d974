package handlers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/settings"
)

// openChange shows the latest change with its details.
func (c *client) openChange(prefix string) answer {
	c.site.t.Helper()
	return c.get(fmt.Sprintf("%s%s?open=%d", prefix, changesPath, c.site.lastChange())).want(200).hides("⟦", "따로 기록된 내용이 없습니다", "No further details were recorded")
}

func TestChangeShowsToken(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	until := s.clock.Now().AddDate(1, 0, 0)
	draft := identity.ServiceTokenDraft{Name: "메신저 서버", Scopes: []string{identity.ScopeEvents, identity.ScopeRead}, Addresses: []string{"203.0.113.0/24"}, ExpiresAt: &until}
	if _, err := s.db.Identity.IssueServiceToken(t.Context(), queriestest.AdminActor(t, s.db), draft); err != nil {
		t.Fatal(err)
	}
	admin.openChange("").shows("권한 범위", "이벤트 보내기(events)", "읽기(read)", "허용 주소", "203.0.113.0/24", "만료", "2027").hides("scim")
	admin.openChange("/en").shows("Scopes", "Send events (events)", "Allowed addresses")
	admin.openChange("/ja").shows("権限範囲", "イベントの送信（events）")
}

func TestChangeShowsExport(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		path  string
		shows []string
	}{
		{"/logs/workingattitude/day/export?format=csv&date=2026-11-19&status=late&department_id=2", []string{"목록", "일별 근태", "조건", "11월 19일 · 영업본부 · 지각"}},
		{fmt.Sprintf("/logs/communication/file/export?format=csv&q=견적&sender_id=%d&platform=pc", queriestest.Kim), []string{"파일 저장 로그", "보낸 사람 김철수 · 검색 ‘견적’ · PC"}},
		{fmt.Sprintf("/manage/security/access/export?format=csv&user_id=%d&kind=login&result=failed", queriestest.Kim), []string{"접속 이력", "김철수 · 로그인 · 실패"}},
		{pcClientsPath + "/export?format=csv&state=idle&days=60", []string{"설치 현황", "60일 이상 미사용 · PC"}},
		{changesPath + fmt.Sprintf("/export?format=csv&object=link&action=link.created&actor=%d", queriestest.Admin), []string{"변경 이력", "김서연 · 바로가기 · 만듦"}},
		{"/logs/workingattitude/month/payroll/export?format=csv&from=2026-10", []string{"급여용 파일", "2026-10부터"}},
		{"/manage/security/reads/export?format=csv&kind=files&via=page", []string{"조회 기록", "파일 저장 로그 · 화면"}},
		{"/manage/security/reads/export?format=csv", []string{"조건 없음"}},
	} {
		admin.get(test.path).want(200)
		admin.openChange("").shows(test.shows...)
		admin.openChange("/en")
		admin.openChange("/ja")
	}
}

// Each edit of the services of maps shows what it changed, without the keys.
func TestChangeShowsMaps(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const key, otherKey = "0123456789ABCDEF", "FEDCBA987654CDEF"
	service := directory.MapLicense{Provider: "VWorld", Key: key, TileURL: directory.MapServices[0].TileURL, Attribution: "© VWorld"}
	for version, edit := range []struct {
		change func()
		shows  []string
	}{
		{func() {}, []string{"+ </span>VWorld (api.vworld.kr, …CDEF)</ins>"}},
		{func() { service.Attribution = "© 공간정보" }, []string{"VWorld (api.vworld.kr, …CDEF) · © VWorld</del>", "VWorld (api.vworld.kr, …CDEF) · © 공간정보</ins>"}},
		{func() { service.TileURL = strings.Replace(service.TileURL, "Base", "gray", 1) }, []string{"/Base/", "/gray/"}},
		{func() { service.Key = otherKey }, []string{"VWorld (api.vworld.kr, …CDEF)</del>", "VWorld (api.vworld.kr, …CDEF)</ins>"}},
	} {
		edit.change()
		s.clock.Advance(time.Minute)
		if err := s.db.Directory.SaveMaps(t.Context(), queriestest.AdminActor(t, s.db), int32(version), directory.MapLicenses{service}); err != nil {
			t.Fatal(err)
		}
		detail, reversal := admin.changeParts("")
		for _, text := range edit.shows {
			if !strings.Contains(detail, text) {
				t.Errorf("edit %d does not show %q: %s", version, text, shownFields(detail))
			}
		}
		if shownFields(reversal) == "" || strings.Contains(detail, key) || strings.Contains(detail, otherKey) {
			t.Errorf("edit %d shows %s", version, reversal)
		}
	}
}

func TestChangeShowsOrder(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	names := strings.Fields("하나 둘 셋 넷 다섯 여섯 일곱 여덟")
	admin.addLinks(names...)
	by := queriestest.AdminActor(t, s.db)
	id := func(name string) int64 { return int64(s.count("select id from links where name = $1", name)) }
	order := func(ids ...int64) {
		t.Helper()
		if err := s.db.Links.Order(t.Context(), by, ids); err != nil {
			t.Fatal(err)
		}
	}
	order(id("셋"))
	admin.openChange("").shows("순서", "셋 3 → 1").hides("하나 1", "둘 2")
	admin.openChange("/en").shows("Order", "셋 3 → 1")
	order(id("여덟"), id("일곱"), id("여섯"), id("다섯"), id("넷"), id("둘"), id("하나"), id("셋"))
	admin.openChange("").shows("일곱 7 → 2", "외 2개")

	services := link.ServiceArrangement{}
	found, err := s.db.Links.Services(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range found {
		services.IDs = append(services.IDs, service.ID)
	}
	services.IDs[1], services.IDs[4] = services.IDs[4], services.IDs[1]
	if err := s.db.Links.OrderServices(t.Context(), by, services.IDs); err != nil {
		t.Fatal(err)
	}
	admin.openChange("").shows("자료실 5 → 2")
	if _, err := s.db.Links.MoveService(t.Context(), by, "calendar", "poll"); err != nil {
		t.Fatal(err)
	}
	admin.openChange("").shows("일정 7 → 8").hides("투표 8 → 7")
}

// Who may install a client is shown by name, also where its number did not change. A
// record that has only the number shows it.
func TestChangeShowsInstallationTargets(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	by := queriestest.AdminActor(t, s.db)
	save := func(version int32, targets usage.RuleTargets) {
		t.Helper()
		stored, err := s.db.Usage.InstallationRules(t.Context(), queriestest.Hanbit)
		if err != nil {
			t.Fatal(err)
		}
		stored.Clients[0].Targets = targets
		if _, err := s.db.Usage.SaveRules(t.Context(), by, version, stored.Rules); err != nil {
			t.Fatal(err)
		}
	}
	save(0, usage.RuleTargets{Departments: []int64{queriestest.Sales}, Users: []int64{queriestest.Kim}})
	admin.openChange("").shows("Windows 대상", "전 직원</del>", "영업본부</ins>", "김철수</ins>").hides("macOS 대상", "Windows 대상: 2")
	save(1, usage.RuleTargets{Departments: []int64{queriestest.Japan}, Users: []int64{queriestest.Kim}})
	admin.openChange("").shows("Windows 대상", "영업본부</del>", "일본지사</ins>").hides("김철수</", "macOS 대상")
	admin.openChange("/en").shows("Windows for whom")
	s.exec(`insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name, old, new)
		select company_id, at + interval '1 minute', actor_name, action, object_type, object_id, object_name, '{"client_rules":[]}', '{"client_rules":["windows targets=2"]}' from changes where id = (select max(id) from changes)`)
	admin.openChange("").shows("Windows 대상: 2")
}

func TestChangeShowsConditionOfCheck(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	draft := &policy.CheckDraft{
		Name: "세션", Quantifier: policy.Every, Severity: policy.Warn,
		Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "3600"},
	}
	var check policy.Check
	save := func(draft *policy.CheckDraft) {
		t.Helper()
		var err error
		if check, err = s.db.Policies.SaveCheck(t.Context(), by, policy.CheckChange{ID: check.ID, Kind: "communication", Draft: draft}); err != nil {
			t.Fatal(err)
		}
	}
	save(draft)
	created := draft.Sentence("communication", locales.Korean)
	admin.openChange("").shows("<dt>조건</dt><dd>" + created + "</dd>")
	draft.Value = "7200"
	save(draft)
	updated := draft.Sentence("communication", locales.Korean)
	admin.openChange("").shows("<del>"+created+"</del>", "<ins>"+updated+"</ins>")
	save(nil)
	admin.openChange("").shows("<dt>조건</dt><dd>" + updated + "</dd>")
}

// The page of a deleted policy's change says what it had, and what of that a restored one
// does not get again.
func TestChangeShowsDeletedPolicy(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	draft := queriestest.PolicyDraft("메신저팀", queriestest.DepartmentTarget(queriestest.Messenger))
	draft.Settings = json.RawMessage(`{"mobile_copy":false}`)
	p := queriestest.CreatePolicy(t, s.db, draft)
	s.clock.Advance(time.Minute)
	if _, err := s.db.Policies.Delete(t.Context(), by, p.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	deleted := s.lastChange()
	const target = "<del><span class=\"vh\">삭제: </span>메신저팀</del>"
	admin.openChange("").shows("적용 대상", "모바일 복사", target).hides("복원되지 않습니다", "(2)")
	s.clock.Advance(time.Minute)
	queriestest.CreatePolicy(t, s.db, draft)
	open := fmt.Sprintf("%s?open=%d", changesPath, deleted)
	admin.get(open).want(200).shows(target, "대상 1개는 이미 다른 정책에 있거나", "복원되지 않습니다: 메신저팀", "‘메신저팀 (2)’")
	admin.get("/en"+open).want(200).shows("does not come back: 메신저팀", "restored as “메신저팀 (2)”")
	admin.get("/ja" + open).want(200).shows("「메신저팀 (2)」として復元")
}

// Of a change of attendance the page leads to where it is undone, and reads no record for it.
func TestChangeLeadsToAttendance(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name, new)
		values (1, $1, '김서연', 'attendance.edited', 'attendance', 6, '김철수 2026-11-19', '{"record_id": "6-2026-11-19", "reason": "늦은 입력"}')`, s.clock.Now())
	admin := s.as(queriestest.Admin)
	const record = `href="/logs/workingattitude/day/6-2026-11-19"`
	admin.openChange("").shows("기록 화면에서", record).hides("이 종류의 변경은")
	admin.openChange("/en").shows("on the page of the attendance record", `href="/en/logs/workingattitude/day/6-2026-11-19"`)
	admin.openChange("/ja").shows("勤怠記録のページで")
	if n := s.count("select count(*) from attendance_views"); n != 0 {
		t.Errorf("%d records count as read", n)
	}
	s.exec(`insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name, new)
		values (1, $1, '김서연', 'attendance.unlocked', 'attendance_month', 202610, '2026-10', '{"reason": "정정"}')`, s.clock.Now())
	admin.openChange("").shows("‘근태 기록 관리’에서", `href="/logs/workingattitude/management#locks"`).hides("이 종류의 변경은")
}

func TestChangeShowsFilesOfNotice(t *testing.T) {
	s := newSite(t)
	admin, by, files := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db), queriestest.Blobs(t)
	upload := func(name string) int64 {
		t.Helper()
		file, err := s.db.Notices.Upload(t.Context(), by, files, notice.Upload{Name: name, Content: strings.NewReader(name)})
		if err != nil {
			t.Fatal(err)
		}
		return file.ID
	}
	at := s.clock.Now().Add(48 * time.Hour)
	n, err := s.db.Notices.Create(t.Context(), by, notice.Draft{Title: "점검", Body: "본문", Targets: notice.Targets{Everyone: true}, PublishAt: &at, AttachmentIDs: []int64{upload("one.txt"), upload("same.txt")}})
	if err != nil {
		t.Fatal(err)
	}
	admin.openChange("").shows("one.txt</ins>", "same.txt</ins>")
	two := upload("two.txt")
	edit := func(change func(*notice.Draft)) {
		t.Helper()
		if _, err := s.db.Notices.Update(t.Context(), by, n.ID, 0, func(d notice.Draft) notice.Draft {
			d.AttachmentIDs = slices.Clone(d.AttachmentIDs)
			change(&d)
			return d
		}); err != nil {
			t.Fatal(err)
		}
	}
	edit(func(d *notice.Draft) { d.AttachmentIDs[0] = two })
	admin.openChange("").shows("첨부 파일", "one.txt</del>", "two.txt</ins>").hides("1개 → 1개", "2개 → 2개", "same.txt")
	edit(func(d *notice.Draft) { d.AttachmentIDs[0], d.AttachmentIDs[1] = d.AttachmentIDs[1], d.AttachmentIDs[0] })
	admin.openChange("").shows("순서만 바뀌었습니다")
}

// People and departments of one name are told apart.
func TestChangeTellsNamesakesApart(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	s.exec("update users set name = '강대민' where company_id = 1 and id = any ($1)", []int64{queriestest.Kim, queriestest.Foreigner, queriestest.Viewer, queriestest.Manager})
	at := s.clock.Now().Add(48 * time.Hour)
	n, err := s.db.Notices.Create(t.Context(), by, notice.Draft{Title: "점검", Body: "본문", Targets: notice.Targets{UserIDs: []int64{queriestest.Kim}}, PublishAt: &at})
	if err != nil {
		t.Fatal(err)
	}
	admin.openChange("").shows("강대민</ins>")
	for _, test := range []struct {
		user          int64
		before, after string
	}{
		{queriestest.Foreigner, "강대민(국내영업팀)</del>", "강대민(해외영업팀)</ins>"},
		{queriestest.Viewer, "강대민(해외영업팀)</del>", "강대민(영업본부)</ins>"},
		{queriestest.Manager, "강대민(영업본부, H0003)</del>", "강대민(영업본부, H0004)</ins>"},
	} {
		if _, err := s.db.Notices.Update(t.Context(), by, n.ID, 0, func(d notice.Draft) notice.Draft {
			d.Targets.UserIDs = []int64{test.user}
			return d
		}); err != nil {
			t.Fatal(err)
		}
		admin.openChange("").shows("대상", test.before, test.after)
	}
}

// Of a registration of a viewer the page does not promise that a change can be reverted
// after another one that does not overlap with it: reverting it is refused. A moved link
// can be moved back.
func TestLaterChangesOfTheSameObject(t *testing.T) {
	s := newSite(t)
	admin, by := s.as(queriestest.Admin), queriestest.AdminActor(t, s.db)
	sales, japan := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Japan)}
	v := queriestest.RegisterViewer(t, s.db, queriestest.IndividualsDraft(sales, false, queriestest.Kim))
	edit := func(d attendance.ViewerDraft) int {
		t.Helper()
		s.clock.Advance(time.Minute)
		if _, err := s.db.Attendance.UpdateViewer(t.Context(), by, v.ID, 0, d); err != nil {
			t.Fatal(err)
		}
		return s.lastChange()
	}
	edited := edit(queriestest.IndividualsDraft(sales, true, queriestest.Kim))
	edit(queriestest.IndividualsDraft(japan, true, queriestest.Kim))
	open := fmt.Sprintf("%s?open=%d", changesPath, edited)
	admin.get(open).want(200).shows("겹치지 않더라도 되돌릴 수 없습니다").hides("겹치는 변경이 있으면", "변경 전 값으로")
	admin.get("/en" + open).want(200).shows("even elsewhere in it")
	admin.get("/ja" + open).want(200).shows("変更が重なっていなくても")
	admin.post(fmt.Sprintf("%s/%d/reversal", changesPath, edited)).want(409)

	admin.addLinks("하나", "둘")
	id := int64(s.count("select id from links where name = '둘'"))
	s.clock.Advance(time.Minute)
	if _, err := s.db.Links.Move(t.Context(), by, id, 0); err != nil {
		t.Fatal(err)
	}
	moved := s.lastChange()
	s.clock.Advance(time.Minute)
	if err := s.db.Links.Update(t.Context(), by, id, 0, func(d link.Draft) link.Draft {
		d.Name = "다른 이름"
		return d
	}); err != nil {
		t.Fatal(err)
	}
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, moved)).want(200).shows("겹치는 변경이 있으면")
	admin.post(fmt.Sprintf("%s/%d/reversal", changesPath, moved)).leads(changesPath)
}
