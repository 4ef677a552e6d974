package queries

import (
	"context"
	"fmt"
	"time"
)

// byMonth are the tables that are partitioned by month (UTC).
var byMonth = []string{"access_events", "bot_messages", "change_texts", "changes", "client_events", "clock_events", "day_records", "reads", "saved_file_receivers", "saved_files"}

// The partitions that exist at any time: those of the months from
// partitionsBehind before the current one, for events that arrive late, until
// partitionsAhead after it.
const (
	partitionsBehind = 2
	partitionsAhead  = 3
)

// EnsurePartitions creates the partitions of the months around now. Several
// processes may call it at once.
func (db *DB) EnsurePartitions(ctx context.Context) error {
	return db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		return New(tx).EnsurePartitionsFrom(ctx, addMonths(db.now(), -partitionsBehind), db.now())
	})
}

// EnsurePartitionsAt creates the partitions of the month of a time, in a
// transaction of its own, unless EnsurePartitions does.
func (db *DB) EnsurePartitionsAt(ctx context.Context, at time.Time) error {
	if !at.Before(addMonths(db.now(), -partitionsBehind)) && at.Before(addMonths(db.now(), partitionsAhead)) {
		return nil
	}
	return db.InTx(ctx, func(ctx context.Context, tx Tx) error { return New(tx).EnsurePartitionsBetween(ctx, at, at) })
}

// EnsurePartitionsFrom creates the partitions from the month of a time until
// partitionsAhead months after now.
func (q *Queries) EnsurePartitionsFrom(ctx context.Context, from, now time.Time) error {
	return q.EnsurePartitionsBetween(ctx, from, addMonths(now, partitionsAhead))
}

// EnsurePartitionsBetween creates the partitions of the months from one time to another.
func (q *Queries) EnsurePartitionsBetween(ctx context.Context, from, to time.Time) error {
	if _, err := q.db.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended('partitions', 0))"); err != nil {
		return err
	}
	for first := addMonths(from, 0); !first.After(to); first = addMonths(first, 1) {
		for _, table := range byMonth {
			if err := q.ensurePartition(ctx, table, first); err != nil {
				return fmt.Errorf("partition of %s of %s: %w", table, first.Format("2006-01"), err)
			}
		}
	}
	return nil
}

// EnsurePartitionsOf creates the partitions of one table for the months from one time
// to another.
func (q *Queries) EnsurePartitionsOf(ctx context.Context, table string, from, to time.Time) error {
	for first := addMonths(from, 0); !first.After(to); first = addMonths(first, 1) {
		if err := q.ensurePartition(ctx, table, first); err != nil {
			return fmt.Errorf("partition of %s of %s: %w", table, first.Format("2006-01"), err)
		}
	}
	return nil
}

func (q *Queries) ensurePartition(ctx context.Context, table string, first time.Time) error {
	name := table + first.Format("_2006_01")
	var there bool
	if err := q.db.QueryRow(ctx, "select to_regclass($1) is not null", name).Scan(&there); err != nil || there {
		return err
	}
	_, err := q.db.Exec(ctx, partitionStatement(name, table, first))
	return err
}

// partitionStatement creates the partition of the month that begins at first.
func partitionStatement(name, table string, first time.Time) string {
	return fmt.Sprintf("create table %s partition of %s for values from ('%s') to ('%s')",
		name, table, first.Format(time.RFC3339), addMonths(first, 1).Format(time.RFC3339))
}

// addMonths returns the first moment (UTC) of the month that is a number of
// months after that of t.
func addMonths(t time.Time, months int) time.Time {
	year, month, _ := t.UTC().Date()
	return time.Date(year, month+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}
