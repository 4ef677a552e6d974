package policy

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
)

// holdChecks refuses a save that breaks checks which stop it. What it breaks besides is
// noted in the change log, and for the answer. The program itself is never stopped.
func (s *saveTx) holdChecks(ctx context.Context) error {
	checks, err := s.Checks(ctx, s.by.CompanyID, s.kind)
	if err != nil || len(checks) == 0 {
		return err
	}
	after, err := s.ReadTimeline(ctx, s.by.CompanyID, s.kind, s.now)
	if err != nil {
		return err
	}
	broken, err := s.breaksOf(ctx, checks, s.before, after)
	if err != nil {
		return err
	}
	if !s.isAutomatic {
		if err := stopped(broken); err != nil {
			return err
		}
	}
	s.broken = broken
	return s.noteBroken(ctx, s.by, s.now, broken)
}

// breaks returns the checks that a change of policies breaks, with the names of some of
// the people whom it concerns.
func (s *previewer) breaks(ctx context.Context, after *Timeline) ([]BrokenCheck, error) {
	checks, err := s.Checks(ctx, s.by.CompanyID, s.kind)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	return s.breaksOf(ctx, checks, s.timeline, after)
}

func (s *previewer) breaksOf(ctx context.Context, checks []Check, before, after *Timeline) ([]BrokenCheck, error) {
	singles := singlesOf(checks, before, after)
	units, err := s.checkUnits(ctx, s.by.CompanyID, singles)
	if err != nil {
		return nil, err
	}
	t := checkTrial{checks: checks, before: before, after: after, from: s.now, units: concernedUnits(units, before, after)}
	t.everybody = func(context.Context, Check) ([]checkUnit, error) { return units, nil }
	return t.named(ctx, s.Queries, s.by.CompanyID, singles)
}

// stopped returns the refusal of a change that breaks checks which stop it.
func stopped(broken []BrokenCheck) error {
	stops := slices.DeleteFunc(slices.Clone(broken), func(b BrokenCheck) bool { return b.Severity != Stop })
	if len(stops) == 0 {
		return nil
	}
	return &CheckRefusal{stops}
}

// noteBroken records in the change log that a change breaks checks.
func (q *Queries) noteBroken(ctx context.Context, by queries.Actor, now time.Time, broken []BrokenCheck) error {
	for _, b := range broken {
		record := newCheckRecord(&b.Check)
		record.BrokenPeople = &b.People
		change := queries.Change{Action: "check.broken", ObjectType: "check", ObjectID: b.ID, ObjectName: b.Name, New: record}
		if err := queries.New(q.db).RecordChange(ctx, by, now, change); err != nil {
			return err
		}
	}
	return nil
}
