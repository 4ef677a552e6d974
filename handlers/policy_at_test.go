package handlers_test

import (
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestPoliciesAtADate(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		path   string
		status int
		shows  []string
		hides  []string
	}{
		{policiesPath + "?at=2026-12-02", 200, []string{"2026년 12월 2일 0시에 적용될 정책입니다.", "연구소 보안 정책", "버전 2 · 12/01 09:00", "지금과 같은 정책"}, []string{"영업본부 외근 정책</bdi>"}},
		{policiesPath + "?at=2026-12-02&view=all", 200, []string{"영업본부 외근 정책", "연구소 보안 정책"}, nil},
		{policiesPath + "?at=2026-12-02&q=해외", 200, []string{"영업본부 외근 정책"}, []string{"연구소 보안 정책</bdi>"}},
		{policiesPath + "?at=2026-12-02&q=없는말", 200, []string{"조건에 맞는 정책이 없습니다"}, nil},
		{policiesPath + "?at=2026-12-02&q=가", 422, []string{"2자 이상"}, nil},
		{policiesPath + "?at=2026-05-01", 200, []string{"2026년 5월 1일 0시에 적용된 정책입니다."}, nil},
		{policiesPath + "?at=1950-01-01", 200, []string{"이때는 없던 정책"}, nil},
		{policiesPath + "?at=soon", 404, nil, nil},
		{policiesPath + "?at=2026-12-02T10:00", 404, nil, nil},
		{policiesPath + "?at=2026-12-02", 200, []string{"파일을 저장할 수 없게 되는 사람", policiesPath + "/export?at=2026-12-02&amp;format=csv"}, nil},
		{policiesPath + "?at=2026-05-01", 200, []string{"그때는 파일을 저장할 수 없던 사람"}, nil},
		{policiesPath + "/export?at=2026-12-02&format=csv", 200, []string{"지금과 다른 점", "연구소 보안 정책", "세션"}, []string{"영업본부 외근 정책"}},
		{policiesPath + "/export?at=2026-12-02&format=csv&view=all", 200, []string{"연구소 보안 정책", "영업본부 외근 정책"}, nil},
		{policiesPath + "/export?at=2026-12-02&format=csv&q=해외", 200, []string{"영업본부 외근 정책"}, []string{"연구소 보안 정책"}},
		{policiesPath + "/export?at=2026-12-02&format=xlsx", 200, []string{"PK"}, nil},
		{policiesPath + "/export?at=2026-12-02&format=csv&q=가", 422, nil, nil},
		{policiesPath + "/export?at=2026-12-02&format=pdf", 404, nil, nil},
		{policiesPath + "/export?format=csv", 404, nil, nil},
		{"/policies/communication/6?at=2026-12-02", 200, []string{"연구소 보안 정책", "5분", "지금과 다른 점"}, []string{`name="name"`}},
		{"/policies/communication/6?at=2026-11-01", 200, []string{"지금과 같습니다."}, nil},
		{"/policies/communication/999?at=2026-12-02", 404, nil, nil},
		{"/policies/workingattitude/6?at=2026-12-02", 404, nil, nil},
		{"/policies/communication/status?at=2026-12-02", 200, []string{"2026년 12월 2일 0시에 적용될 정책입니다.", "지금: 버전 1", "?at=2026-12-02"}, nil},
		{"/policies/communication/status?at=2026-05-01", 200, []string{"지금: 영업본부 외근 정책"}, nil},
		{"/policies/communication/status?at=2026-05-01&view=departments", 200, []string{"지금: 영업본부 외근 정책"}, nil},
		{"/policies/communication/status?at=soon", 404, nil, nil},
		{"/policies/communication/status?at=2026-05-01&differing=1", 200, []string{"지금: 영업본부 외근 정책", "지금과 다른 것만"}, []string{"이준호</bdi>"}},
		{"/policies/communication/status?at=2026-05-01&differing=yes", 404, nil, nil},
		{reasonPath("communication", queriestest.Foreigner) + "?at=2026-05-01", 200, []string{"지금과 다른 점", "영업본부 외근 정책"}, nil},
		{reasonPath("communication", queriestest.Admin) + "?at=2026-11-01", 200, []string{"지금과 같습니다."}, nil},
		{reasonPath("communication", queriestest.Admin), 200, nil, []string{"지금과 같습니다.", "지금과 다른 점"}},
	} {
		t.Run(test.path, func(t *testing.T) {
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
	for _, who := range []int64{queriestest.Employee, queriestest.Manager} {
		if a := s.as(who).get(policiesPath + "?at=2026-12-02"); strings.Contains(a.body, "연구소 보안 정책") {
			t.Errorf("%d sees policies", who)
		}
	}
}

// A deleted policy is found at a date at which it applied.
func TestDeletedPolicyAtADate(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`update policies set deleted_at = $1 where id = 5`, queriestest.Now)
	s.exec(`update policy_versions set until = $1 where policy_id = 5`, queriestest.Now)
	s.exec(`update companies set policy_version = policy_version + 1`)
	for path, text := range map[string]string{
		policiesPath + "?at=2026-11-01":           "이후 삭제됨",
		"/policies/communication/5?at=2026-11-01": "이후 삭제됨",
	} {
		if a := admin.get(path); a.status != 200 || !strings.Contains(a.body, text) || !strings.Contains(a.body, "영업본부 외근 정책") {
			t.Errorf("%s: %d does not show it", path, a.status)
		}
	}
	if a := admin.get("/policies/communication/5?at=2026-12-02"); a.status != 404 {
		t.Errorf("after its deletion: %d", a.status)
	}
}
