package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestCompareStatus(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	compared := func(ids ...int64) string {
		path := "/policies/communication/status/comparison"
		for i, id := range ids {
			path += fmt.Sprintf("%suser_id=%d", map[bool]string{true: "?", false: "&"}[i == 0], id)
		}
		return path
	}
	for _, test := range []struct {
		name, path   string
		status       int
		shows, hides []string
	}{
		{"one", compared(queriestest.Kim), 200, []string{"비교할 사람을 검색해", "김철수", "영업본부 외근 정책"}, []string{`scope="colgroup"`}},
		{"found", compared(queriestest.Kim) + "&q=이준호", 200, []string{"이준호 추가", "user_id=2"}, nil},
		{"nobody found", compared(queriestest.Kim) + "&q=없는사람", 200, []string{"검색 결과가 없습니다."}, nil},
		{"not found again", compared(queriestest.Kim) + "&q=김철수", 200, nil, []string{"김철수 추가"}},
		{"refused", compared(queriestest.Kim) + "&q=가", 422, []string{"2자 이상", `value="가"`}, nil},
		{"two", compared(queriestest.Kim, queriestest.Admin), 200, []string{"서로 다른 설정", "세션 유지 시간", "10분", "1시간", "이 부서에 적용한 정책을 상속합니다."}, nil},
		{"the same", compared(queriestest.Admin, queriestest.Manager), 200, []string{"서로 다른 설정이 없습니다."}, nil},
		{"full", compared(queriestest.Kim, queriestest.Admin, queriestest.Employee), 200, []string{"3명까지 비교할 수 있습니다."}, []string{`name="q"`}},
		{"too many", compared(queriestest.Kim, queriestest.Admin, queriestest.Employee, queriestest.Manager), 422, []string{"3명까지 비교할 수 있습니다."}, []string{"최유진"}},
		{"repeated", compared(queriestest.Kim, queriestest.Kim), 200, []string{"비교할 사람을 검색해"}, nil},
		{"at a time", compared(queriestest.Employee, queriestest.Admin) + "&at=2026-12-02", 200, []string{"버전 2", "at=2026-12-02"}, nil},
		{"hidden", compared(queriestest.Kim, queriestest.Hidden), 404, nil, nil},
		{"a bot", compared(queriestest.Bot), 404, nil, nil},
		{"of another company", compared(queriestest.OtherKim), 404, nil, nil},
		{"of nobody", compared(), 404, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := admin.get(test.path)
			if a.status != test.status {
				t.Fatalf("got %d", a.status)
			}
			for _, text := range test.shows {
				if !strings.Contains(a.body, text) {
					t.Errorf("does not show %q", text)
				}
			}
			for _, text := range test.hides {
				if strings.Contains(a.body, text) {
					t.Errorf("shows %q", text)
				}
			}
		})
	}
}
