package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// change is what a rule notes in the change log, in its own transaction.
// Action is spelled "policy.updated". Old and New become JSON; nil is nothing.
type change struct {
	Action     string
	ObjectType string
	ObjectID   int64
	ObjectName string
	Old, New   any
}

func (q *Queries) recordChange(ctx context.Context, by Actor, at time.Time, c change) error {
	arg := insertChangeParams{
		CompanyID: by.CompanyID, At: at, ActorUserID: orNil(by.UserID), ActorName: by.Name,
		Action: c.Action, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ObjectName: c.ObjectName,
	}
	if by.Address.IsValid() {
		address := by.Address.Unmap().WithZone("")
		arg.Address = &address
	}
	var err error
	if arg.Old, err = jsonOrNil(c.Old); err != nil {
		return err
	}
	if arg.New, err = jsonOrNil(c.New); err != nil {
		return err
	}
	if err := q.insertChange(ctx, arg); err != nil {
		return fmt.Errorf("note %s: %w", c.Action, err)
	}
	return nil
}

func jsonOrNil(value any) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	return json.Marshal(value)
}

// ChangeFilter chooses changes of a company: of one object (type and id), of
// one actor, or all of them.
type ChangeFilter struct {
	CompanyID  int64
	ObjectType string
	ObjectID   int64
	ActorID    int64
}

// ChangePlace is the place of a change in the log. The zero place is its newest end.
type ChangePlace struct {
	At time.Time
	ID int64
}

// Changes are the changes before a place, the latest first; fewer than size
// only at the end of the log.
func (db *DB) Changes(ctx context.Context, f ChangeFilter, before ChangePlace, size int) ([]Change, error) {
	if before.At.IsZero() {
		before = ChangePlace{At: endOfTime}
	}
	switch {
	case f.ObjectType != "":
		return db.changesOfObject(ctx, changesOfObjectParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, ObjectID: f.ObjectID, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
		})
	case f.ActorID != 0:
		return db.changesOfActor(ctx, changesOfActorParams{
			CompanyID: f.CompanyID, ActorUserID: &f.ActorID, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
		})
	}
	return db.changesOfCompany(ctx, changesOfCompanyParams{
		CompanyID: f.CompanyID, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
	})
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// partitionsAhead is how many months have their partitions before they begin.
const partitionsAhead = 3

// EnsurePartitions makes the partitions, one a month (UTC), of last month and
// of those that lie ahead. Several processes may call it at once.
func (db *DB) EnsurePartitions(ctx context.Context) error {
	year, month, _ := db.now().UTC().Date()
	return pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended('partitions', 0))"); err != nil {
			return err
		}
		for offset := -1; offset <= partitionsAhead; offset++ {
			first := time.Date(year, month+time.Month(offset), 1, 0, 0, 0, 0, time.UTC)
			if err := ensurePartition(ctx, tx, "changes", first); err != nil {
				return fmt.Errorf("partition of %s: %w", first.Format("2006-01"), err)
			}
		}
		return nil
	})
}

func ensurePartition(ctx context.Context, tx pgx.Tx, table string, first time.Time) error {
	name := table + first.Format("_2006_01")
	var there bool
	if err := tx.QueryRow(ctx, "select to_regclass($1) is not null", name).Scan(&there); err != nil || there {
		return err
	}
	_, err := tx.Exec(ctx, fmt.Sprintf("create table %s partition of %s for values from ('%s') to ('%s')",
		name, table, first.Format(time.RFC3339), first.AddDate(0, 1, 0).Format(time.RFC3339)))
	return err
}
