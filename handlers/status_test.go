package handlers_test

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

const statusPath = "/policies/communication/status"

// statusCursor returns the cursor at a person, who is the second row.
func statusCursor(name string, id int64, backward bool) string {
	return (&lists.Cursor{List: "status:people", Value: name, ID: id, Backward: backward, First: 2}).String()
}

// next returns the URL of the next page, "" on the last one.
func (a answer) next(rel string) string {
	link := regexp.MustCompile(`<a class="btn btn-small" rel="` + rel + `" href="([^"]*)"`).FindStringSubmatch(a.text())
	if link == nil {
		return ""
	}
	return link[1]
}

func TestStatus(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	everybody := []string{"김서연", "김철수", "박지민", "이준호", "佐藤ひろし", "최유진", "Olivia Martin"}
	for _, test := range []struct {
		path   string
		status int
		want   []string
		shows  string
	}{
		{"", 200, everybody, "전체 7명 중 1–7"},
		{"?source=own", 200, []string{"佐藤ひろし"}, "직접 적용"},
		{"?source=inherited", 200, []string{"김철수", "이준호", "Olivia Martin"}, "상속됨 · 국내영업팀"},
		{"?source=default", 200, []string{"김서연", "박지민", "최유진"}, "전체 3명 중 1–3"},
		{"?policy_id=6", 200, []string{"이준호", "佐藤ひろし"}, `<option value="6" selected`},
		{"?policy_id=6&source=own", 200, []string{"佐藤ひろし"}, "전체 1명"},
		{"?policy_id=7", 200, nil, "조건에 맞는 결과가 없습니다"},
		{"?department_id=2", 200, []string{"김철수", "박지민", "최유진", "Olivia Martin"}, `title="한빛테크/영업본부/국내영업팀"`},
		{"?department_id=2&source=default&q=박지", 200, []string{"박지민"}, "부서 선택 해제"},
		{"?q=ㄱㅊㅅ", 200, []string{"김철수"}, "H0006"},
		{"?q=하윤", 200, nil, "조건에 맞는 결과가 없습니다"}, // hidden
		{"?q=없는말", 200, nil, "조건에 맞는 결과가 없습니다"},
		{"?q=" + url.QueryEscape(strings.Repeat("가", 3000)), 422, nil, "200자까지"},
		{"?q=가&source=own", 422, nil, `<option value="own" selected`},
		{"?q=가나+다라+마바+사아", 200, nil, "검색어는 3개까지 사용합니다"},
		{"?view=departments", 200, []string{"한빛테크", "연구소", "메신저팀", "영업본부", "국내영업팀", "해외영업팀", "일본지사"}, "상속됨 · 연구소"},
		{"?view=departments&source=own", 200, []string{"연구소", "국내영업팀", "해외영업팀"}, "직접 적용"},
		{"?view=departments&policy_id=6", 200, []string{"연구소", "메신저팀"}, "연구소 보안 정책"},
		{"?view=departments&department_id=2&source=default", 200, []string{"영업본부"}, "기본 정책"},
		{"?view=departments&q=영업팀", 200, []string{"국내영업팀", "해외영업팀"}, "전체 2개 중 1–2"},
		{"?view=ranks", 404, nil, ""},
		{"?source=other", 404, nil, ""},
		{"?policy_id=x", 404, nil, ""},
		{"?policy_id=8", 404, nil, ""}, // another company's
		{"?policy_id=2", 404, nil, ""}, // of the other kind
		{"?department_id=9", 404, nil, ""},
		{"?department_id=-1", 404, nil, ""},
		{"?cursor=x", 404, nil, ""},
		{"?view=departments&cursor=" + statusCursor("김서연", 1, false), 404, nil, ""},
		{"?cursor=" + dayCursor("1-2026-11-20", false), 404, nil, ""},
		{"?view=departments&cursor=" + (&lists.Cursor{List: "status:departments", ID: 8, Backward: true}).String(), 404, nil, ""},
		{"?cursor=" + statusCursor("김서연", 1, true), 200, everybody, "전체 7명 중 1–7"}, // nobody is before
		{"?cursor=" + statusCursor("김서연", 1, false), 200, everybody[1:], "전체 7명 중 2–7"},
		{"?cursor=" + (&lists.Cursor{List: "people", Value: "김철수", ID: 11}).String(), 404, nil, ""}, // cursor of another list
		{"?view=departments&cursor=" + (&lists.Cursor{List: "status:departments", ID: 9}).String(), 404, nil, ""},
	} {
		t.Run(test.path[:min(40, len(test.path))], func(t *testing.T) {
			a := admin.get(statusPath + test.path).want(test.status)
			if got := a.policyNames(); test.status == 200 && !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			a.shows(test.shows)
		})
	}
}

