package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/settings"
)

// Source is why a policy applies to a user (domain §1).
type Source string

// The sources.
const (
	Own       Source = "own"
	Inherited Source = "inherited"
	Default   Source = "default"
)

// Effective is the policy of a kind that applies to a person at a time.
type Effective struct {
	PolicyID           int64
	PolicyName         string
	VersionNo          int32
	Source             Source
	SourceDepartmentID int64 // the department that an inherited policy lists, else 0
	Settings           settings.Values
	Holidays           *HolidayNames // of the company, in addition to those of the settings; nil for none, and for communication
	Hidden             bool          // whether the user is hidden; only set by Store.Effective
	Chain              []Step        // the nodes from the user up to the policy's
}

// Step is a node of the chain and what was found there.
type Step struct {
	Type     TargetType
	ID       int64  // 0 of the default
	Name     string // the name of the user or department
	PolicyID int64  // the policy that the reason is about; 0 for none, or for a draft of a new policy
	Reason   Reason

	PolicyName string    // the name of the version that the reason is about; "" for none
	From       time.Time // when that version begins
}

// Reason is what a node contributed to the result.
type Reason string

// The reasons.
const (
	ReasonNone             Reason = "none"              // no policy lists the node
	ReasonDisabled         Reason = "disabled"          // the policy that lists it is disabled
	ReasonNotYet           Reason = "not_yet"           // a planned version will list it
	ReasonExcludedChildren Reason = "excluded_children" // the policy that lists it excludes the departments below
	ReasonApplied          Reason = "applied"
)

// ETag identifies the policy and its chain.
func (e Effective) ETag() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d %s %d", e.PolicyID, e.VersionNo, e.Source, e.SourceDepartmentID)
	if e.Holidays != nil {
		fmt.Fprintf(&text, "\n%s", e.Holidays.Key())
	}
	for _, step := range e.Chain {
		fmt.Fprintf(&text, "\n%s %d %d %s %s", step.Type, step.ID, step.PolicyID, step.Reason, step.Name)
	}
	sum := sha256.Sum256([]byte(text.String()))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// Effective returns the policy of a kind that applies to a user at a time, past
// or future (domain §2), by the departments as they are now. Bots have none:
// NotFound.
func (s *Store) Effective(ctx context.Context, companyID, userID int64, kind string, at time.Time) (Effective, error) {
	person, err := s.personWithAncestors(ctx, personWithAncestorsParams{companyID, userID})
	if err != nil {
		return Effective{}, err
	}
	t, err := s.Timeline(ctx, TimelineRequest{companyID, kind, person.PolicyVersion, at})
	if err != nil {
		return Effective{}, err
	}
	return t.effective(userID, person, at)
}

func (t *Timeline) effective(userID int64, person personWithAncestorsRow, at time.Time) (Effective, error) {
	d, chain := t.explain(userID, person, at)
	if d.Span == nil {
		return Effective{}, queries.NotFound
	}
	e := d.effective()
	e.Holidays = t.Holidays
	e.Chain, e.Hidden = chain, person.Hidden
	return e, nil
}

// EffectiveOf returns the policies that apply to users of a company, by user
// id, without the chains.
func (s *Store) EffectiveOf(ctx context.Context, companyID int64, userIDs []int64, kind string, at time.Time) (map[int64]Effective, error) {
	rows, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{companyID, userIDs})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	t, err := s.Timeline(ctx, TimelineRequest{companyID, kind, rows[0].PolicyVersion, at})
	if err != nil {
		return nil, err
	}
	all := make(map[int64]Effective, len(rows))
	for _, row := range rows {
		if d := t.resolve(row.ID, row.Ancestors, at); d.Span != nil {
			e := d.effective()
			e.Holidays = t.Holidays
			all[row.ID] = e
		}
	}
	return all, nil
}

// Resolution is the policy that applies to a user.
type Resolution struct {
	UserID             int64
	PolicyID           int64
	VersionNo          int32
	Source             Source
	SourceDepartmentID int64
}

