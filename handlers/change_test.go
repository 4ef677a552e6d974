package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/provisioning"
	"officeconsole/queries/queriestest"
)

const changesPath = "/manage/security/changes"

// lastChange is the id of the latest change.
func (s *site) lastChange() int { return s.count("select max(id) from changes") }

func TestChanges(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(changesPath).want(200).shows("아직 변경이 없습니다", "아직 확인하지 않았습니다", `href="/manage/security/changes" aria-current="page"`).hides("<table")
	admin.addLinks("그룹웨어", "위키")
	s.clock.Advance(time.Minute)
	admin.upload(s.linkPath("위키", ""), nil, "name", "<b>사내 위키</b>", "url", "https://{host}/wiki", "visible", "true", "version", "1").leads(linksPath)
	updated := s.lastChange()
	page := admin.get(changesPath).want(200)
	page.shows("바로가기", "그룹웨어", "김서연", "이름 외 1개", fmt.Sprintf("%s?open=%d#change-%d", changesPath, updated, updated)).hides("되돌리기")
	if strings.Contains(page.body, "<b>사내") {
		t.Error("a name is markup")
	}

	// The open change shows what it changed.
	open := admin.get(fmt.Sprintf("%s?open=%d", changesPath, updated)).want(200)
	open.shows(`aria-expanded="true"`, "<del>위키</del>", "<ins><b>사내 위키</b></ins>", "https://{host}/wiki", "그 뒤로 이 대상을 바꾼 사람이 없습니다", "되돌리기")
	if strings.Contains(open.body, "서비스 아이콘") {
		t.Error("a field that did not change is shown")
	}

	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?object=link", 200, "그룹웨어", "조건에 맞는"},
		{"?object=link&action=link.updated", 200, "사내 위키", "그룹웨어"},
		{"?object=policy", 200, "조건에 맞는 변경이 없습니다", "<table"},
		{fmt.Sprint("?object=link&id=", s.count("select id from links where name = '그룹웨어'")), 200, "그룹웨어", "사내 위키"},
		{fmt.Sprint("?actor=", queriestest.Manager), 200, "조건에 맞는 변경이 없습니다", "<table"},
		{fmt.Sprint("?actor=", queriestest.Admin), 200, "그룹웨어", "조건에 맞는"},
		{"?from=2026-11-21", 200, "조건에 맞는 변경이 없습니다", "<table"},
		{"?from=2026-11-20&to=2026-11-19", 422, "끝 날짜는 시작 날짜보다 빠를 수 없습니다", "조건에 맞는 변경이 없습니다"},
		{"?to=2026-11-20", 200, "그룹웨어", "조건에 맞는"},
		{"?deleted=1", 200, "조건에 맞는 변경이 없습니다", "<table"},
		{"?object=car", 404, "", "<table"},
		{"?q=%EC%9C%84%ED%82%A4", 200, "사내 위키", "그룹웨어"},
		{"?q=%EC%9C%84%ED%82%A4&object=policy", 200, "조건에 맞는 변경이 없습니다", "<table"},
		{"?q=x", 422, "검색어", "조건에 맞는"},
		{"?object=link&action=policy.updated", 404, "", "<table"},
		{"?from=1899-12-31", 404, "", "<table"},
		{"?actor=x", 404, "", "<table"},
		{"?open=0", 404, "", "<table"},
		{"?open=99999", 404, "", "<table"},
		{"?cursor=x", 404, "", "<table"},
	} {
		a := admin.get(changesPath + test.query).want(test.status).hides(test.hides)
		if test.shows != "" {
			a.shows(test.shows)
		}
	}
	s.as(queriestest.OtherAdmin).get(fmt.Sprintf("%s?open=%d", changesPath, updated)).want(404)
}

