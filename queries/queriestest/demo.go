package queriestest

import (
	"strings"
	"testing"
	"time"

	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/areas"
)

func DemoAttendance(t *testing.T, employees, days int) *areas.Areas {
	t.Helper()
	db := EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, demo.Options{Employees: employees, Days: days, Seed: 1, Today: Now}); err != nil {
		t.Fatal(err)
	}
	return db
}

// Difference are the first lines that differ.
func Difference(before, after string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	known := map[string]bool{}
	for _, line := range old {
		known[line] = true
	}
	var lines []string
	for _, line := range now {
		if !known[line] && len(lines) < 5 {
			lines = append(lines, "now    "+line)
		}
		delete(known, line)
	}
	for line := range known {
		if len(lines) < 10 {
			lines = append(lines, "before "+line)
		}
	}
	return strings.Join(lines, "\n")
}

func EmptyDatabase(t *testing.T) *areas.Areas {
	t.Helper()
	url := EmptyURL(t)
	if err := queries.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	db, err := areas.Open(t.Context(), url, func() time.Time { return Now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// DemoOptions are those of a company without attendance.
func DemoOptions(employees int) demo.Options {
	return demo.Options{Employees: employees, Seed: 1, Today: Now}
}
