package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/settings"
)

// CheckChange is a change of a check: a new one with ID 0, a deletion without a Draft.
// VersionNo is the version that the actor has seen; 0 changes any.
type CheckChange struct {
	ID        int64
	Kind      string
	VersionNo int32
	Draft     *CheckDraft
	Reverts   bool // whether the draft is what the check was before
}

// CheckRecord is a check as the change log stores it.
type CheckRecord struct {
	VersionNo    int32      `json:"version_no"`
	Name         string     `json:"name"`
	Expects      CheckTerms `json:"expects"`
	Severity     Severity   `json:"severity"`
	CreatedBy    string     `json:"created_by_name,omitempty"`
	BrokenPeople *int       `json:"broken_people,omitempty"` // of a change that breaks the check
}

// CheckTerms is what a check expects of whom, as the change log stores it.
type CheckTerms struct {
	Kind       string            `json:"kind"`
	Targets    []Target          `json:"targets"`
	Quantifier Quantifier        `json:"quantifier"`
	Relation   settings.Relation `json:"relation"`
	Setting    string            `json:"setting"`
	Part       string            `json:"part"`
	Value      string            `json:"value"`
}

// Draft returns a check with the terms, without a name.
func (t CheckTerms) Draft() CheckDraft {
	return CheckDraft{
		Targets: t.Targets, Quantifier: t.Quantifier, Expectation: settings.Expectation{Relation: t.Relation, Key: t.Setting, Part: t.Part, Value: t.Value},
	}
}

func newCheckRecord(c *Check) CheckRecord {
	terms := CheckTerms{c.Kind, c.Targets, c.Quantifier, c.Relation, c.Key, c.Part, c.Value}
	return CheckRecord{VersionNo: c.VersionNo, Name: c.Name, Expects: terms, Severity: c.Severity, CreatedBy: c.CreatedByName}
}

// Draft returns the check as it was.
func (r CheckRecord) Draft() CheckDraft {
	d := r.Expects.Draft()
	d.Name, d.Severity = r.Name, r.Severity
	return d
}

// SaveCheck makes a change and returns the check, a deleted one as it was. It refuses
// with FieldErrors, with Conflict where somebody else has changed the check, and NotFound
// for one that the company does not have for the kind.
func (s *Store) SaveCheck(ctx context.Context, by queries.Actor, c CheckChange) (Check, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (Check, error) {
		save := checkSave{Queries: q, by: by}
		if err := save.begin(ctx, c); err != nil {
			return Check{}, err
		}
		if save.before != nil && save.after != nil && save.before.equal(save.after.CheckDraft) {
			return *save.before, nil
		}
		return save.run(ctx, s)
	})
}

// RestoreCheck saves a deleted check again, as its next version.
func (s *Store) RestoreCheck(ctx context.Context, by queries.Actor, id int64, r CheckRecord) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		save := checkSave{Queries: q, by: by, restores: true}
		draft := r.Draft()
		if err := save.begin(ctx, CheckChange{Kind: r.Expects.Kind, Draft: &draft}); err != nil {
			return err
		}
		_, err := q.policyCheck(ctx, policyCheckParams{by.CompanyID, id})
		if err == nil {
			return queries.Conflict("change.revert.changed")
		}
		if !errors.Is(err, queries.NotFound) {
			return err
		}
		save.after.ID, save.after.VersionNo, save.after.CreatedByName = id, r.VersionNo+1, r.CreatedBy
		_, err = save.run(ctx, s)
		return err
	})
}

// checkSave saves a change of a check.
type checkSave struct {
	*Queries
	by            queries.Actor
	before, after *Check
	restores      bool
}