func TestRevertChange(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("그룹웨어")
	created := s.lastChange()
	reversal := func(id int) string { return fmt.Sprintf("%s/%d/reversal", changesPath, id) }

	// A deleted link is found by the filter, restored, and deleted again by Undo.
	s.clock.Advance(time.Minute)
	admin.post(s.linkPath("그룹웨어", "delete")).leads(linksPath)
	deleted := s.lastChange()
	admin.get(changesPath+"?deleted=1").want(200).shows("그룹웨어", "30일 안에 복원할 수 있습니다")
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, deleted)).shows(">복원<", reversal(deleted))
	s.clock.Advance(time.Minute)
	admin.post(reversal(deleted)).leads(changesPath)
	if s.count("select count(*) from links where deleted_at is null") != 1 {
		t.Error("the link was not restored")
	}
	admin.undo(changesPath).leads(changesPath)
	admin.get(linksPath).hides(">그룹웨어<")

	// What has changed since stands beside the change, and why it stays.
	s.clock.Advance(time.Minute)
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, created)).shows("그 뒤에 같은 대상이 바뀌었습니다", fmt.Sprintf("open=%d", deleted))
	admin.post(reversal(created)).want(409).shows(`role="alert"`, "그사이", fmt.Sprintf(`id="change-%d"`, created))

	// Long after, a deletion stays.
	s.clock.Advance(31 * 24 * time.Hour)
	admin.signIn(queriestest.Admin)
	admin.get(changesPath + "?deleted=1").want(200).hides("그룹웨어")
	last := s.lastChange()
	for prefix, text := range map[string]string{"": "30일이 지나 복원할 수 없습니다", "/en": "cannot be restored", "/ja": "復元できません"} {
		admin.get(fmt.Sprintf("%s%s?open=%d", prefix, changesPath, last)).want(200).shows(text).hides(reversal(last))
	}
	admin.post(reversal(last)).want(409)
	admin.post(reversal(99999)).want(404)
	s.as(queriestest.OtherAdmin).post(reversal(deleted)).want(404)

	// In the next year the list says of which year the changes are.
	s.clock.Advance(31 * 24 * time.Hour)
	admin.signIn(queriestest.Admin)
	admin.get(changesPath).want(200).shows(">2026-11-20</time>").hides(">11/20 ")
}

// A policy's change shows its settings in words; one that would lock the
// administrator out asks first.
func TestChangesOfPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	d := queriestest.PolicyDraft("임원 정책", queriestest.UserTarget(queriestest.Kim))
	p, err := s.db.Policies.Create(t.Context(), queriestest.AdminActor(t, s.db), d)
	if err != nil {
		t.Fatal(err)
	}
	created := s.lastChange()
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, created)).want(200).shows("임원 정책", "파일 최대 크기(MB)", "적용 대상", "김철수").hides("알 수 없는 대상")
	s.clock.Advance(time.Hour)
	admin.post(fmt.Sprintf("%s/%d/reversal", changesPath, created)).leads(changesPath)
	if s.count("select count(*) from policies where id = $1 and deleted_at is null", p.ID) != 0 {
		t.Error("the created policy still exists")
	}
	admin.get(changesPath).want(200).shows("변경을 되돌렸습니다.")
}

func TestVerifyChanges(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("그룹웨어", "위키")
	admin.post(changesPath + "/verification").leads(changesPath)
	admin.get(changesPath).want(200).shows("기록 이상 없음", "2건이 기록된 그대로입니다.")
	altered := s.count("select min(id) from changes")
	s.exec("begin; set local session_replication_role = replica; update changes set object_name = 'x' where id = (select min(id) from changes); commit")
	admin.post(changesPath + "/verification").leads(changesPath)
	admin.get(changesPath).want(200).shows("기록 손상", fmt.Sprintf("%d번 변경의 내용이", altered), fmt.Sprintf("?open=%d", altered))
	s.as(queriestest.Employee).post(changesPath + "/verification").leads("/logs/workingattitude/day")
}