func TestStatusOfWorkingAttitude(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	a := admin.get("/policies/workingattitude/status").want(200).shows("근태 적용 현황", "기본 근태 정책").hides("연구소 보안 정책")
	if got := a.policyNames(); len(got) != 7 {
		t.Errorf("got %q", got)
	}
	admin.get("/policies/attendance/status").want(404)
}

func TestStatusInEveryLanguage(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	admin.get("/en"+statusPath).want(200).shows("Communication application status", "Inherited · 연구소", "Applied here", "Default", "1–7 of 7", "/en"+statusPath+"/2")
	admin.get("/ja"+statusPath).want(200).shows("コミュニケーション適用状況", "継承 · 연구소", "直接適用", "既定", "全7人中 1–7人")
}

func TestStatusIsForAdministrators(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{statusPath, statusPath + "/export", "/policies/workingattitude/status"} {
		s.as(queriestest.Manager).get(path).leads("/logs/workingattitude/day")
		s.nobody().get(path).leads("/login?next=" + url.QueryEscape(path))
	}
}

func TestStatusEscapesNames(t *testing.T) {
	s := newSite(t)
	s.exec(`update users set name = '<script>alert(1)</script> 🙂' || chr(8238) || 'abc' where id = $1`, queriestest.Kim)
	a := s.as(queriestest.Admin).get(statusPath).want(200).shows("🙂")
	if strings.Contains(a.body, "<script>alert") {
		t.Error("a person's name became a script")
	}
}

// crowd adds people to a department, some of them with the same name.
func (s *site) crowd(count int, department int64) {
	s.t.Helper()
	s.exec(`insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, $2, '직원' || n / 3, 'crowd' || n || '@hanbit.example', '직원' || n / 3, '{직원}' from generate_series(1, $1) n`, count, department)
	s.exec("update companies set directory_version = directory_version + 1")
}

// The pages contain everybody exactly once, forwards and backwards.
func TestStatusPages(t *testing.T) {
	s := newSite(t)
	s.crowd(260, queriestest.Messenger)
	admin := s.as(queriestest.Admin)
	for _, query := range []string{"?source=inherited", "?q=직원", "?policy_id=6"} {
		var forth, names []string
		for path := statusPath + query; path != ""; {
			a := admin.get(path).want(200)
			if strings.Count(path, "cursor=") > 1 || len(path) > 200 {
				t.Fatalf("the address grows: %s", path)
			}
			if query != "?q=직원" {
				a.shows(fmt.Sprintf(" %d–", len(names)+1))
			}
			forth, names = append(forth, strings.Join(a.policyNames(), "|")), append(names, a.policyNames()...)
			if len(names) > 400 {
				t.Fatalf("%s: the pages do not end", query)
			}
			path = a.next("next")
			if path == "" {
				for i := len(forth) - 2; i >= 0; i-- {
					if a = admin.get(a.next("prev")).want(200); strings.Join(a.policyNames(), "|") != forth[i] {
						t.Errorf("%s: page %d is another on the way back", query, i+1)
					}
				}
			}
		}
		crowd := 0
		for _, name := range names {
			if strings.HasPrefix(name, "직원") {
				crowd++
			}
		}
		if crowd != 260 || len(forth) < 6 {
			t.Errorf("%s: %d people on %d pages", query, crowd, len(forth))
		}
	}
	admin.get(statusPath + "?q=직원").shows("1–50").hides("전체 50개")
	admin.get(statusPath).shows("전체 267명 중 1–50")
}