// begin locks the checks of the company and checks the change.
func (s *checkSave) begin(ctx context.Context, c CheckChange) error {
	if !slices.Contains(kinds, c.Kind) {
		return queries.NotFound
	}
	if _, err := directory.New(s.db).TouchPolicies(ctx, s.by.CompanyID); err != nil {
		return err
	}
	if c.ID != 0 {
		before, err := s.Check(ctx, s.by.CompanyID, c.Kind, c.ID)
		if err != nil {
			return err
		}
		if c.VersionNo != 0 && c.VersionNo != before.VersionNo {
			return queries.Conflict("check.changed")
		}
		s.before = &before
	}
	if c.Draft == nil {
		return nil
	}
	draft := c.Draft.tidy()
	var nodes []node
	for _, t := range draft.Targets {
		nodes = append(nodes, t.node())
	}
	names, err := s.nodeNames(ctx, s.by.CompanyID, nodes)
	if err != nil {
		return err
	}
	chosen := names
	if !c.Reverts && !s.restores {
		chosen = names.withoutNewHidden(s.formerUsers())
	}
	if err := draft.check(c.Kind, chosen); err != nil {
		return err
	}
	draft.Targets = byType(draft.Targets)
	for i, t := range draft.Targets {
		draft.Targets[i].Name = names[t.node()].name
	}
	s.after = &Check{ID: c.ID, Kind: c.Kind, CheckDraft: draft, VersionNo: 1, CreatedByName: s.by.Name}
	if s.before != nil {
		s.after.VersionNo, s.after.CreatedByName = s.before.VersionNo, s.before.CreatedByName
		return nil
	}
	others, err := s.policyChecks(ctx, policyChecksParams{s.by.CompanyID, c.Kind})
	if err == nil && len(others) >= mostChecks {
		err = queries.FieldErrors{"name": "check.too_many"}
	}
	return err
}

// formerUsers returns the users of the check as it is.
func (s *checkSave) formerUsers() []int64 {
	if s.before == nil {
		return nil
	}
	_, users := s.before.ids()
	return users
}

func (s *checkSave) run(ctx context.Context, store *Store) (Check, error) {
	now, changed, action := store.db.Now(), s.after, ""
	if s.after != nil {
		s.after.UpdatedAt, s.after.UpdatedByName = now, s.by.Name
	}
	change := queries.Change{ObjectType: "check"}
	var err error
	switch {
	case s.after == nil:
		changed = s.before
		action = "check.deleted"
		err = s.deleteCheck(ctx, deleteCheckParams{s.by.CompanyID, s.before.ID})
	case s.before != nil:
		action = "check.updated"
		s.after.VersionNo++
		err = s.update(ctx)
	default:
		action = "check.created"
		if s.restores {
			action = "check.restored"
		}
		err = s.insert(ctx)
	}
	if err != nil {
		return Check{}, fmt.Errorf("%s: %w", action, err)
	}
	change.Action, change.ObjectID, change.ObjectName = action, changed.ID, changed.Name
	if s.before != nil {
		change.Old = newCheckRecord(s.before)
	}
	if s.after != nil {
		change.New = newCheckRecord(s.after)
	}
	return *changed, queries.New(s.db).RecordChange(ctx, s.by, now, change)
}

func (s *checkSave) insert(ctx context.Context) (err error) {
	c := s.after
	departments, users := c.ids()
	c.ID, err = s.insertCheck(ctx, insertCheckParams{
		CompanyID: s.by.CompanyID, ID: queries.OrNil(c.ID), Kind: c.Kind, Name: c.Name, DepartmentIds: departments, UserIds: users, Quantifier: string(c.Quantifier),
		Relation: string(c.Relation), Setting: c.Key, Part: c.Part, Value: c.Value, Severity: string(c.Severity),
		VersionNo: c.VersionNo, CreatedByName: c.CreatedByName, UpdatedAt: c.UpdatedAt, UpdatedByName: c.UpdatedByName,
	})
	return err
}

func (s *checkSave) update(ctx context.Context) error {
	c := s.after
	departments, users := c.ids()
	return s.updateCheck(ctx, updateCheckParams{
		CompanyID: s.by.CompanyID, ID: c.ID, Name: c.Name, DepartmentIds: departments, UserIds: users, Quantifier: string(c.Quantifier), Relation: string(c.Relation),
		Setting: c.Key, Part: c.Part, Value: c.Value, Severity: string(c.Severity), VersionNo: c.VersionNo, UpdatedAt: c.UpdatedAt, UpdatedByName: c.UpdatedByName,
	})
}

// equal reports whether two drafts say the same.
func (d CheckDraft) equal(other CheckDraft) bool {
	isSameTarget := func(t, u Target) bool { return t.node() == u.node() }
	return slices.EqualFunc(d.Targets, other.Targets, isSameTarget) && d.Name == other.Name && d.Quantifier == other.Quantifier &&
		d.Expectation == other.Expectation && d.Severity == other.Severity
}
