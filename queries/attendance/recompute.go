package attendance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/replica"
	"officeconsole/workday"
)

const (
	// recomputeDays is the number of days of people that are computed again in one
	// transaction, which delays the clock events of the company.
	recomputeDays = 6_000
	// mostRecomputed is the number of people of a transaction at most.
	mostRecomputed = 500
	// recomputeRetry is how long a recomputation waits after an error.
	recomputeRetry = time.Minute
)

// windowReach is the number of days before a change whose records it may alter,
// because the window of a day ends where the next one begins.
const windowReach = daysBehind

// RecomputePast computes records of the past again, where policies were changed for
// it. It works on one recomputation of each company at a time, the oldest, in short
// transactions; after a restart it continues behind the last one. Several processes
// may call it at once.
func (s *Store) RecomputePast(ctx context.Context) error {
	var failed error
	for {
		now := s.db.Now()
		due, err := s.dueRecomputations(ctx, now)
		if err != nil {
			return errors.Join(failed, err)
		}
		advanced := false
		for _, r := range due {
			worked, err := s.advanceOrNote(ctx, r)
			advanced = advanced || worked
			failed = errors.Join(failed, err)
		}
		if !advanced || ctx.Err() != nil {
			return failed
		}
	}
}

// advanceOrNote advances a recomputation, and stores why that failed.
func (s *Store) advanceOrNote(ctx context.Context, r dueRecomputationsRow) (worked bool, err error) {
	ctx = replica.WithUser(ctx, replica.User{CompanyID: r.CompanyID})
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		worked, err = s.advance(ctx, q, r)
		return err
	})
	if err == nil || ctx.Err() != nil {
		return worked, err
	}
	retry := s.db.Now().Add(recomputeRetry)
	slog.ErrorContext(ctx, "recomputation failed", "company", r.CompanyID, "recomputation", r.ID, "err", err)
	arg := noteRecomputationErrorParams{CompanyID: r.CompanyID, ID: r.ID, Error: err.Error(), RetryAt: &retry}
	return false, errors.Join(fmt.Errorf("recomputation %d of company %d: %w", r.ID, r.CompanyID, err), s.noteRecomputationError(ctx, arg))
}

