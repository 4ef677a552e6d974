package attendance

import (
	"context"
	"errors"
	"fmt"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// EditMatches is the maximum number of records that are edited at once by a
// filter.
const EditMatches = 10_000

const refusedTooManyMatches = queries.Invalid("attendance.match.too_many")

// RecordMatches are the records on all pages of a log.
type RecordMatches struct {
	Keys []RecordKey // the latest date first, each date by name

	// LastEdit is the id of the company's last edit at the time they were
	// listed; 0 for none.
	LastEdit int64
}

// RecordMatches returns the records that a filter of LogUnit chooses. It
// refuses more than EditMatches.
func (s *Store) RecordMatches(ctx context.Context, reader directory.Person, scope RecordScope, f Filter) (RecordMatches, error) {
	var m RecordMatches
	var err error
	if m.LastEdit, err = s.lastEditID(ctx, reader.CompanyID); err != nil {
		return m, err
	}
	f.Cursor, f.Limit = nil, EditMatches/10
	for {
		page, err := s.Log(ctx, reader, scope, f)
		if err != nil {
			return m, err
		}
		for _, row := range page.Rows {
			m.Keys = append(m.Keys, row.Key())
		}
		switch {
		case len(m.Keys) > EditMatches || len(m.Keys) == EditMatches && page.Next != nil:
			return m, refusedTooManyMatches
		case page.Next == nil:
			return m, nil
		}
		f.Cursor = page.Next
	}
}

// EditPlan is the result of editing several records.
type EditPlan struct {
	Edited  int
	Refused RecordErrors // the records that are not edited, and why
}

// PlanEdits returns what EditPossible would do.
func (s *Store) PlanEdits(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit, lastEdit int64) (EditPlan, error) {
	return s.editPossible(ctx, by, scope, edits, lastEdit, func(EditPlan) bool { return false })
}

// EditPossible edits, in one transaction, those of at most EditMatches records
// that can be edited; the others are in Refused. Records that were edited after
// lastEdit are refused. agreed is the number of records that the editor
// confirmed: if another number would be edited, nothing is, and changed is
// true.
func (s *Store) EditPossible(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit, lastEdit int64, agreed int) (plan EditPlan, changed bool, err error) {
	plan, err = s.editPossible(ctx, by, scope, edits, lastEdit, func(p EditPlan) bool {
		changed = p.Edited != agreed
		return !changed && p.Edited > 0
	})
	return plan, changed, err
}

func (s *Store) editPossible(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit, lastEdit int64, write func(EditPlan) bool) (plan EditPlan, err error) {
	if len(edits) > EditMatches {
		return plan, refusedTooManyMatches
	}
	err = s.inEditTx(ctx, edits, func(ctx context.Context, q *Queries) error {
		w, refused, err := s.planEdits(ctx, q, by, scope, edits, &lastEdit)
		if err != nil {
			return err
		}
		plan = EditPlan{len(w.done), refused}
		if !write(plan) {
			return directory.ErrNothingWritten
		}
		return w.write(ctx)
	})
	if errors.Is(err, directory.ErrNothingWritten) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("edit %d records: %w", len(edits), err)
	}
	return plan, err
}