func TestStatusPagesOfDepartments(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into departments (company_id, parent_id, name) select 1, $1, '지점 ' || n from generate_series(1, 120) n`, queriestest.Sales)
	s.exec(`update companies set directory_version = directory_version + 1`)
	admin := s.as(queriestest.Admin)
	var names []string
	var pages [][]string
	for path := statusPath + "?view=departments"; path != ""; {
		a := admin.get(path).want(200)
		names, pages = append(names, a.policyNames()...), append(pages, a.policyNames())
		if path = a.next("next"); path == "" {
			for i := len(pages) - 2; i >= 0; i-- {
				if a = admin.get(a.next("prev")).want(200); !slices.Equal(a.policyNames(), pages[i]) {
					t.Errorf("page %d is another on the way back", i+1)
				}
			}
		}
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(names) != 127 || len(distinct) != 127 {
		t.Errorf("%d rows of %d departments", len(names), len(distinct))
	}
}

// cells reads an exported file.
func (a answer) cells() [][]string {
	a.t.Helper()
	text, ok := strings.CutPrefix(a.body, "\ufeff")
	if !ok {
		a.t.Fatal("the file does not say that it is UTF-8")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		a.t.Fatal(err)
	}
	return rows
}

func TestStatusExport(t *testing.T) {
	s := newSite(t)
	s.exec(`update users set name = '=1+1' where id = $1`, queriestest.Kim)
	s.exec(`update users set employee_id = '@SUM(1)' where id = $1`, queriestest.Foreigner)
	admin := s.as(queriestest.Admin)
	a := admin.get(statusPath + "/export?format=csv&department_id=2&source=inherited").want(200)
	if got := a.header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
		t.Errorf("it is %q", got)
	}
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="status-communication.csv"` {
		t.Errorf("its name is in %q", got)
	}
	want := "[[이름 사번 부서 부서 경로 적용 정책 적용 구분 상속한 부서]" +
		" ['=1+1 H0006 국내영업팀 한빛테크/영업본부/국내영업팀 영업본부 외근 정책 상속됨 국내영업팀]" +
		" [Olivia Martin '@SUM(1) 해외영업팀 한빛테크/영업본부/해외영업팀 영업본부 외근 정책 상속됨 해외영업팀]]"
	if got := fmt.Sprint(a.cells()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want = "[[Department Department path Policy that applies Source Inherited from] [메신저팀 한빛테크/연구소/메신저팀 연구소 보안 정책 Inherited 연구소]]"
	if got := fmt.Sprint(admin.get("/en" + statusPath + "/export?format=csv&view=departments&source=inherited").want(200).cells()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.exec(`update policy_versions set effective_from = case when name = '영업본부 외근 정책' then $1::timestamptz else $2 end`, queriestest.Now.AddDate(0, 0, -5), queriestest.Now.AddDate(0, -1, 0))
	s.exec("update companies set policy_version = policy_version + 1")
	file := admin.get(statusPath + "/export?format=csv&at=2026-11-01&department_id=2").want(200)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="status-communication-20261101.csv"` {
		t.Errorf("its name is in %q", got)
	}
	want = "[[이름 사번 부서 부서 경로 적용 정책 적용 구분 상속한 부서 지금과 다른 점]" +
		" ['=1+1 H0006 국내영업팀 한빛테크/영업본부/국내영업팀 기본 정책 기본  지금: 영업본부 외근 정책]" +
		" [박지민 H0003 영업본부 한빛테크/영업본부 기본 정책 기본  ] [최유진 H0004 영업본부 한빛테크/영업본부 기본 정책 기본  ]" +
		" [Olivia Martin '@SUM(1) 해외영업팀 한빛테크/영업본부/해외영업팀 기본 정책 기본  지금: 영업본부 외근 정책]]"
	if got := fmt.Sprint(file.cells()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	admin.get(statusPath + "/export?format=csv&q=x").want(422)
	for _, query := range []string{"?format=csv&department_id=9", "?format=csv&source=x", "?format=pdf", ""} {
		admin.get(statusPath + "/export" + query).want(404)
	}
	admin.get("/manage/security/changes?action=export").want(200).shows("status-communication.csv", "status-communication-20261101.csv")
}

// An export of several pages contains everybody exactly once.
func TestStatusExportOfMany(t *testing.T) {
	s := newSite(t)
	s.crowd(2500, queriestest.Messenger)
	rows := s.as(queriestest.Admin).get(statusPath + "/export?format=csv").want(200).cells()
	if len(rows) != 1+7+2500 {
		t.Errorf("%d rows", len(rows))
	}
}
