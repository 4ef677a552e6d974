package policy

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/settings"
)

// TakenTarget is a target that another policy of the kind holds, now or by its
// planned version.
type TakenTarget struct {
	Target
	PolicyID   int64
	PolicyName string
	From       time.Time // when the planned version starts; zero if the policy holds the target already
	HasPlan    bool      // whether a policy that holds it has a planned version, so that it cannot move
}

// newTakenTarget returns a target with the policy that holds it: the one that lists it
// now, or else the one that will first. holders are the versions that list it.
func (t *Timeline) newTakenTarget(target Target, holders []*Span, now time.Time) TakenTarget {
	by := slices.MinFunc(holders, func(a, b *Span) int {
		return cmp.Or(cmp.Compare(t.orderAt(a, now), t.orderAt(b, now)), a.EffectiveFrom.Compare(b.EffectiveFrom))
	})
	taken := TakenTarget{Target: target, PolicyID: by.PolicyID, PolicyName: by.Name}
	if by.EffectiveFrom.After(now) {
		taken.From = by.EffectiveFrom
	}
	taken.HasPlan = slices.ContainsFunc(holders, func(s *Span) bool { return t.planned(s.PolicyID, now) != nil })
	return taken
}

// orderAt is 0 for a version that is in force at a time, and 1 for any other.
func (t *Timeline) orderAt(s *Span, at time.Time) int {
	if t.inForce(s.PolicyID, at) == s {
		return 0
	}
	return 1
}

// TargetConflict refuses targets that other policies hold. It is a Conflict.
type TargetConflict struct {
	Taken []TakenTarget
}

func (e *TargetConflict) Error() string { return fmt.Sprintf("%d targets are taken", len(e.Taken)) }

// Unwrap returns the Conflict.
func (e *TargetConflict) Unwrap() error { return queries.Conflict("policy.targets.taken") }

// EditConflict refuses to overwrite another save: it contains who saved the
// newest version, when, and what has changed since the version of If-Match. It
// is a Conflict.
type EditConflict struct {
	ByUserID int64
	ByName   string
	At       time.Time
	LastNo   int32
	Changes  Differences
}

func (e *EditConflict) Error() string { return fmt.Sprintf("version %d is newer", e.LastNo) }

// Unwrap returns the Conflict.
func (e *EditConflict) Unwrap() error { return queries.Conflict("policy.changed") }

// FieldConflict refuses to revert a version, because fields that it changed have other
// values by now. It is a Conflict.
type FieldConflict struct {
	PolicyID   int64 // whose fields they are: of the version, or of one that released targets to it
	PolicyName string
	Changed    Differences // from what the version changed them to, to what they are
}

func (e *FieldConflict) Error() string {
	return fmt.Sprintf("%d fields and settings of policy %d have changed", len(e.Changed.Fields)+len(e.Changed.Settings), e.PolicyID)
}

// Unwrap returns the Conflict.
func (e *FieldConflict) Unwrap() error { return queries.Conflict("change.revert.changed") }

// Differences are the fields and the settings in which a version differs from
// another.
type Differences struct {
	Fields   []FieldDifference
	Settings []settings.Change
}

// FieldDifference is a field that differs: name, description, enabled (bool),
// effective_from (time.Time) or targets ([]Target).
type FieldDifference struct {
	Field    string
	Old, New any
}

// Compare returns how a version of a policy of a kind differs from the one
// before.
func Compare(kind string, before, after Version) Differences {
	d := Differences{Settings: settings.Diff(before.Values(kind), after.Values(kind))}
	note := func(field string, old, new any, same bool) {
		if !same {
			d.Fields = append(d.Fields, FieldDifference{field, old, new})
		}
	}
	note("name", before.Name, after.Name, before.Name == after.Name)
	note("description", before.Description, after.Description, before.Description == after.Description)
	if before.Owner != nil && after.Owner != nil {
		note("owner", *before.Owner, *after.Owner, before.Owner.is(*after.Owner))
	}
	note("enabled", before.Enabled, after.Enabled, before.Enabled == after.Enabled)
	note("effective_from", before.EffectiveFrom, after.EffectiveFrom, before.EffectiveFrom.Equal(after.EffectiveFrom))
	note("targets", before.Targets, after.Targets, sameTargets(before.Targets, after.Targets))
	return d
}

func sameTargets(a, b []Target) bool {
	if len(a) != len(b) {
		return false
	}
	included := make(map[node]bool, len(a))
	for _, t := range a {
		included[t.node()] = t.IncludeChildren
	}
	return !slices.ContainsFunc(b, func(t Target) bool {
		children, ok := included[t.node()]
		return !ok || children != t.IncludeChildren
	})
}

// checkUnchanged refuses with EditConflict if ifMatch is not the newest
// version. It accepts 0 in any case.
func (h *history) checkUnchanged(ifMatch int32) error {
	if ifMatch == 0 || ifMatch == h.lastNo() {
		return nil
	}
	newest := h.versions[0]
	conflict := &EditConflict{ByUserID: newest.CreatedBy, ByName: newest.CreatedByName, At: newest.CreatedAt, LastNo: newest.No}
	if seen := h.version(ifMatch); seen != nil {
		conflict.Changes = Compare(h.kind, *seen, newest)
	}
	return conflict
}
