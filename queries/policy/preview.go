package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"officeconsole/queries"
)

// Preview is the effect of saving a draft, or of a deletion, on the users of a
// company.
type Preview struct {
	At          time.Time // when it takes effect
	Gain        int       // users who come under the policy
	Lose        int       // users who leave it
	Change      int       // other users whose settings change
	Saving      int       // users who can no longer save files on some platform
	Cut         int       // users who use the console now, and whom it would not let in
	IsExact     bool      // false if there are too many connections to look at each; then Cut is at least that many
	Settings    []SettingPeople
	Departments []AffectedDepartment // the most affected, at most ten
	Taken       []TakenTarget        // the targets that would move from other policies
	Warnings    []Warning
	Falls       []Fall      // the policies that the targets of a deleted policy follow then
	Lost        []Target    // the targets that a restored policy does not get again, see Store.Restore
	Name        string      // the name that a restored policy gets because its own is taken; "" for its own
	Past        *PastChange // what it changes of days that have begun; nil if nothing
	Broken      []BrokenCheck
}

// People counts the users whose effective policy changes.
func (p Preview) People() int { return p.Gain + p.Lose + p.Change }

// SettingPeople counts the users for whom a setting changes.
type SettingPeople struct {
	Key    string
	People int
}

// AffectedDepartment counts the users of a department, without its descendants,
// who gain, lose or change.
type AffectedDepartment struct {
	ID     int64
	Name   string
	People int
}

// Fall is the policy that a target of a deleted policy follows then.
type Fall struct {
	Target
	PolicyID   int64
	PolicyName string
}

const mostAffected = 10

// PreviewDraft returns what saving a draft would do, and writes nothing.
// policyID is 0 for a new policy. It refuses as a save would, except for taken
// targets and warnings, which are in the result.
func (store *Store) PreviewDraft(ctx context.Context, by queries.Actor, draft Draft, policyID int64) (Preview, error) {
	s, added, err := store.trial(ctx, by, draft, policyID)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{At: added.EffectiveFrom}
	held := s.timeline.with(added).takenBy(added)
	if err := s.checkMovable(held); err != nil {
		return Preview{}, err
	}
	if p.Taken, err = s.takenTargets(ctx, held); err != nil {
		return Preview{}, err
	}
	p.Past = s.pastChange(added, held)
	err = s.preview(ctx, &p, added.PolicyID, s.saved(added, held))
	return p, err
}

// PreviewRestoration returns what saving an earlier version of a policy again would do (see
// RestoreVersion), and writes nothing. It refuses as PreviewDraft does.
func (store *Store) PreviewRestoration(ctx context.Context, by queries.Actor, id int64, r VersionRestoration) (Preview, error) {
	h, err := store.readHistory(ctx, by.CompanyID, id)
	if err != nil {
		return Preview{}, err
	}
	draft, err := h.restoring(r, store.db.Now())
	if err != nil {
		return Preview{}, err
	}
	return store.PreviewDraft(ctx, by, draft, id)
}

// ExplainDraft returns the policy that would apply to a user at a time if a
// draft were saved (see PreviewDraft), with the chain. The zero time is the
// start of the draft.
func (store *Store) ExplainDraft(ctx context.Context, by queries.Actor, draft Draft, policyID, userID int64, at time.Time) (Effective, error) {
	s, added, err := store.trial(ctx, by, draft, policyID)
	if err != nil {
		return Effective{}, err
	}
	person, err := store.personWithAncestors(ctx, personWithAncestorsParams{by.CompanyID, userID})
	if err == nil && person.Hidden {
		err = queries.NotFound
	}
	if err != nil {
		return Effective{}, err
	}
	if at.IsZero() {
		at = added.EffectiveFrom
	}
	return s.saved(added, s.timeline.with(added).takenBy(added)).effective(userID, person, at)
}

// FallOf returns the policy that a target follows when a draft that does not list it is
// saved (see PreviewDraft).
func (store *Store) FallOf(ctx context.Context, by queries.Actor, draft Draft, policyID int64, target Target) (Fall, error) {
	s, added, err := store.trial(ctx, by, draft, policyID)
	if err != nil {
		return Fall{}, err
	}
	falls, err := s.falls(ctx, []Target{target}, s.saved(added, nil))
	if err != nil || len(falls) == 0 {
		return Fall{}, err
	}
	return falls[0], nil
}

// PreviewDeletion returns what deleting policies of a kind together would do.
// For several policies, Change counts all users whose settings change.
func (store *Store) PreviewDeletion(ctx context.Context, by queries.Actor, ids ...int64) (Preview, error) {
	var targets []Target
	var kind string
	for _, id := range ids {
		policy, err := store.Policy(ctx, by.CompanyID, id)
		if err != nil {
			return Preview{}, err
		}
		kind, targets = policy.Kind, append(targets, policy.Version.Targets...)
	}
	s, err := store.previewer(ctx, by, kind, store.db.Now())
	if err != nil {
		return Preview{}, err
	}
	after := s.timeline.without(func(v *Span) bool { return slices.Contains(ids, v.PolicyID) })
	p := Preview{At: s.now}
	if p.Falls, err = s.falls(ctx, targets, after); err != nil {
		return Preview{}, err
	}
	var only int64 // the policy for Lose, if there is only one
	if len(ids) == 1 {
		only = ids[0]
	}
	err = s.preview(ctx, &p, only, after)
	return p, err
}

