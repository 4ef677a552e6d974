package handlers_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

func reasonPath(kind string, userID int64) string {
	return fmt.Sprintf("/policies/%s/status/%d", kind, userID)
}

// steps returns the names of the steps to the policy, in order.
func (a answer) steps() []string {
	var names []string
	way := regexp.MustCompile(`(?s)<ol class="timeline">.*?</ol>`).FindString(a.body)
	for _, name := range regexp.MustCompile(`<b><bdi>(.*?)</bdi>`).FindAllStringSubmatch(way, -1) {
		names = append(names, name[1])
	}
	return names
}

func TestStatusReason(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	// Olivia's team is a target from June on, and 메신저팀 that of a disabled
	// policy.
	s.exec(`insert into policy_targets (company_id, policy_id, no, department_id) values (1, 7, 1, $1)`, queriestest.Messenger)
	s.exec(`update policy_versions set effective_from = '2026-06-01 09:30+09' where policy_id = 5 and no = 2`)
	s.exec(`update companies set policy_version = policy_version + 1`)
	for _, test := range []struct {
		name  string
		path  string
		steps []string
		shows []string
	}{
		{"own", reasonPath("communication", queriestest.Japanese), []string{"佐藤ひろし"},
			[]string{"직접 적용", "연구소 보안 정책", "이 사람에게 직접 적용한 정책입니다."}},
		{"inherited", reasonPath("communication", queriestest.Kim), []string{"김철수", "국내영업팀"},
			[]string{"상속됨 · 국내영업팀", "영업본부 외근 정책", "직접 지정한 정책이 없습니다.", "이 부서에 적용한 정책을 상속합니다.", "세션 유지 시간", "10분", "기본값 1시간"}},
		{"default", reasonPath("communication", queriestest.Manager), []string{"최유진", "영업본부", "한빛테크", "기본 정책"},
			[]string{"이 부서를 지정한 정책이 없습니다.", "위에서 적용되는 정책이 없어 기본 정책을 따릅니다.", "모든 설정이 기본값입니다."}},
		{"disabled", reasonPath("communication", queriestest.Employee), []string{"이준호", "메신저팀", "연구소"},
			[]string{"감사 대응 정책", "사용하지 않는 정책이라 건너뜁니다.", "상속됨 · 연구소", "30분"}},
		{"later", reasonPath("communication", queriestest.Employee) + "?at=2026-12-01T10:00", []string{"이준호", "메신저팀", "연구소"},
			[]string{"5분", `value="2026-12-01T10:00"`, "버전 2"}},
		{"later, to the second", reasonPath("communication", queriestest.Employee) + "?at=2026-12-01T10:00:05", []string{"이준호", "메신저팀", "연구소"},
			[]string{`value="2026-12-01T10:00:05"`, "버전 2"}},
		{"not yet", reasonPath("communication", queriestest.Foreigner) + "?at=2026-03-15", []string{"Olivia Martin", "해외영업팀", "영업본부", "한빛테크", "기본 정책"},
			[]string{"2026년 6월 1일 09:30부터 적용되는 정책이라 아직 해당하지 않습니다.", `value="2026-03-15T00:00"`}},
		{"before there was any", reasonPath("communication", queriestest.Kim) + "?at=2020-01-01", nil,
			[]string{"이 시점에는 적용되는 정책이 없습니다"}},
		{"working attitude", reasonPath("workingattitude", queriestest.Kim), []string{"김철수", "국내영업팀", "영업본부", "한빛테크", "기본 정책"},
			[]string{"근태 적용 현황", "기본 근태 정책"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := admin.get(test.path).want(200).shows(test.shows...)
			if got := a.steps(); !slices.Equal(got, test.steps) {
				t.Errorf("the way is %q, want %q", got, test.steps)
			}
		})
	}
	admin.get(reasonPath("communication", queriestest.Hidden)).want(404)
}

