package queries_test

import (
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Reading the same page again uses the generic plan of the prepared statement
// instead of planning it again.
func TestRepeatedPageUsesGenericPlan(t *testing.T) {
	db := queriestest.New(t)
	for range 3 {
		_, err := db.Attendance.Day(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), attendance.RecordScope{Scope: directory.Scope{Everybody: true}}, attendance.Filter{First: workday.NewDate(2026, 11, 20), Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
	}
	var generic, custom int
	err := db.Pool().QueryRow(t.Context(), "select sum(generic_plans), sum(custom_plans) from pg_prepared_statements where statement like 'with walk%'").Scan(&generic, &custom)
	if err != nil || generic != 3 || custom != 0 {
		t.Errorf("%d generic and %d custom plans: %v", generic, custom, err)
	}
	var mode string
	if err := db.Pool().QueryRow(t.Context(), "select current_setting('plan_cache_mode')").Scan(&mode); err != nil || mode != "auto" {
		t.Errorf("the connection is left with %s: %v", mode, err)
	}
}
