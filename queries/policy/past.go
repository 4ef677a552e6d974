package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// PastChange is a change of working attitude policies for dates of the past, by
// which records are computed again.
type PastChange struct {
	First     workday.Date // the first date that changes
	Until     *time.Time   // when an existing version of the policy begins, which still applies then; nil for none
	Before    int32        // the version of the policy that applied then; 0 for none
	PolicyIDs []int64      // the policies that get versions
	After     *Timeline    // all policies as if the change were saved, from First on
}

// LockedMonth refuses a start of the past, because the attendance of a month from
// then on is locked. It is FieldErrors.
type LockedMonth struct {
	Month workday.Date // the first day of the last locked month
}

func (e *LockedMonth) Error() string {
	return fmt.Sprintf("attendance is locked until %s", e.Earliest())
}

// Unwrap returns the FieldErrors.
func (e *LockedMonth) Unwrap() error {
	return queries.FieldErrors{"effective_from": "policy.effective_from.locked"}
}

// Earliest returns the first date with which a version may start.
func (e *LockedMonth) Earliest() workday.Date {
	year, month, _ := e.Month.Time().Date()
	return workday.NewDate(year, month+1, 1)
}

// EarliestStart returns the first date with which a version of a working attitude
// policy may start.
func (s *Store) EarliestStart(ctx context.Context, companyID int64) (workday.Date, error) {
	locked, err := s.lockedMonth(ctx, companyID)
	if err != nil || locked == nil {
		return earliestPast, err
	}
	return max(earliestPast, locked.Earliest()), nil
}

// lockedMonth returns the refusal of dates up to the last locked month, or nil.
func (q *Queries) lockedMonth(ctx context.Context, companyID int64) (*LockedMonth, error) {
	month, err := q.lastLockedMonth(ctx, companyID)
	if errors.Is(err, queries.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("last locked month: %w", err)
	}
	return &LockedMonth{workday.DateOf(month)}, nil
}

// startsInPast reports whether a version that starts at a time applies to days that
// have begun.
func (s *previewer) startsInPast(at time.Time) bool {
	return s.kind == "workingattitude" && !at.After(s.now)
}

// checkUnlocked refuses a start in or before a locked month.
func (s *previewer) checkUnlocked(ctx context.Context, at time.Time) error {
	locked, err := s.lockedMonth(ctx, s.by.CompanyID)
	if err == nil && locked != nil && s.dateOf(at) < locked.Earliest() {
		err = locked
	}
	return err
}

func (s *previewer) dateOf(at time.Time) workday.Date { return workday.DateOf(at.In(s.zone)) }

// reachBack reads the timeline from a start of the past on. Any other start is in
// the timeline already.
func (s *previewer) reachBack(ctx context.Context, start time.Time) (err error) {
	if s.startsInPast(start) {
		s.timeline, err = s.ReadTimeline(ctx, s.by.CompanyID, s.kind, start)
	}
	return err
}

// saved returns the timeline after a version has been saved and its targets have
// been released by their holders.
func (s *previewer) saved(added *Span, held []taken) *Timeline {
	if !s.startsInPast(added.EffectiveFrom) {
		return s.timeline.saved(added, held)
	}
	spans := []*Span{added}
	for _, r := range s.timeline.releases(added, held) {
		row := r.span.policySpansRow
		row.No, row.EffectiveFrom = s.timeline.byPolicy[row.PolicyID][0].No+int32(len(spans)), r.from
		spans = append(spans, newSpan(s.kind, row, r.targets))
	}
	return s.timeline.with(spans...)
}

// pastChange returns what a version changes in the past; nil if it starts later.
func (s *previewer) pastChange(added *Span, held []taken) *PastChange {
	if !s.startsInPast(added.EffectiveFrom) {
		return nil
	}
	_, until := s.timeline.with(added).possible(added)
	c := &PastChange{First: s.dateOf(added.EffectiveFrom), Until: until, PolicyIDs: []int64{added.PolicyID}, After: s.saved(added, held)}
	if before := s.timeline.inForce(added.PolicyID, added.EffectiveFrom); before != nil {
		c.Before = before.No
	}
	for _, h := range held {
		c.PolicyIDs = append(c.PolicyIDs, h.by.PolicyID)
	}
	slices.Sort(c.PolicyIDs)
	c.PolicyIDs = slices.Compact(c.PolicyIDs)
	return c
}

