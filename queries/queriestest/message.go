package queriestest

import (
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
)

// Messages returns the messages of a company with ids above after, the oldest
// first.
func Messages(t *testing.T, db *areas.Areas, companyID, after int64) []queries.Message {
	t.Helper()
	all, err := db.MessagesAfter(t.Context(), companyID, after, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
