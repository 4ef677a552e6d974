package directory

import (
	"slices"
	"strings"

	"officeconsole/importfile"
)

// matcher decides which user each row of a file means. Two of name, email and
// employee id are enough to recognise a user, so that the third can be corrected,
// and so that users can exchange emails or employee ids. It reads and writes
// nothing.
type matcher struct {
	rows      []importRow
	holders   map[string]*importUsersRow // the users of the company by emailKey and employeeKey
	elsewhere map[string]bool            // emailKeys of the users of other companies

	rowOf   map[string]int               // rows by their keys
	claims  map[int64]int                // rows by the ids of the users whom they mean
	users   map[int]*importUsersRow      // by row: the user, nil for a new one; rows that are refused are missing
	refused map[int][]importfile.Refusal // by row
}

func newMatcher(rows []importRow, users []importUsersRow) *matcher {
	m := &matcher{rows: rows, holders: make(map[string]*importUsersRow, 2*len(users)), elsewhere: map[string]bool{}, rowOf: make(map[string]int, 2*len(rows)),
		claims: make(map[int64]int, len(rows)), users: make(map[int]*importUsersRow, len(rows)), refused: map[int][]importfile.Refusal{}}
	for i := range users {
		for _, key := range keysOf(users[i].Email, users[i].EmployeeID) {
			m.holders[key] = &users[i]
		}
	}
	return m
}

// match decides on every row that is not refused. Rows that agree with a user in two
// of name, email and employee id go before those that agree in one, and employee ids
// before emails. A row whose only agreement is with a user whom another row means is
// about somebody new, who gets what that user gives up.
func (m *matcher) match() {
	var rows []int
	for i := range m.rows {
		if m.refused[i] == nil && !m.isRepeated(i) {
			rows = append(rows, i)
		}
	}
	for _, decide := range []func(i int) (isDecided bool){m.matchEmployee, m.matchNamedEmail, m.matchEmployeeOnly, m.matchEmail} {
		rows = slices.DeleteFunc(rows, decide)
	}
	m.checkKeys()
}

// isRepeated refuses a row that has the email or the employee id of an earlier one.
func (m *matcher) isRepeated(i int) bool {
	row := m.rows[i]
	for _, key := range keysOf(row.email, row.employeeID) {
		if earlier, found := m.rowOf[key]; found {
			column, reason := columnOf(key), "import.employee_id.twice"
			if column == "email" {
				reason = "import.email.twice"
			}
			m.refuse(i, column, reason, m.rows[earlier].line)
			return true
		}
	}
	for _, key := range keysOf(row.email, row.employeeID) {
		m.rowOf[key] = i
	}
	return false
}

// matchEmployee decides on a row that has the employee id of a user and the same name
// or email. If its email is that of another user, the name says which of the two is
// corrected.
func (m *matcher) matchEmployee(i int) bool {
	row := m.rows[i]
	user, other := m.holders[employeeKey(row.employeeID)], m.holders[emailKey(row.email)]
	switch {
	case m.elsewhere[emailKey(row.email)]:
		m.refuse(i, "email", "import.email.taken", 0)
	case user == nil || other == nil && row.name != user.Name:
		return false
	case other == nil || other == user || row.name == user.Name && row.name != other.Name:
		m.claim(i, user)
	case row.name == other.Name && row.name != user.Name:
		m.claim(i, other)
	default:
		m.refuse(i, "email", "import.person.unclear", m.lineOfOther(i, user, other))
	}
	return true
}

// matchNamedEmail decides on a row that has the email and the name of a user.
func (m *matcher) matchNamedEmail(i int) bool {
	user := m.holders[emailKey(m.rows[i].email)]
	if user == nil || user.Name != m.rows[i].name {
		return false
	}
	m.claim(i, user)
	return true
}

// matchEmployeeOnly decides on a row that has the employee id of a user, and another
// name and email.
func (m *matcher) matchEmployeeOnly(i int) bool {
	user := m.holders[employeeKey(m.rows[i].employeeID)]
	if user == nil {
		return false
	}
	_, isClaimed := m.claims[user.ID]
	switch {
	case isClaimed:
		m.users[i] = nil
	case user.DeactivatedBy != "": // somebody new could have got the employee id, but not the account
		m.refuse(i, "employee_id", "import.person.left", 0)
	default:
		m.claim(i, user)
	}
	return true
}