func TestStatusReasonInEveryLanguage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`update policy_targets set include_children = false where policy_id = 6 and department_id = $1`, queriestest.Research)
	s.exec(`update policy_versions set settings = '{"file_save": {"pc": "allow", "web": "allow", "mobile": "block", "mobile_web": "allow"}}' where policy_id = 1`)
	s.exec(`update companies set policy_version = policy_version + 1`)
	path := reasonPath("communication", queriestest.Employee)
	admin.get(path).want(200).shows("이준호 님의 적용 정책", "하위 부서를 포함하지 않는 정책이라 건너뜁니다.", "위에서 적용되는 정책이 없어 기본 정책을 따릅니다.", "파일 저장(모바일)", "차단", "기본값 허용")
	admin.get("/en"+path).want(200).shows("Policy of 이준호", "This policy excludes sub-departments, so it does not count here.", "No policy above applies, so the default policy does.", "File saving (Mobile)", "Block", "Default: Allow")
	admin.get("/ja"+path).want(200).shows("이준호さんの適用ポリシー", "下位部署を含まないポリシーのため対象外です。", "上の順序で適用されるポリシーがないため、既定のポリシーに従います。", "ファイル保存（モバイル）")
}

// What applied lately and what will is on the same page as what applies now.
func TestStatusReasonListsChanges(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	path := reasonPath("communication", queriestest.Employee)
	page := admin.get(path).want(200).shows("지난 변경과 예정된 변경", "2026년 8월 20일 이전부터", "지금</span>", "버전 1", "2026년 12월 1일 09:00부터", "버전 2", "<dt>세션 유지 시간</dt>", ">5분<", path+"?at=2026-12-01T09:00")
	if got := page.steps(); len(got) != 3 {
		t.Errorf("the way is %q", got)
	}
	admin.get("/en"+path).want(200).shows("Past and planned changes", "From Dec 1, 2026, 09:00")
	admin.get(path + "?at=2026-12-01T09:00").want(200).hides("지난 변경과 예정된 변경")
	admin.get(reasonPath("communication", queriestest.Kim)).want(200).shows("2026년 8월 20일부터 같은 설정이 적용되고 있고, 예정된 변경은 없습니다.")
	for no := range 8 { // seconds, so that the form's minutes round up
		s.exec(`insert into policy_versions (company_id, policy_id, no, effective_from, until, enabled, name, description, settings, search_text, created_by, created_at)
			select company_id, policy_id, $1, $2, $2::timestamptz + interval '1 day', enabled, name, description, settings, search_text, created_by, created_at from policy_versions where policy_id = 6 and no = 1`,
			no+3, queriestest.Now.AddDate(0, 0, -20+2*no).Add(time.Second))
		s.exec("insert into policy_targets (company_id, policy_id, no, department_id) values (1, 6, $1, $2)", no+3, queriestest.Research)
	}
	s.exec("update companies set policy_version = policy_version + 1")
	many := admin.get(path).want(200).shows("버전 2", "?at=2026-11-15T10:01").hides("2026년 8월 20일 이전부터")
	if n := strings.Count(many.body, "부터</time>"); n != 7 {
		t.Errorf("%d periods are listed", n)
	}
}

func TestStatusReasonStaysInTheCompany(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, path := range []string{
		reasonPath("communication", queriestest.OtherKim),
		reasonPath("communication", queriestest.Bot),
		reasonPath("communication", 999_999),
		reasonPath("attendance", queriestest.Kim),
		"/policies/communication/status/x",
		reasonPath("communication", queriestest.Kim) + "?at=yesterday",
		reasonPath("communication", queriestest.Kim) + "?at=0001-01-01",
	} {
		admin.get(path).want(404)
	}
	s.as(queriestest.Employee).get(reasonPath("communication", queriestest.Employee)).leads("/logs/workingattitude/day")
	s.nobody().get(reasonPath("communication", queriestest.Employee)).leads("/login?next=%2Fpolicies%2Fcommunication%2Fstatus%2F2")
}