// advance computes the records of the next people of a recomputation, or finishes
// it. It does nothing while another process does.
func (s *Store) advance(ctx context.Context, q *Queries, due dueRecomputationsRow) (worked bool, err error) {
	r, err := q.lockRecomputation(ctx, lockRecomputationParams(due))
	if errors.Is(err, queries.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if r.StartedAt == nil {
		if err := s.start(ctx, q, &r); err != nil {
			return false, err
		}
	}
	first, last := workday.DateOf(r.FirstDate), workday.DateOf(r.LastDate)
	size := min(s.mostRecomputed, max(1, recomputeDays/int(last-first+1)))
	ids, err := q.nextRecomputed(ctx, nextRecomputedParams{CompanyID: r.CompanyID, AfterID: r.AfterUserID, Size: int32(size)})
	if err != nil {
		return false, err
	}
	if len(ids) == 0 {
		return true, s.finish(ctx, q, r)
	}
	d, err := s.derivation(ctx, q, r.CompanyID, ids)
	if err != nil {
		return false, err
	}
	timeline, err := policy.New(q.db).ReadTimeline(ctx, r.CompanyID, "workingattitude", first.At(0, d.zone))
	if err != nil {
		return false, err
	}
	d.change = newPolicyChange(first, r.PolicyIds, timeline)
	d.change.version = s.policies.with(timeline).get
	var sums RecordSums
	if err := d.deriveChange(ctx, ids, first-windowReach, last, &sums, false); err != nil {
		return false, err
	}
	return true, q.advanceRecomputation(ctx, advanceRecomputationParams{
		CompanyID: r.CompanyID, ID: r.ID, AfterUserID: ids[len(ids)-1], People: int32(len(ids)), Records: int64(sums.Records), Changed: int32(sums.People),
		Worked: sums.WorkedMin, Overtime: sums.OvertimeMin, Holiday: sums.HolidayMin, HolidayOver: sums.HolidayOverMin, Night: sums.NightMin, Late: sums.LateMin, Early: sums.EarlyMin,
	})
}

// start counts the people of a recomputation. It leaves out dates before the first
// record of the company.
func (s *Store) start(ctx context.Context, q *Queries, r *Recomputation) error {
	dates, err := q.recordDates(ctx, r.CompanyID)
	if err != nil {
		return err
	}
	if dates.First.After(r.FirstDate) {
		r.FirstDate = dates.First
	}
	if r.FirstDate.After(r.LastDate) {
		r.FirstDate = r.LastDate
	}
	if r.People, err = q.recomputedPeople(ctx, r.CompanyID); err != nil {
		return err
	}
	now := s.db.Now()
	return q.startRecomputation(ctx, startRecomputationParams{Now: &now, People: r.People, FirstDate: r.FirstDate, CompanyID: r.CompanyID, ID: r.ID})
}

// finish ends a recomputation with its result in the change log.
func (s *Store) finish(ctx context.Context, q *Queries, r Recomputation) error {
	now := s.db.Now()
	if err := q.finishRecomputation(ctx, finishRecomputationParams{Now: now, CompanyID: r.CompanyID, ID: r.ID}); err != nil {
		return err
	}
	by := queries.Actor{CompanyID: r.CompanyID, Name: r.CreatedByName}
	if r.CreatedBy != nil {
		by.UserID = *r.CreatedBy
	}
	return queries.New(q.db).RecordChange(ctx, by, now, queries.Change{
		Action: "attendance.recomputed", ObjectType: "recomputation", ObjectID: r.ID, ObjectName: r.PolicyName, New: newRecomputationRecord(r),
	})
}

// recomputationRecord is the result of a recomputation as the change log stores it.
type recomputationRecord struct {
	FirstDate      string `json:"first_date"`
	RecordsChanged int64  `json:"records_changed"`
	PeopleChanged  int32  `json:"people_changed"`
	WorkedMin      int64  `json:"worked_min"`
	OvertimeMin    int64  `json:"overtime_min"`
	HolidayMin     int64  `json:"holiday_min"`
	HolidayOverMin int64  `json:"holiday_over_min"`
	NightMin       int64  `json:"night_min"`
	LateMin        int64  `json:"late_min"`
	EarlyMin       int64  `json:"early_min"`
}

func newRecomputationRecord(r Recomputation) recomputationRecord {
	return recomputationRecord{
		r.FirstDate.Format(time.DateOnly), r.RecordsChanged, r.PeopleChanged, r.WorkedMin, r.OvertimeMin, r.HolidayMin, r.HolidayOverMin, r.NightMin, r.LateMin, r.EarlyMin,
	}
}

// recentRecomputations is how many recomputations are listed of a policy.
const recentRecomputations = 5

// Recomputations returns the latest recomputations because of changes of a policy,
// the newest first.
func (s *Store) Recomputations(ctx context.Context, companyID, policyID int64) ([]Recomputation, error) {
	return s.recomputationsOf(ctx, recomputationsOfParams{CompanyID: companyID, PolicyID: policyID, Size: recentRecomputations})
}

// RecomputationState is what becomes of a recomputation.
type RecomputationState string

// The states of a recomputation. One that retries has stopped with an error.
const (
	RecomputationWaiting  RecomputationState = "waiting"
	RecomputationRunning  RecomputationState = "running"
	RecomputationRetrying RecomputationState = "retrying"
	RecomputationFinished RecomputationState = "finished"
)

// State returns the state.
func (r Recomputation) State() RecomputationState {
	switch {
	case r.FinishedAt != nil:
		return RecomputationFinished
	case r.RetryAt != nil:
		return RecomputationRetrying
	case r.StartedAt != nil:
		return RecomputationRunning
	}
	return RecomputationWaiting
}
