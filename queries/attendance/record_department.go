package attendance

import (
	"context"
	"fmt"

	"officeconsole/queries"
)

// RecordDepartment returns the department that the user of a record was in on the date,
// from which a RecordScope says who sees and who edits the record. NotFound where there
// can be no record. It stores no view, as Record does.
func (s *Store) RecordDepartment(ctx context.Context, companyID int64, key RecordKey) (int64, error) {
	if err := s.checkDate(key); err != nil {
		return 0, err
	}
	d, err := s.unlockedDerivation(ctx, s.Queries, companyID, []int64{key.UserID})
	if err != nil {
		return 0, err
	}
	loaded, err := d.loadFacts(ctx, spanOf(key))
	if err != nil {
		return 0, err
	}
	state, err := loaded.recordState(key)
	return state.row.DepartmentID, err
}

// Correction returns a request that the scope includes, else NotFound.
func (s *Store) Correction(ctx context.Context, companyID int64, scope RecordScope, id int64) (Correction, error) {
	c, err := s.correction(ctx, correctionParams{companyID, id})
	if err == nil && !scope.Sees(c.UserID, c.DepartmentID) {
		err = fmt.Errorf("correction %d: %w", id, queries.NotFound)
	}
	return c, err
}
