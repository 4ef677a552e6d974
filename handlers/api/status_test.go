package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestPolicyStatus(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/status"
	var people []any
	for next := "first"; next != ""; {
		query := path + "?limit=3"
		if next != "first" {
			query += "&cursor=" + next
		}
		var page []any
		page, next = list(t, s.get(query, token).body, "user")
		people = append(people, page...)
	}
	var names []any
	for _, person := range people {
		names = append(names, person.(map[string]any)["name"])
	}
	equal(t, "everybody once, by name", names, []any{"김서연", "김철수", "박지민", "이준호", "佐藤ひろし", "최유진", "Olivia Martin"})

	one := object(t, s.get(path+"?q=이준호", token), http.StatusOK)["data"].([]any)[0]
	equal(t, "one", one, map[string]any{
		"user": map[string]any{"id": 2, "name": "이준호"}, "department": map[string]any{"id": 6, "name": "메신저팀"},
		"policy": map[string]any{"id": 6, "name": "연구소 보안 정책"}, "source": "inherited", "source_department_id": 5,
	})
	for query, count := range map[string]int{
		"?source=own": 1, "?source=inherited": 3, "?source=default": 3, "?policy_id=5": 2,
		"?department_id=2": 4, "?department_id=2&source=default": 2,
	} {
		equal(t, query, len(s.rows(path+query, token, "user")), count)
	}
	for _, query := range []string{"?department_id=9", "?department_id=99", "?policy_id=8", "?policy_id=99"} {
		equal(t, query, s.get(path+query, token).status, http.StatusNotFound)
	}
	equal(t, "a policy of the other kind", s.get(own(queriestest.Admin)+"/policies/workingattitude/status?policy_id=5", token).status, http.StatusNotFound)
	equal(t, "too short", s.get(path+"?q=이", token).status, http.StatusUnprocessableEntity)
	equal(t, "not an administrator", s.get(own(queriestest.Viewer)+"/policies/communication/status", s.token(queriestest.Viewer)).status, http.StatusForbidden)
}