// PreviewEnabling returns what enabling or disabling policies of a kind together
// would do (see EnableAll), and writes nothing. Its refusals are those of
// EnableAll, without Lockout; policies that are deleted, or as they should be, or have a
// planned change, are no refusals but left out. For several policies that change, Change
// counts all users whose settings change.
func (store *Store) PreviewEnabling(ctx context.Context, by queries.Actor, kind string, ids []int64, enabled bool) (p EnablingPreview, err error) {
	existing, gone, err := store.selected(ctx, by.CompanyID, kind, ids)
	if err != nil {
		return p, err
	}
	s, err := store.previewer(ctx, by, kind, store.db.Now())
	if err != nil {
		return p, err
	}
	p.At, p.Gone = s.now, gone
	after := s.timeline
	for _, h := range existing {
		draft, differs := s.enabling(h, enabled)
		if !differs {
			p.Already = append(p.Already, h.policy(s.now))
			continue
		}
		accepted, err := s.accept(ctx, h.id, draft)
		if refused := (queries.FieldErrors{}); errors.As(err, &refused) && refused["effective_from"] == plannedAlready {
			p.Waiting = append(p.Waiting, h.policy(s.now))
			continue
		}
		if err != nil {
			return p, err
		}
		v := s.newVersion(h.lastNo()+1, accepted)
		p.At, after = v.EffectiveFrom, after.with(s.spanOf(h.id, &v))
		p.Policies = append(p.Policies, h.policy(s.now))
	}
	if len(p.Policies) == 0 {
		return p, nil
	}
	var only int64
	if len(p.Policies) == 1 {
		only = p.Policies[0].ID
	}
	err = s.preview(ctx, &p.Preview, only, after)
	return p, err
}

// trial checks a draft and returns the version that saving would create.
func (store *Store) trial(ctx context.Context, by queries.Actor, draft Draft, policyID int64) (*previewer, *Span, error) {
	h := &history{kind: draft.Kind}
	if policyID != 0 {
		var err error
		if h, err = store.readHistory(ctx, by.CompanyID, policyID); err != nil {
			return nil, nil, err
		}
		if h.DeletedAt != nil {
			return nil, nil, queries.NotFound
		}
	} else if !slices.Contains(kinds, h.kind) {
		return nil, nil, queries.NotFound
	}
	s, err := store.previewer(ctx, by, h.kind, store.db.Now())
	if err != nil {
		return nil, nil, err
	}
	replaced, err := s.planReplacedBy(ctx, h, draft.EffectiveFrom)
	if err != nil {
		return nil, nil, err
	}
	s.timeline = s.timeline.without(func(v *Span) bool { return slices.Contains(replaced, VersionKey{v.PolicyID, v.No}) })
	accepted, err := s.accept(ctx, policyID, draft)
	if err != nil {
		return nil, nil, err
	}
	v := s.newVersion(h.lastNo()+1, accepted)
	return s, s.spanOf(policyID, &v), nil
}

// preview counts the users for whom the timeline and the one after differ.
func (s *previewer) preview(ctx context.Context, p *Preview, policyID int64, after *Timeline) error {
	return s.previewEach(ctx, p, policyID, after, func(peopleByDepartmentRow, effect, bool, int) {})
}

// previewEach is preview, which also gives each group of users of a department whom the
// change affects alike: what it does to them, whether they have the policy then, and how
// many they are.
func (s *previewer) previewEach(ctx context.Context, p *Preview, policyID int64, after *Timeline, each func(peopleByDepartmentRow, effect, bool, int)) error {
	departments, err := s.peopleByDepartment(ctx, s.by.CompanyID)
	if err != nil {
		return err
	}
	listed, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{s.by.CompanyID, listedPeople(s.timeline, after)})
	if err != nil {
		return err
	}
	c := comparison{preview: p, policyID: policyID, settings: map[string]int{}, keys: map[[2]*Span][]string{}}
	listedOf := map[int64][]peopleWithAncestorsRow{}
	for _, person := range listed {
		if person.Hidden {
			continue // peopleByDepartment does not count them either
		}
		own := person.Ancestors[len(person.Ancestors)-1]
		listedOf[own] = append(listedOf[own], person)
	}
	for _, d := range departments {
		affected := 0
		count := func(before, after decision, people int) {
			e := c.count(before, after, people)
			affected += e.people
			each(d, e, after.Span != nil && after.PolicyID == policyID, people)
		}
		count(s.timeline.inherit(d.Ancestors, p.At), after.inherit(d.Ancestors, p.At), int(d.People)-len(listedOf[d.ID]))
		for _, person := range listedOf[d.ID] {
			count(s.timeline.resolve(person.ID, person.Ancestors, p.At), after.resolve(person.ID, person.Ancestors, p.At), 1)
		}
		if affected > 0 {
			p.Departments = append(p.Departments, AffectedDepartment{d.ID, d.Name, affected})
		}
	}
	c.finish()
	if p.Cut, p.IsExact, err = s.cutOff(ctx, after, p.At); err != nil {
		return err
	}
	if p.Warnings, err = s.lockedOut(ctx, after, p.At); err != nil {
		return err
	}
	p.Broken, err = s.breaks(ctx, after)
	return err
}
