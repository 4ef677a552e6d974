package handlers_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

const policiesPath = "/policies/communication/management"

// policyNames returns the names in the rows, in order.
func (a answer) policyNames() []string {
	var names []string
	for _, row := range regexp.MustCompile(`(?s)<th scope="row"[^>]*>.*?<bdi>(.*?)</bdi>`).FindAllStringSubmatch(a.body, -1) {
		names = append(names, row[1])
	}
	return names
}

func TestPolicies(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	for _, test := range []struct {
		path   string
		status int
		want   []string
		shows  string
	}{
		{"", 200, []string{"기본 정책", "연구소 보안 정책", "감사 대응 정책", "영업본부 외근 정책"}, "12/01 09:00"},
		{"?sort=name", 200, []string{"기본 정책", "감사 대응 정책", "연구소 보안 정책", "영업본부 외근 정책"}, `aria-sort="ascending"`},
		{"?sort=-name", 200, []string{"기본 정책", "영업본부 외근 정책", "연구소 보안 정책", "감사 대응 정책"}, `aria-sort="descending"`},
		{"?status=disabled", 200, []string{"감사 대응 정책"}, "사용 안 함"},
		{"?plan=planned", 200, []string{"연구소 보안 정책"}, "변경 예정"},
		{"?q=해외", 200, []string{"영업본부 외근 정책"}, "해외영업팀"},
		{"?department_id=4", 200, []string{"영업본부 외근 정책"}, "해외영업팀"},
		{"?q=없는말", 200, nil, "조건에 맞는 정책이 없습니다"},
		{"?q=" + strings.Repeat("가", 3000), 422, nil, "200자까지"},
		{"?q=가", 422, nil, "2자"},
		{"?q=가나+다라+마바+사아", 200, nil, "검색어는 3개까지 사용합니다"},
		{"?q=%00%00정책", 200, []string{"기본 정책", "연구소 보안 정책", "감사 대응 정책", "영업본부 외근 정책"}, ""},
		{"?sort=salary", 404, nil, ""},
		{"?status=broken", 404, nil, ""},
		{"?plan=x", 404, nil, ""},
		{"?department_id=abc", 404, nil, ""},
		{"?department_id=99999", 404, nil, ""},
		{"?department_id=9", 404, nil, ""}, // of another company
		{"?cursor=x", 404, nil, ""},
		{"?sort=name&cursor=" + (&lists.Cursor{List: "policies:-modified", Value: "1", ID: 2}).String(), 404, nil, ""},
	} {
		t.Run(test.path[:min(30, len(test.path))], func(t *testing.T) {
			a := admin.get(policiesPath + test.path).want(test.status)
			if got := a.policyNames(); test.want != nil && !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			a.shows(test.shows)
		})
	}
}

func TestPoliciesPreserveInput(t *testing.T) {
	newSite(t).as(queriestest.Admin).get(policiesPath+"?q=김&status=enabled").want(422).
		shows(`value="김"`, `<option value="enabled" selected`)
}

func TestPoliciesInEveryLanguage(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	admin.get("/en"+policiesPath).want(200).shows(`<html lang="en">`, "Communication policies", "Everyone else", "1–4 of 4", "/en"+policiesPath+"?sort=name")
	admin.get("/ja"+policiesPath).want(200).shows(`<html lang="ja">`, "コミュニケーション一般ポリシー", "全4件中 1–4件")
}

func TestPoliciesEscapeNames(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set name = '<script>alert(1)</script> 🙂 ' || chr(8238) || 'abc' where policy_id = 7`)
	s.exec(`update companies set policy_version = policy_version + 1`)
	a := s.as(queriestest.Admin).get(policiesPath).want(200)
	if strings.Contains(a.body, "<script>alert") {
		t.Error("a policy's name became a script")
	}
	a.shows("🙂")
}