// The change of a policy says how many people reverting it affects, and the list can
// be exported as it is filtered.
func TestChangesOfAPolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("그룹웨어")
	p := queriestest.CreatePolicy(t, s.db, queriestest.PolicyDraft("판교 정책", queriestest.DepartmentTarget(queriestest.Messenger)))
	created := s.lastChange()
	open := fmt.Sprintf("%s?open=%d", changesPath, created)
	admin.get(open).want(200).shows("1명", "적용 해제 1명", "되돌리기")
	s.clock.Advance(time.Minute)
	if _, err := s.db.Policies.Update(t.Context(), queriestest.AdminActor(t, s.db), p.ID, 0, queriestest.PolicyDraft("판교 정책", queriestest.DepartmentTarget(queriestest.Japan))); err != nil {
		t.Fatal(err)
	}
	admin.get(open).want(200).hides("적용 해제 1명")
	s.clock.Advance(time.Minute)
	if _, err := s.db.Policies.Delete(t.Context(), queriestest.AdminActor(t, s.db), p.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, s.lastChange())).want(200).shows("적용이 바뀌는 사람은 없습니다", "복원")

	admin.get(changesPath+"/export?format=csv").want(200).shows("판교 정책", "그룹웨어", "김서연", "이전 내용", `""name""`)
	admin.get(changesPath + "/export?format=csv&q=%ED%8C%90%EA%B5%90").want(200).shows("판교 정책").hides("그룹웨어")
	admin.get(changesPath+"/export?format=csv&object=policy&action=policy.created").want(200).shows("판교 정책", "만듦").hides("그룹웨어", "수정")
	if a := admin.get(changesPath + "/export?format=xlsx&from=2026-11-21").want(200); !strings.HasPrefix(a.body, "PK") {
		t.Error("the file is no spreadsheet")
	}
	admin.get(changesPath + "/export?format=pdf").want(404)
	admin.get(changesPath + "/export?format=csv&object=car").want(404)
	admin.get(changesPath + "/export?format=csv&from=2026-11-20&to=2026-11-19").want(422)
	s.as(queriestest.OtherAdmin).get(changesPath + "/export?format=csv").want(200).hides("판교 정책")
}

// What another directory changes is shown with its fields.
func TestChangesByProvisioning(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	by := provisioning.Actor(queriestest.Hanbit, "okta")
	_, err := s.db.Provisioning.UpdateUser(t.Context(), by, queriestest.Kim, "", func(p *provisioning.Profile) error {
		p.UserName, p.Title = "kim.cheolsu@hanbit.example", "수석"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, s.lastChange())).want(200).shows("okta (provisioning)", "김철수", "이메일", "kim.cheolsu@hanbit.example", "직위", "수석")
	admin.get(fmt.Sprintf("/en%s?open=%d", changesPath, s.lastChange())).want(200).shows("Updated", "Email", "Position").hides("change.")
	created, err := s.db.Provisioning.CreateDepartment(t.Context(), by, provisioning.DepartmentDraft{Name: "데이터팀", ExternalID: "g-1", Members: []provisioning.MemberChange{{IDs: []int64{queriestest.Kim}}}})
	if err != nil {
		t.Fatal(err)
	}
	admin.get(changesPath+"?object=department").want(200).shows("데이터팀", "부서", "생성")
	admin.get(fmt.Sprintf("%s?open=%d", changesPath, s.lastChange())).want(200).shows("데이터팀", "추가한 구성원", "김철수", "외부 ID", "부서 경로", "한빛테크/데이터팀")
	admin.get(fmt.Sprintf("/ja%s?open=%d", changesPath, s.lastChange())).want(200).shows("追加したメンバー", "外部ID").hides("change.")
	_, err = s.db.Provisioning.UpdateDepartment(t.Context(), by, created.ID, "", func(d *provisioning.DepartmentDraft) error {
		add := provisioning.MemberChange{IDs: []int64{queriestest.Employee, queriestest.Viewer}}
		d.Members = append(d.Members, add, provisioning.MemberChange{Op: provisioning.RemoveMembers, IDs: []int64{queriestest.Kim}})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	admin.get(changesPath + "?object=department").want(200).shows(`title="추가한 구성원 이준호 외 1명 · 뺀 구성원 김철수"`)
	admin.get("/en" + changesPath + "?object=department").want(200).shows(`title="Members added 이준호 and 1 other · Members removed 김철수"`)
}
