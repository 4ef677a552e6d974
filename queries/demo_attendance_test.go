package queries_test

import (
	"context"
	"strings"
	"testing"

	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func attendanceOf(t *testing.T, employees, days int) *queries.DB {
	t.Helper()
	db := emptyDatabase(t)
	if err := db.FillDemo(t.Context(), demo.Options{Employees: employees, Days: days, Seed: 1, Today: queriestest.Now}); err != nil {
		t.Fatal(err)
	}
	return db
}

// The records are those that the events, edits and grants come to, so that the
// jobs of a running console have nothing to correct.
func TestDemoAttendanceIsDerived(t *testing.T) {
	db := attendanceOf(t, 60, 20)
	const all = "select string_agg(r::text, E'\n' order by company_id, user_id, work_date, extra) from day_records r"
	before := lookUp(t, db, all)
	for _, step := range []struct {
		what string
		run  func(context.Context) error
	}{
		{"recomputing", func(ctx context.Context) error {
			today := workday.DateOf(queriestest.Now)
			for company := int64(1); company <= 2; company++ {
				if err := db.RecomputeDays(ctx, company, today-25, today+3); err != nil {
					return err
				}
			}
			return nil
		}},
		{"settling", db.SettleDays},
		{"beginning days", db.BeginDays},
		{"beginning days that nobody has begun", func(ctx context.Context) error {
			if _, err := db.Pool().Exec(ctx, "delete from attendance_openings"); err != nil {
				return err
			}
			return db.BeginDays(ctx)
		}},
	} {
		if err := step.run(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if after := lookUp(t, db, all); after != before {
			t.Fatalf("%s changes records:\n%s", step.what, difference(before, after))
		}
	}
}

// difference are the first lines that differ.
func difference(before, after string) string {
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
