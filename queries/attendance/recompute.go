package attendance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"officeconsole/background"
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
	// recomputedAtOnce is the number of these transactions at the same time: more would
	// not leave processors and connections to others.
	recomputedAtOnce = 2
	// recomputedInTurn is the number of these transactions one after the other, before it
	// is another company's turn.
	recomputedInTurn = 8
	// recomputeRetry is how long a recomputation waits after an error.
	recomputeRetry = time.Minute
)

// windowReach is the number of days before a change whose records it may alter,
// because the window of a day ends where the next one begins.
const windowReach = daysBehind

// RecomputePast computes records of the past again, where policies were changed for
// it. It works on one recomputation of each company at a time, the oldest, in short
// transactions; after a restart it continues with the steps that are left. Several
// processes may call it at once.
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
func (s *Store) advanceOrNote(ctx context.Context, r Recomputation) (worked bool, err error) {
	ctx = replica.WithUser(ctx, replica.User{CompanyID: r.CompanyID})
	worked, err = s.advance(ctx, r)
	if err == nil || ctx.Err() != nil {
		return worked, err
	}
	retry := s.db.Now().Add(recomputeRetry)
	slog.ErrorContext(ctx, "recomputation failed", "company", r.CompanyID, "recomputation", r.ID, "err", err)
	arg := noteRecomputationErrorParams{CompanyID: r.CompanyID, ID: r.ID, Error: err.Error(), RetryAt: &retry}
	return false, errors.Join(fmt.Errorf("recomputation %d of company %d: %w", r.ID, r.CompanyID, err), s.noteRecomputationError(ctx, arg))
}

// advance starts a recomputation, computes its next steps, or finishes it. It does
// nothing while other processes work on all that is left.
func (s *Store) advance(ctx context.Context, r Recomputation) (worked bool, err error) {
	if r.StartedAt == nil {
		return s.withLocked(ctx, r, s.start)
	}
	if worked, err = s.computeSteps(ctx, r); worked || err != nil {
		return worked, err
	}
	return s.withLocked(ctx, r, s.finish)
}

// withLocked runs do with a locked recomputation in a transaction, unless another
// process has locked or finished it.
func (s *Store) withLocked(ctx context.Context, due Recomputation, do func(context.Context, *Queries, Recomputation) (worked bool, err error)) (bool, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (bool, error) {
		r, err := q.lockRecomputation(ctx, lockRecomputationParams{CompanyID: due.CompanyID, ID: due.ID})
		if errors.Is(err, queries.NotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return do(ctx, q, r)
	})
}

// computeSteps computes the company's steps of a turn, as many at once as the store may,
// each in a transaction with a connection of its own, and waits for all of them.
func (s *Store) computeSteps(ctx context.Context, r Recomputation) (worked bool, err error) {
	type result struct {
		worked bool
		err    error
	}
	results := make(chan result)
	for range s.recomputedAtOnce {
		go func() {
			var one result
			one.err = background.Protect(func() error {
				for range recomputedInTurn {
					worked, err := inTx(ctx, s, func(ctx context.Context, q *Queries) (bool, error) { return s.computeStep(ctx, q, r) })
					if !worked || err != nil {
						return err
					}
					one.worked = true
				}
				return nil
			})
			results <- one
		}()
	}
	for range s.recomputedAtOnce {
		one := <-results
		worked, err = worked || one.worked, errors.Join(err, one.err)
	}
	return worked, err
}

