package queriestest

import (
	"testing"

	"officeconsole/queries/areas"
)

// LookUp returns the one value of an SQL expression or subquery as text.
func LookUp(t testing.TB, db *areas.Areas, sql string, args ...any) string {
	t.Helper()
	var value string
	if err := db.Pool().QueryRow(t.Context(), "select ("+sql+")::text", args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// Exec runs a statement directly, without the checks of a rule.
func Exec(t *testing.T, db *areas.Areas, statement string, args ...any) {
	t.Helper()
	if _, err := db.Pool().Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}
