package queriestest

import (
	"testing"

	"officeconsole/queries/areas"
)

// LookUp answers a query of one value as text.
func LookUp(t testing.TB, db *areas.Areas, sql string, args ...any) string {
	t.Helper()
	var value string
	if err := db.Pool().QueryRow(t.Context(), "select ("+sql+")::text", args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}
