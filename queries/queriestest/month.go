package queriestest

import (
	"context"
	_ "embed"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/areas"
)

// insertMonths is a second way to write months, with which tests compare the
// one of the program.
//
//go:embed month.sql
var insertMonths string

// ComputeMonths computes the months of a company again from its records: those of
// some users, or of everybody if userIDs is nil.
func ComputeMonths(ctx context.Context, db *queries.DB, companyID int64, userIDs []int64) error {
	return pgx.BeginFunc(ctx, db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "delete from attendance_months where company_id = $1 and ($2::bigint[] is null or user_id = any ($2::bigint[]))", companyID, userIDs); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertMonths, companyID, userIDs)
		return err
	})
}

// MustComputeMonths is ComputeMonths for everybody of a company, after a test
// has changed records directly.
func MustComputeMonths(t testing.TB, db *areas.Areas, companyID int64) {
	t.Helper()
	if err := ComputeMonths(t.Context(), db.DB, companyID, nil); err != nil {
		t.Fatal(err)
	}
}