// ResolveCompany returns the policy that applies to each user of a company who
// is not hidden, in no particular order.
func (s *Store) ResolveCompany(ctx context.Context, companyID int64, kind string, at time.Time) ([]Resolution, error) {
	rows, err := s.companyWithAncestors(ctx, companyID)
	if err != nil {
		return nil, err
	}
	ancestorsOf := map[int64][]int64{}
	var policyVersion int64
	for _, row := range rows {
		switch {
		case row.ID == 0:
			policyVersion = row.Number
		case row.Ancestors != nil:
			ancestorsOf[row.ID] = row.Ancestors
		}
	}
	t, err := s.Timeline(ctx, TimelineRequest{companyID, kind, policyVersion, at})
	if err != nil {
		return nil, err
	}
	inherited := make(map[int64]decision, len(ancestorsOf))
	for id, ancestors := range ancestorsOf {
		inherited[id] = t.inherit(ancestors, at)
	}
	all := make([]Resolution, 0, len(rows)-len(ancestorsOf))
	for _, row := range rows {
		if row.ID == 0 || row.Ancestors != nil {
			continue
		}
		d, own := t.own(row.ID, at)
		if !own {
			d = inherited[row.Number]
		}
		if d.Span != nil {
			all = append(all, Resolution{row.ID, d.PolicyID, d.No, d.source, d.departmentID})
		}
	}
	return all, nil
}

// decision is the version that applies to a user, and where it was found.
type decision struct {
	*Span
	source       Source
	departmentID int64
}

func (d decision) effective() Effective {
	return Effective{
		PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID, Settings: d.Settings(),
	}
}

// Resolve returns the version that applies to a user at a time, or nil.
// ancestors are the ids of the departments from the root to the user's own.
func (t *Timeline) Resolve(userID int64, ancestors []int64, at time.Time) *Span {
	return t.resolve(userID, ancestors, at).Span
}

// resolve walks from a user up to the root and returns the first policy that
// applies, else the default (domain §2).
func (t *Timeline) resolve(userID int64, ancestors []int64, at time.Time) decision {
	if d, ok := t.own(userID, at); ok {
		return d
	}
	return t.inherit(ancestors, at)
}

func (t *Timeline) own(userID int64, at time.Time) (decision, bool) {
	l, reason := t.contribution(node{UserTarget, userID}, true, at)
	return decision{l.Span, Own, 0}, reason == ReasonApplied
}

// inherit returns what applies to the users of a department whom no policy
// lists. ancestors end with the department itself.
func (t *Timeline) inherit(ancestors []int64, at time.Time) decision {
	for i := len(ancestors) - 1; i >= 0; i-- {
		if l, reason := t.contribution(node{DepartmentTarget, ancestors[i]}, i == len(ancestors)-1, at); reason == ReasonApplied {
			return decision{l.Span, Inherited, ancestors[i]}
		}
	}
	return decision{t.defaultAt(at), Default, 0}
}

// contribution returns what a node contributes at a time, and the listing that
// it is based on. isDirect is true for the user and for the user's own
// department.
func (t *Timeline) contribution(n node, isDirect bool, at time.Time) (listing, Reason) {
	l, ok := t.listedBy(n, at)
	switch {
	case ok && !l.Enabled:
		return l, ReasonDisabled
	case ok && !isDirect && !l.includeChildren:
		return l, ReasonExcludedChildren
	case ok:
		return l, ReasonApplied
	}
	var next listing
	for _, later := range t.listingsOf(n) {
		if later.EffectiveFrom.After(at) && (next.Span == nil || later.EffectiveFrom.Before(next.EffectiveFrom)) {
			next = later
		}
	}
	if next.Span != nil {
		return next, ReasonNotYet
	}
	return listing{}, ReasonNone
}

// explain is resolve with a step for each node on the way.
func (t *Timeline) explain(userID int64, person personWithAncestorsRow, at time.Time) (decision, []Step) {
	steps := make([]Step, 0, len(person.Ancestors)+2)
	add := func(n node, name string, isDirect bool) (*Span, bool) {
		l, reason := t.contribution(n, isDirect, at)
		step := Step{Type: n.kind, ID: n.id, Name: name, Reason: reason}
		steps = append(steps, step.about(l.Span))
		return l.Span, reason == ReasonApplied
	}
	if found, applied := add(node{UserTarget, userID}, person.Name, true); applied {
		return decision{found, Own, 0}, steps
	}
	path := person.Path
	for i := len(person.Ancestors) - 1; i >= 0; i-- {
		slash := strings.LastIndexByte(path, '/')
		if found, applied := add(node{DepartmentTarget, person.Ancestors[i]}, path[slash+1:], i == len(person.Ancestors)-1); applied {
			return decision{found, Inherited, person.Ancestors[i]}, steps
		}
		path = path[:max(slash, 0)]
	}
	defaultVersion := t.defaultAt(at)
	return decision{defaultVersion, Default, 0}, append(steps, Step{Type: DefaultNode, Reason: ReasonApplied}.about(defaultVersion))
}

// about returns the step with the version that its reason is about, nil for none.
func (s Step) about(version *Span) Step {
	if version != nil {
		s.PolicyID, s.PolicyName, s.From = version.PolicyID, version.Name, version.EffectiveFrom
	}
	return s
}
