package queriestest

import (
	"strings"
	"testing"
	"time"

	"officeconsole/demo"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
)

// DemoAttendance returns a database with the demo company and its attendance of
// some days.
func DemoAttendance(t *testing.T, employees, days int) *areas.Areas {
	t.Helper()
	db := EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, demo.Options{Employees: employees, Days: days, Seed: 1, Today: Now}, nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// Difference returns the first lines that only one of two texts has.
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

// EmptyDatabase returns a migrated database without rows.
func EmptyDatabase(t *testing.T) *areas.Areas {
	t.Helper()
	url := EmptyURL(t)
	if err := migrations.Run(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	db, err := areas.Open(t.Context(), url, func() time.Time { return Now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// DemoOptions are the options of a demo company without attendance.
func DemoOptions(employees int) demo.Options {
	return demo.Options{Employees: employees, Seed: 1, Today: Now}
}