// computeStep computes the records of the people of a step of a recomputation that was
// started, whose dates no longer change. It does nothing if no step is left.
func (s *Store) computeStep(ctx context.Context, q *Queries, r Recomputation) (worked bool, err error) {
	// Steps have different people, so that they do not have to wait for each other.
	if err := q.lockAttendanceShared(ctx, lockAttendanceSharedParams{CompanyID: r.CompanyID, Lanes: clockLanes}); err != nil {
		return false, err
	}
	step, err := q.lockStep(ctx, lockStepParams{CompanyID: r.CompanyID, RecomputationID: r.ID})
	if errors.Is(err, queries.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ids, err := q.stepPeople(ctx, stepPeopleParams{CompanyID: r.CompanyID, AfterUserID: step.AfterUserID, UntilUserID: step.UntilUserID})
	if err != nil {
		return false, err
	}
	var sums RecordSums
	if len(ids) > 0 {
		if sums, err = s.computePeople(ctx, q, r, ids); err != nil {
			return false, err
		}
	}
	if err := q.deleteStep(ctx, deleteStepParams{CompanyID: r.CompanyID, RecomputationID: r.ID, AfterUserID: step.AfterUserID}); err != nil {
		return false, err
	}
	// From here on other steps wait until this one has ended.
	if err := q.noteRecords(ctx, r.CompanyID); err != nil {
		return false, err
	}
	return true, q.advanceRecomputation(ctx, advanceRecomputationParams{
		CompanyID: r.CompanyID, ID: r.ID, Now: s.db.Now(), People: int32(len(ids)), Records: int64(sums.Records), Changed: int32(sums.People),
		Worked: sums.WorkedMin, Overtime: sums.OvertimeMin, Holiday: sums.HolidayMin, HolidayOver: sums.HolidayOverMin, Night: sums.NightMin, Late: sums.LateMin, Early: sums.EarlyMin,
	})
}

// computePeople computes the records of some people, in a transaction that holds
// lockAttendanceShared.
func (s *Store) computePeople(ctx context.Context, q *Queries, r Recomputation, ids []int64) (sums RecordSums, err error) {
	d, err := s.unlockedDerivation(ctx, q, r.CompanyID, ids)
	if err != nil {
		return sums, err
	}
	first, last := workday.DateOf(r.FirstDate), workday.DateOf(r.LastDate)
	timeline, err := policy.New(q.db).ReadTimeline(ctx, r.CompanyID, "workingattitude", first.At(0, d.zone))
	if err != nil {
		return sums, err
	}
	d.change = newPolicyChange(first, r.PolicyIds, timeline)
	d.change.version = s.policies.with(timeline).get
	err = d.deriveChange(ctx, ids, first-windowReach, last, &sums, false)
	return sums, err
}

// start counts the people of a recomputation and divides them into steps. It leaves out
// dates before the first record of the company.
func (s *Store) start(ctx context.Context, q *Queries, r Recomputation) (worked bool, err error) {
	if r.StartedAt != nil {
		return false, nil // by another process in the meantime
	}
	dates, err := q.recordDates(ctx, r.CompanyID)
	if err != nil {
		return false, err
	}
	if dates.First.After(r.FirstDate) {
		r.FirstDate = dates.First
	}
	if r.FirstDate.After(r.LastDate) {
		r.FirstDate = r.LastDate
	}
	if r.People, err = q.recomputedPeople(ctx, r.CompanyID); err != nil {
		return false, err
	}
	days := int(workday.DateOf(r.LastDate)-workday.DateOf(r.FirstDate)) + 1
	size := min(s.mostRecomputed, max(1, recomputeDays/days))
	if err := q.insertSteps(ctx, insertStepsParams{CompanyID: r.CompanyID, RecomputationID: r.ID, Size: int32(size)}); err != nil {
		return false, err
	}
	now := s.db.Now()
	return true, q.startRecomputation(ctx, startRecomputationParams{Now: &now, People: r.People, FirstDate: r.FirstDate, CompanyID: r.CompanyID, ID: r.ID})
}

// finish ends a recomputation without steps, with its result in the change log.
func (s *Store) finish(ctx context.Context, q *Queries, r Recomputation) (worked bool, err error) {
	if left, err := q.hasSteps(ctx, hasStepsParams{CompanyID: r.CompanyID, RecomputationID: r.ID}); err != nil || left {
		return false, err
	}
	now := s.db.Now()
	if err := q.finishRecomputation(ctx, finishRecomputationParams{Now: now, CompanyID: r.CompanyID, ID: r.ID}); err != nil {
		return false, err
	}
	by := queries.Actor{CompanyID: r.CompanyID, Name: r.CreatedByName}
	if r.CreatedBy != nil {
		by.UserID = *r.CreatedBy
	}
	return true, queries.New(q.db).RecordChange(ctx, by, now, queries.Change{
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
