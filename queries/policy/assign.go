package policy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
)

// Assignment is a change of a policy's targets: which to add and which to
// release. Everything else of the policy stays as it is.
type Assignment struct {
	Assign, Release []Target
	EffectiveFrom   Start
	Reason          string // at most 200 characters
	Move            bool   // take targets from the policies that hold them
	Confirmed       bool   // save although it may lock somebody out
}

// AssignResult is the outcome for a target, spelled as in the API.
type AssignResult string

// The results of an assignment. A target of which only include_children changes
// is assigned too.
const (
	TargetAssigned  AssignResult = "assigned"
	TargetMoved     AssignResult = "moved" // from the policy that holds it
	TargetReleased  AssignResult = "released"
	TargetUnchanged AssignResult = "unchanged"
	TargetRefused   AssignResult = "refused"
)

// AssignedTarget is the outcome for one target of an assignment.
type AssignedTarget struct {
	Target
	Result  AssignResult
	From    *TakenTarget    // the policy that holds it, if it moves or is refused because of that
	Refusal queries.Invalid // why the target is refused, else ""
}

// AssignmentOutcome is the result of an assignment, or of its preview.
type AssignmentOutcome struct {
	Policy   Policy           // the policy after the assignment; in a preview, as it is now, with what the assignment would break
	At       time.Time        // the start
	Targets  []AssignedTarget // the added targets, then the released ones, in the given order
	Warnings []Warning        // in a preview: whom it would lock out
	Past     *PastChange      // in a preview: what it changes of days that have begun; nil if nothing
}

// AssignTargets saves a version of a policy with other targets, and a version
// of each policy that loses some of them. If nothing changes, nothing is saved.
// ifMatch and the refusals are those of Update; refusals of single targets are
// FieldErrors of "assign.0" or "release.0".
func (store *Store) AssignTargets(ctx context.Context, by queries.Actor, id int64, ifMatch int32, a Assignment) (AssignmentOutcome, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (AssignmentOutcome, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return AssignmentOutcome{}, err
		}
		trial, err := s.assign(ctx, h.policy(s.now), a)
		if err != nil {
			return AssignmentOutcome{}, err
		}
		if err := trial.refusal(ctx, s.previewer, a); err != nil {
			return trial.outcome, err
		}
		if trial.changes() {
			if err := s.append(ctx, h, trial.draft, "policy.updated"); err != nil {
				return trial.outcome, err
			}
		}
		trial.outcome.Policy, err = s.finished(ctx, h)
		return trial.outcome, err
	})
}

// PreviewAssignment returns what AssignTargets would do, target by target, and
// writes nothing. It refuses only what is not about a single target.
func (store *Store) PreviewAssignment(ctx context.Context, by queries.Actor, id int64, a Assignment) (AssignmentOutcome, error) {
	p, err := store.Policy(ctx, by.CompanyID, id)
	if err != nil {
		return AssignmentOutcome{}, err
	}
	s, err := store.previewer(ctx, by, p.Kind, store.db.Now())
	if err != nil {
		return AssignmentOutcome{}, err
	}
	trial, err := s.assign(ctx, p, a)
	if err != nil {
		return AssignmentOutcome{}, err
	}
	if !trial.changes() {
		return trial.outcome, nil
	}
	trial.outcome.Past = s.pastChange(trial.added, trial.held)
	after := s.saved(trial.added, trial.held)
	if trial.outcome.Warnings, err = s.lockedOut(ctx, after, trial.added.EffectiveFrom); err != nil {
		return trial.outcome, err
	}
	trial.outcome.Policy.Broken, err = s.breaks(ctx, after)
	return trial.outcome, err
}

// assignment is a checked assignment.
type assignment struct {
	outcome AssignmentOutcome
	draft   Draft   // the new version, without the refused targets
	added   *Span   // the version that saving it would make
	held    []taken // what other policies would lose
}

