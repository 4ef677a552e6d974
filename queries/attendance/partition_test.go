package attendance_test

import (
	"context"
	"errors"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Whatever is about a date costs as much after years as in the first month: it does not
// touch the partitions of other months, except of those next to it for events.
func TestStatementsTouchFewMonths(t *testing.T) {
	db := queriestest.New(t)
	date := workday.DateOf(queriestest.Now)
	years := queriestest.Now.AddDate(-3, 0, 0)
	err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		return queries.New(tx).EnsurePartitionsFrom(ctx, years, queriestest.Now)
	})
	if err != nil {
		t.Fatal(err)
	}
	undone := errors.New("undone")
	for name, run := range attendance.StatementsAbout(1, queriestest.Kim, date) {
		err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
			if err := run(ctx, attendance.New(tx)); err != nil {
				return err
			}
			var months int
			err := tx.QueryRow(ctx, `select count(distinct right(c.relname, 7)) from pg_locks l join pg_class c on c.oid = l.relation
				where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname ~ '_\d{4}_\d{2}$'`).Scan(&months)
			if err != nil {
				return err
			}
			if months == 0 || months > 3 {
				t.Errorf("%s touches the partitions of %d months", name, months)
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
