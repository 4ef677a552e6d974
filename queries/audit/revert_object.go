package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"officeconsole/queries"
)

// wholeObjects are the types of objects that reverting a change sets back as a whole, if
// they still have the version that the change saved.
var wholeObjects = []string{"viewer", "webhook", "installation", "retention", "disclosure", "map", "holiday", "check", "factor_rule", "provider"}

// ObjectReversal returns what reverting the change now does to a whole object: its fields
// before and after. There are none where a later change has replaced what the change
// saved, or where reverting it sets fields back, see RevertsFields. It is Invalid where it
// is known that the change can no longer be reverted.
func (s *Store) ObjectReversal(ctx context.Context, c Change) ([]Difference, error) {
	if !c.Revertible() {
		return nil, nil
	}
	if c.Action == "link.moved" {
		return s.moveReversal(ctx, c)
	}
	if isLatest, err := s.isLatest(ctx, c); err != nil || !isLatest {
		return nil, err
	}
	if c.IsDeletion() && !c.IsRestorable(s.db.Now()) {
		return nil, queries.Invalid("change.revert.late")
	}
	all, err := c.Differences()
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Old, all[i].New = all[i].New, all[i].Old
	}
	switch c.ObjectType {
	case "provider":
		return withoutSecret(c, all)
	case "notice":
		return all, s.checkMissed(c)
	case "user":
		return s.withoutPastDay(ctx, c, all)
	}
	return all, nil
}

// isLatest reports whether the object that reverting a change sets back, deletes or restores
// as a whole is still what the change saved.
func (s *Store) isLatest(ctx context.Context, c Change) (bool, error) {
	switch {
	case c.ObjectType == "user":
		return s.isLatestHiding(ctx, c)
	case c.ObjectType == "link_order":
		return s.isLatestOrder(ctx, c)
	case c.ObjectType == "service":
		return s.isLatestOfServices(ctx, c)
	case slices.Contains(wholeObjects, c.ObjectType), slices.Contains([]string{"link", "notice"}, c.ObjectType) && (c.Old == nil || c.New == nil):
		return s.isLatestVersion(ctx, c)
	}
	return false, nil
}

func (s *Store) isLatestVersion(ctx context.Context, c Change) (bool, error) {
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
