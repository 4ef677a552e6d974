package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// wholeObjects are the types of objects that reverting a change sets back as a whole, if
// they still have the version that the change saved.
var wholeObjects = []string{"viewer", "webhook", "installation", "retention", "disclosure", "map", "holiday", "check", "factor_rule"}

// SetsObjectBack reports whether reverting the change now sets a whole object back to what
// it was before, so that the differences of the change are those that reverting it makes.
// It is false where a later change has replaced the version that the change saved.
func (s *Store) SetsObjectBack(ctx context.Context, c Change) (bool, error) {
	if !c.Revertible() || !slices.Contains(wholeObjects, c.ObjectType) || c.IsDeletion() && !c.IsRestorable(s.db.Now()) {
		return false, nil
	}
	saved, err := versionOf(c.New)
	if err != nil {
		return false, fmt.Errorf("change %d: %w", c.ID, err)
	}
	later, err := s.Later(ctx, c, mostLater)
	if err != nil {
		return false, err
	}
	for _, other := range later {
		before, errBefore := versionOf(other.Old)
		after, err := versionOf(other.New)
		if err = errors.Join(errBefore, err); err != nil {
			return false, fmt.Errorf("change %d: %w", other.ID, err)
		}
		wasDeleted := other.New == nil && before != 0
		if wasDeleted || after != 0 && after != saved {
			return false, nil
		}
	}
	return true, nil
}

// versionOf returns the version in what the change log stores of an object; 0 for an
// object that did not exist and for a part of it without a version.
func versionOf(record json.RawMessage) (int32, error) {
	if record == nil {
		return 0, nil
	}
	var of struct {
		VersionNo int32 `json:"version_no"`
	}
	err := json.Unmarshal(record, &of)
	return of.VersionNo, err
}
