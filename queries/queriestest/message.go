package queriestest

import (
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
)

// Messages returns a company's messages of the outbox behind an id, the oldest
// first.
func Messages(t *testing.T, db *areas.Areas, companyID, after int64) []queries.OutboxAfterRow {
	t.Helper()
	all, err := db.OutboxAfter(t.Context(), queries.OutboxAfterParams{CompanyID: companyID, After: after, Size: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