// matchEmail decides on every other row.
func (m *matcher) matchEmail(i int) bool {
	row := m.rows[i]
	user := m.holders[emailKey(row.email)]
	if user == nil {
		m.users[i] = nil
		return true
	}
	_, isClaimed := m.claims[user.ID]
	switch {
	case isClaimed:
		m.users[i] = nil
	case user.DeactivatedBy != "":
		m.refuse(i, "email", "import.person.left", 0)
	case row.employeeID == "" || user.EmployeeID == "":
		m.claim(i, user)
	default:
		m.refuse(i, "email", "import.person.other", 0)
	}
	return true
}

func (m *matcher) claim(i int, user *importUsersRow) {
	if earlier, found := m.claims[user.ID]; found {
		m.refuse(i, "name", "import.person.twice", m.rows[earlier].line)
		return
	}
	m.claims[user.ID], m.users[i] = i, user
}

// lineOfOther returns the line of another row that has a key of one of the users; 0
// for none.
func (m *matcher) lineOfOther(i int, users ...*importUsersRow) int {
	for _, user := range users {
		for _, key := range keysOf(user.Email, user.EmployeeID) {
			if other, found := m.rowOf[key]; found && other != i {
				return m.rows[other].line
			}
		}
	}
	return 0
}

// checkKeys refuses rows that want the email or employee id of somebody who keeps it.
func (m *matcher) checkKeys() {
	for i := range m.rows {
		m.checkKeysOf(i)
	}
}

func (m *matcher) checkKeysOf(i int) {
	user, accepted := m.users[i]
	if !accepted {
		return
	}
	for _, key := range keysOf(m.rows[i].email, m.rows[i].employeeID) {
		holder := m.holders[key]
		if holder == nil || holder == user {
			continue
		}
		by, isClaimed := m.claims[holder.ID]
		if isClaimed && m.wants(by, key) != key {
			continue
		}
		column := columnOf(key)
		m.withdraw(i)
		m.refuse(i, column, "import."+column+".taken", m.lineOfOther(i, holder))
		return
	}
}

// wants returns the key of the same kind that the user of a row has after the import.
func (m *matcher) wants(i int, key string) string {
	row, user := m.rows[i], m.users[i]
	if columnOf(key) == "email" {
		if row.email == "" {
			return emailKey(user.Email)
		}
		return emailKey(row.email)
	}
	if row.employeeID == "" {
		return employeeKey(user.EmployeeID)
	}
	return employeeKey(row.employeeID)
}

// withdraw takes the decision on a row back. Its user keeps their email and employee
// id, which refuses the rows that want them.
func (m *matcher) withdraw(i int) {
	user := m.users[i]
	delete(m.users, i)
	if user == nil {
		return
	}
	delete(m.claims, user.ID)
	for _, key := range keysOf(user.Email, user.EmployeeID) {
		if other, found := m.rowOf[key]; found && other != i {
			m.checkKeysOf(other)
		}
	}
}

func (m *matcher) refuse(i int, column, reason string, other int) {
	row := m.rows[i]
	value := map[string]string{"email": row.email, "employee_id": row.employeeID, "name": row.name, "department_path": strings.Join(row.path, "/"),
		"department_code": strings.Trim(strings.Join(row.codes, "/"), "/")}[column]
	m.refused[i] = append(m.refused[i], importfile.Refuse(row.line, column, value, reason).Against(other))
}

func keysOf(email, employeeID string) []string {
	keys := make([]string, 0, 2)
	if email != "" {
		keys = append(keys, emailKey(email))
	}
	if employeeID != "" {
		keys = append(keys, employeeKey(employeeID))
	}
	return keys
}

// emailKey and employeeKey tell emails and employee ids apart in the same map; "" of
// none.
func emailKey(email string) string {
	if email == "" {
		return ""
	}
	return "@" + strings.ToLower(email)
}

func employeeKey(id string) string {
	if id == "" {
		return ""
	}
	return "#" + id
}

// columnOf returns the column that a key is of.
func columnOf(key string) string {
	if strings.HasPrefix(key, "@") {
		return "email"
	}
	return "employee_id"
}
