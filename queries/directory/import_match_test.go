package directory

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Whatever a file says, nobody has the email or employee id of another person after
// the import, nobody is meant by two rows, and every row is decided on.
func TestMatcherNeverSharesEmailsOrEmployeeIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := func(label string, first int) int { return rapid.IntRange(first, 6).Draw(t, label) }
		id := func(n int) string {
			if n == 0 {
				return ""
			}
			return fmt.Sprint("E", n)
		}
		var users []importUsersRow
		for i := range few("users", 0) {
			users = append(users, importUsersRow{ID: int64(i + 1), Name: fmt.Sprint("김", i%4), Email: fmt.Sprint("p", i, "@x.example"), EmployeeID: id(i)})
		}
		var rows []importRow
		for i := range few("rows", 0) {
			rows = append(rows, importRow{line: i + 2, employeeID: id(few("id", 0)), name: fmt.Sprint("김", few("name", 0)%4), email: fmt.Sprint("P", few("email", 0), "@x.example")})
		}
		m := newMatcher(rows, users)
		m.match()

		holders, meant := map[string]int64{}, map[int64]bool{}
		hold := func(key string, user int64) {
			if other, found := holders[key]; found {
				t.Fatalf("%d and %d have %s", other, user, key)
			}
			holders[key] = user
		}
		for i, row := range rows {
			user, accepted := m.users[i]
			if accepted == (m.refused[i] != nil) {
				t.Fatalf("row %d is accepted %t and refused %v", row.line, accepted, m.refused[i])
			}
			if !accepted {
				continue
			}
			wanted := importUsersRow{ID: int64(-1 - i)}
			if user != nil {
				if wanted = *user; meant[user.ID] {
					t.Fatalf("two rows mean %d", user.ID)
				}
				meant[user.ID] = true
			}
			row.apply(&wanted, func(string) bool { return false })
			for _, key := range keysOf(wanted.Email, wanted.EmployeeID) {
				hold(key, wanted.ID)
			}
		}
		for _, user := range users {
			if !meant[user.ID] {
				for _, key := range keysOf(user.Email, user.EmployeeID) {
					hold(key, user.ID)
				}
			}
		}
	})
}
