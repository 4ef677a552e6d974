package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestDeactivatedUsers(t *testing.T) {
	s := newSite(t)
	admin, employee := s.token(queriestest.Admin), s.token(queriestest.Employee)
	all := own(queriestest.Admin) + "/deactivated-users"
	one := func(id int64) string { return fmt.Sprint(all, "/", id) }
	equal(t, "nobody", len(s.rows(all, admin, "id")), 0)

	got := object(t, s.call(http.MethodPost, all, admin, `{"user_ids": [2, 6], "reason": "11월 퇴사"}`), http.StatusCreated)["data"]
	equal(t, "deactivated now", got, []any{map[string]any{"id": 2, "name": "이준호"}, map[string]any{"id": 6, "name": "김철수"}})
	row := object(t, s.get(all+"?q=이준호", admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "row", []any{row["id"], row["source"], row["reason"], row["deactivated_by"], row["department"]},
		[]any{2, "administrator", "11월 퇴사", "김서연", map[string]any{"id": queriestest.Messenger, "name": "메신저팀"}})
	equal(t, "by an administrator", len(s.rows(all+"?source=administrator", admin, "id")), 2)
	equal(t, "by an import", len(s.rows(all+"?source=import", admin, "id")), 0)
	equal(t, "hidden users", s.rows(own(queriestest.Admin)+"/hidden-users", admin, "id"), []any{queriestest.Hidden})
	equal(t, "a token of before", s.get("/profile", employee).status, 419)

	for name, test := range map[string]struct {
		method, path, token, body string
		status                    int
	}{
		"deactivated already":     {http.MethodPost, all, admin, `{"user_ids": [2]}`, 422},
		"oneself":                 {http.MethodPost, all, admin, `{"user_ids": [1]}`, 422},
		"of another company":      {http.MethodPost, all, admin, `{"user_ids": [11]}`, 422},
		"an unknown source":       {http.MethodGet, all + "?source=rumour", admin, "", 422},
		"by a manager":            {http.MethodPost, own(queriestest.Manager) + "/deactivated-users", s.token(queriestest.Manager), `{"user_ids": [3]}`, 403},
		"reactivated who is not":  {http.MethodDelete, one(queriestest.Hidden), admin, "", 404},
		"of another company back": {http.MethodDelete, own(queriestest.OtherAdmin) + "/deactivated-users/2", s.token(queriestest.OtherAdmin), "", 404},
	} {
		if a := s.call(test.method, test.path, test.token, test.body); a.status != test.status {
			t.Errorf("%s: %d, not %d: %s", name, a.status, test.status, a.body)
		}
	}
	equal(t, "reactivating", s.call(http.MethodDelete, one(queriestest.Employee), admin, "").status, http.StatusNoContent)
	equal(t, "reactivating twice", s.call(http.MethodDelete, one(queriestest.Employee), admin, "").status, http.StatusNotFound)
	equal(t, "the token stays ended", s.get("/profile", employee).status, 419)
	equal(t, "the rest", s.rows(all, admin, "id"), []any{queriestest.Kim})
}