// assign checks an assignment and finds the outcome for each target.
func (s *previewer) assign(ctx context.Context, p Policy, a Assignment) (*assignment, error) {
	t := &assignment{outcome: AssignmentOutcome{Policy: p}, draft: p.Version.Draft(p)}
	t.draft.EffectiveFrom, t.draft.Reason, t.draft.Move, t.draft.Confirmed = a.EffectiveFrom, a.Reason, a.Move, a.Confirmed
	names, err := s.names(ctx, Draft{Targets: slices.Concat(a.Assign, a.Release, p.Version.Targets)})
	if err != nil {
		return nil, err
	}
	former, err := s.formerUsers(ctx, []int64{p.ID}, names)
	if err != nil {
		return nil, err
	}
	t.list(p, a, names.withoutNewHidden(former.Targets))
	accepted, err := s.accept(ctx, p.ID, t.draft)
	if err != nil {
		return nil, err
	}
	t.outcome.At = accepted.start
	v := s.newVersion(p.LastNo+1, accepted)
	t.added = s.spanOf(p.ID, &v)
	return t, t.take(ctx, s, a.Move)
}

// list sets the targets of the draft. Targets that no longer exist are left
// out.
func (t *assignment) list(p Policy, a Assignment, names nodeNames) {
	listed := map[node]Target{}
	for _, target := range p.Version.Targets {
		if names[target.node()].name != "" {
			listed[target.node()] = target
		}
	}
	named := map[node]bool{}
	add := func(target Target, result AssignResult, refusal queries.Invalid) {
		target.Name = names[target.node()].name
		if refusal != "" {
			result = TargetRefused
		}
		t.outcome.Targets = append(t.outcome.Targets, AssignedTarget{Target: target, Result: result, Refusal: refusal})
	}
	for _, target := range a.Assign {
		now, known := listed[target.node()]
		switch {
		case named[target.node()]:
			add(target, "", "policy.targets.repeated")
		case names[target.node()].name == "":
			add(target, "", "policy.targets.unknown")
		case p.IsDefault:
			add(target, "", "policy.default.targets")
		case known && (target.Type == UserTarget || now.IncludeChildren == target.IncludeChildren):
			add(target, TargetUnchanged, "")
		default:
			listed[target.node()] = target
			add(target, TargetAssigned, "")
		}
		named[target.node()] = true
	}
	for _, target := range a.Release {
		now, known := listed[target.node()]
		switch {
		case named[target.node()]:
			add(target, "", "policy.targets.repeated")
		case known:
			delete(listed, target.node())
			add(now, TargetReleased, "")
		case names[target.node()].name == "":
			add(target, "", "policy.targets.unknown")
		default:
			add(target, TargetUnchanged, "")
		}
		named[target.node()] = true
	}
	t.draft.Targets = nil
	for _, target := range slices.Concat(p.Version.Targets, a.Assign) {
		if now, ok := listed[target.node()]; ok {
			t.draft.Targets = append(t.draft.Targets, now)
			delete(listed, target.node())
		}
	}
}

// take marks the targets that other policies hold.
func (t *assignment) take(ctx context.Context, s *previewer, move bool) error {
	t.held = s.timeline.with(t.added).takenBy(t.added)
	taken, err := s.takenTargets(ctx, t.held)
	if err != nil {
		return err
	}
	holders := map[node]TakenTarget{}
	for _, one := range taken {
		holders[one.node()] = one
	}
	for i := range t.outcome.Targets {
		target := &t.outcome.Targets[i]
		holder, held := holders[target.node()]
		if !held || target.Result != TargetAssigned {
			continue
		}
		target.From = &holder
		switch {
		case !move:
			target.Result, target.Refusal = TargetRefused, "policy.targets.taken"
		case s.timeline.planned(holder.PolicyID, s.now) != nil:
			target.Result, target.Refusal = TargetRefused, "policy.targets.planned"
		default:
			target.Result = TargetMoved
		}
	}
	return nil
}

func (t *assignment) changes() bool {
	return slices.ContainsFunc(t.outcome.Targets, func(target AssignedTarget) bool {
		return target.Result != TargetUnchanged && target.Result != TargetRefused
	})
}

// refusal refuses an assignment of which a part is refused.
func (t *assignment) refusal(ctx context.Context, s *previewer, a Assignment) error {
	refused := queries.FieldErrors{}
	isTaken := false
	for i, target := range t.outcome.Targets {
		field := fmt.Sprintf("assign.%d", i)
		if i >= len(a.Assign) {
			field = fmt.Sprintf("release.%d", i-len(a.Assign))
		}
		switch {
		case target.Result == TargetRefused && target.Refusal == "policy.targets.taken":
			isTaken = true
		case target.Result == TargetRefused:
			refused[field] = target.Refusal
		}
	}
	switch {
	case len(refused) > 0:
		return refused
	case isTaken:
		return s.targetConflict(ctx, t.held)
	}
	return nil
}
