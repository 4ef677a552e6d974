package attendance

import (
	"context"
	"errors"
	"fmt"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// EditMatches is how many records can be edited at once by what they have in
// common.
const EditMatches = 10_000

const refusedTooManyMatches = queries.Invalid("attendance.match.too_many")

// RecordMatches are the records that a log lists, every page of them.
type RecordMatches struct {
	Keys []RecordKey // the latest date first, each by name

	// LastEdit is the last edit that anybody of the company had made when they
	// were listed; 0 for none.
	LastEdit int64
}

// RecordMatches finds the records that LogUnit lists. It refuses more than
// EditMatches.
func (s *Store) RecordMatches(ctx context.Context, companyID int64, scope RecordScope, f Filter) (RecordMatches, error) {
	var m RecordMatches
	var err error
	if m.LastEdit, err = s.lastEditID(ctx, companyID); err != nil {
		return m, err
	}
	f.Cursor, f.Limit = nil, EditMatches/10
	for {
		page, err := s.Log(ctx, companyID, scope, f)
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

// EditPlan is what an edit of many records comes to.
type EditPlan struct {
	Edited  int
	Refused RecordErrors // those that stay as they are, and why
}

// PlanEdits says what EditPossible would do.
func (s *Store) PlanEdits(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit, lastEdit int64) (EditPlan, error) {
	return s.editPossible(ctx, by, scope, edits, lastEdit, func(EditPlan) bool { return false })
}

// EditPossible edits, as EditRecords does, those of at most EditMatches records
// that can be, in one transaction. What somebody edited after lastEdit is among
// the refused. Somebody has agreed to an edit of agreed records: where it would
// be another number by now, nothing is edited, and changed is true.
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
	if err := s.ensurePartitions(ctx, edits); err != nil {
		return plan, err
	}
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
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