// release is a version that a holder of targets gets because of a version of the
// past: what one of its versions says, but with other targets from a time on.
type release struct {
	span    *Span
	from    time.Time
	targets []Target
}

// releases returns the versions by which holders release targets to a version for
// as long as that is in force, in the order of their starts. Where a later version
// of its policy ends it, the holders have their targets again.
func (t *Timeline) releases(added *Span, held []taken) []release {
	from, until := t.with(added).possible(added)
	lost := map[*Span][]node{}
	for _, h := range held {
		lost[h.by] = append(lost[h.by], h.target.node())
	}
	var all []release
	for span, nodes := range lost {
		begin, end := t.possible(span)
		if begin.Before(from) {
			begin = from
		}
		rest := slices.DeleteFunc(slices.Clone(span.targets), func(target Target) bool { return slices.Contains(nodes, target.node()) })
		all = append(all, release{span, begin, rest})
		if until != nil && (end == nil || end.After(*until)) {
			all = append(all, release{span, *until, span.targets})
		}
	}
	slices.SortFunc(all, func(a, b release) int {
		return cmp.Or(cmp.Compare(a.span.PolicyID, b.span.PolicyID), a.from.Compare(b.from), cmp.Compare(a.span.No, b.span.No))
	})
	return all
}

// releasePast saves the releases of a version of the past as its change set.
func (s *saveTx) releasePast(ctx context.Context, by VersionKey, v *Version, releases []release) error {
	for _, r := range releases {
		h, err := s.load(ctx, r.span.PolicyID)
		if err != nil {
			return err
		}
		old := *h.version(r.span.No)
		less := old
		less.No, less.EffectiveFrom, less.CreatedAt, less.CreatedBy = h.lastNo()+1, r.from, s.now, s.by.UserID
		less.Reason, less.movedFor = v.Reason, &by
		less.Targets = slices.DeleteFunc(slices.Clone(old.Targets), func(t Target) bool {
			return !slices.ContainsFunc(r.targets, func(left Target) bool { return left.node() == t.node() })
		})
		if err := s.storeVersion(ctx, h, &less); err != nil {
			return err
		}
		if err := s.recordChange(ctx, "policy.targets_moved", h.id, &old, &less); err != nil {
			return err
		}
	}
	return nil
}

// recomputation is the request of a save to compute records of the past again.
type recomputation struct {
	leader    insertRecomputationParams // of the first version that was saved
	from      time.Time
	confirmed bool
}

// beginPast waits until nobody else derives records or locks months, if a draft
// starts in the past.
func (s *saveTx) beginPast(ctx context.Context, d acceptedDraft) error {
	if !s.startsInPast(d.start) {
		return nil
	}
	if err := s.lockAttendance(ctx, s.by.CompanyID); err != nil {
		return err
	}
	s.past = &recomputation{confirmed: d.Confirmed}
	return s.checkUnlocked(ctx, d.start)
}

// requestRecomputation adds a version to the request.
func (s *saveTx) requestRecomputation(h *history, v *Version) {
	if s.past.leader.PolicyID == 0 {
		s.past.from = v.EffectiveFrom
		s.past.leader = insertRecomputationParams{
			CompanyID: s.by.CompanyID, PolicyID: h.id, VersionNo: v.No, PolicyName: v.Name,
			CreatedAt: s.now, CreatedBy: queries.OrNil(s.by.UserID), CreatedByName: s.by.Name,
		}
	}
	if v.EffectiveFrom.Before(s.past.from) {
		s.past.from = v.EffectiveFrom
	}
	if !slices.Contains(s.past.leader.PolicyIds, h.id) {
		s.past.leader.PolicyIds = append(s.past.leader.PolicyIds, h.id)
	}
}

// insert stores the request, if there is one. It refuses one that nobody has
// confirmed.
func (r *recomputation) insert(ctx context.Context, s *saveTx) error {
	switch {
	case r == nil:
		return nil
	case !r.confirmed:
		return ErrPastUnconfirmed
	}
	arg := r.leader
	today := s.dateOf(s.now)
	arg.FirstDate, arg.LastDate = s.dateOf(r.from).Time(), (today + 1).Time() // tomorrow's records exist already
	if err := s.insertRecomputation(ctx, arg); err != nil {
		return fmt.Errorf("request a recomputation: %w", err)
	}
	return nil
}

// ErrPastUnconfirmed refuses a version that starts in the past, until somebody
// confirms what it changes.
const ErrPastUnconfirmed = queries.Invalid("policy.past.unconfirmed")
