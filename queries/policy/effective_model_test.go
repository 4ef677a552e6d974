package policy_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// model is a simple model of a company: its departments and every version of
// its policies that was saved.
type model struct {
	db        *areas.Areas
	clock     *queriestest.Clock
	rt        *rapid.T
	t         *testing.T
	by        queries.Actor
	companyID int64
	parents   map[int64]int64 // of departments; the root's is 0
	homes     map[int64]int64 // departments of people
	policies  []*modelPolicy
	saved     int
}

type modelPolicy struct {
	id        int64
	isDefault bool
	deleted   time.Time
	versions  []*modelVersion
}

type modelVersion struct {
	no        int32
	from      time.Time
	enabled   bool
	cancelled bool
	targets   []policy.Target
	takenBy   *modelVersion // the version that took targets of this policy
}

func (p *modelPolicy) at(t time.Time) *modelVersion {
	var found *modelVersion
	for _, v := range p.versions {
		if !v.cancelled && !v.from.After(t) && (p.deleted.IsZero() || t.Before(p.deleted)) && (found == nil || !v.from.Before(found.from)) {
			found = v
		}
	}
	return found
}

func (p *modelPolicy) planned(now time.Time) *modelVersion {
	for _, v := range p.versions {
		if !v.cancelled && v.from.After(now) {
			return v
		}
	}
	return nil
}

// answer returns the policy that applies to a user, by walking to the root as
// domain §2 says.
func (m *model) answer(user int64, at time.Time) string {
	home := m.homes[user]
	if p, v := m.listing(policy.UserTarget, user, true, at); p != nil {
		return fmt.Sprintf("%d.%d own 0", p.id, v.no)
	}
	for d := home; d != 0; d = m.parents[d] {
		if p, v := m.listing(policy.DepartmentTarget, d, d == home, at); p != nil {
			return fmt.Sprintf("%d.%d inherited %d", p.id, v.no, d)
		}
	}
	for _, p := range m.policies {
		if p.isDefault {
			return fmt.Sprintf("%d.%d default 0", p.id, p.at(at).no)
		}
	}
	return "none"
}

func (m *model) listing(kind policy.TargetType, id int64, home bool, at time.Time) (*modelPolicy, *modelVersion) {
	for _, p := range m.policies {
		v := p.at(at)
		if v == nil || !v.enabled {
			continue
		}
		for _, t := range v.targets {
			if t.Type == kind && t.ID == id && (home || t.IncludeChildren) {
				return p, v
			}
		}
	}
	return nil, nil
}

func TestEffectivePolicyAgainstAModel(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	companies, saved := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		companies++
		m := newModel(t, rt, db, clock, companies)
		start := clock.Now()
		for range rapid.IntRange(1, 25).Draw(rt, "changes") {
			m.change()
		}
		saved += m.saved
		for range 4 {
			m.compare(start.Add(time.Duration(rapid.IntRange(1, 600).Draw(rt, "minute")) * time.Minute))
		}
		m.compare(clock.Now())
	})
	if saved < companies*4 {
		t.Errorf("only %d changes in %d companies were not refused", saved, companies)
	}
}

func newModel(t *testing.T, rt *rapid.T, db *areas.Areas, clock *queriestest.Clock, number int) *model {
	company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, directory.NewCompany{Name: "모델", Host: fmt.Sprintf("m%d.example", number)})
	if err != nil {
		rt.Fatal(err)
	}
	m := &model{
		db: db, clock: clock, t: t, rt: rt, companyID: company.ID, by: queries.Actor{CompanyID: company.ID, Name: "운영자"},
		parents: map[int64]int64{}, homes: map[int64]int64{},
	}
	var root, policyID int64
	m.scan(&root, "select id from departments where company_id = $1", company.ID)
	m.scan(&policyID, "select id from policies where company_id = $1 and kind = 'communication'", company.ID)
	m.parents[root] = 0
	m.policies = []*modelPolicy{{id: policyID, isDefault: true, versions: []*modelVersion{{no: 1, from: clock.Now(), enabled: true}}}}
	for i := range rapid.IntRange(0, 8).Draw(rt, "departments") {
		var id int64
		parent := m.pick(m.departments(), "parent")
		m.scan(&id, "insert into departments (company_id, parent_id, name) values ($1, $2, $3) returning id", company.ID, parent, fmt.Sprint("부서", i))
		m.parents[id] = parent
	}
	for i := range rapid.IntRange(1, 6).Draw(rt, "people") {
		var id int64
		home := m.pick(m.departments(), "home")
		m.scan(&id, `insert into users (company_id, department_id, name, email, search_text, search_grams)
			values ($1, $2, '사람', $3, '', '{}') returning id`, company.ID, home, fmt.Sprintf("p%d@m%d.example", i, number))
		m.homes[id] = home
	}
	return m
}

func (m *model) scan(into *int64, sql string, args ...any) {
	if err := m.db.Pool().QueryRow(m.t.Context(), sql, args...).Scan(into); err != nil {
		m.rt.Fatalf("%s: %v", sql, err)
	}
}

func sorted(m map[int64]int64) []int64 {
	var ids []int64
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (m *model) departments() []int64 { return sorted(m.parents) }

func (m *model) people() []int64 { return sorted(m.homes) }

func (m *model) pick(ids []int64, name string) int64 { return rapid.SampledFrom(ids).Draw(m.rt, name) }

// change makes one random change in the database, and the same in the model
// unless it was refused.
func (m *model) change() {
	m.clock.Advance(time.Duration(rapid.IntRange(1, 20).Draw(m.rt, "minutes")) * time.Minute)
	now := m.clock.Now()
	var living []*modelPolicy
	for _, p := range m.policies {
		if p.deleted.IsZero() && !p.isDefault {
			living = append(living, p)
		}
	}
	action := rapid.IntRange(0, 9).Draw(m.rt, "action")
	if action <= 3 || len(living) == 0 {
		m.save(&modelPolicy{}, now)
		return
	}
	p := rapid.SampledFrom(living).Draw(m.rt, "policy")
	switch action {
	case 4, 5:
		m.save(p, now)
	case 6:
		m.enable(p, now)
	case 7:
		m.end(p, now)
	case 8:
		m.cancel(p, now)
	case 9:
		m.reorganise()
	}
}

func (m *model) save(p *modelPolicy, now time.Time) {
	v := &modelVersion{from: now, enabled: rapid.IntRange(0, 4).Draw(m.rt, "enabled") > 0, targets: m.targets(), no: int32(len(p.versions) + 1)}
	// Another name each time, because a draft that changes nothing is no version.
	d := queriestest.PolicyDraft(fmt.Sprint("정책 ", p.id, " ", now.Unix()), v.targets...)
	d.Enabled, d.Move = v.enabled, rapid.Bool().Draw(m.rt, "move")
	if rapid.IntRange(0, 2).Draw(m.rt, "planned") == 0 {
		v.from = now.Add(time.Duration(rapid.IntRange(5, 60).Draw(m.rt, "ahead")) * time.Minute)
		d.EffectiveFrom = policy.Start{When: policy.StartAt, At: v.from}
	}
	var err error
	var got policy.Policy
	if p.id == 0 {
		got, err = m.db.Policies.Create(m.t.Context(), m.by, d)
	} else {
		got, err = m.db.Policies.Update(m.t.Context(), m.by, p.id, int32(len(p.versions)), d)
	}
	if m.refused(err) {
		return
	}
	if p.id == 0 {
		p.id = got.ID
		m.policies = append(m.policies, p)
	}
	p.versions = append(p.versions, v)
	m.takeTargets(p, v)
}

func (m *model) targets() []policy.Target {
	var all []policy.Target
	for _, id := range m.departments() {
		if rapid.IntRange(0, 4).Draw(m.rt, "department listed") == 0 {
			all = append(all, policy.Target{Type: policy.DepartmentTarget, ID: id, IncludeChildren: rapid.Bool().Draw(m.rt, "children")})
		}
	}
	for _, id := range m.people() {
		if rapid.IntRange(0, 5).Draw(m.rt, "person listed") == 0 {
			all = append(all, queriestest.UserTarget(id))
		}
	}
	return all
}

// takeTargets removes the targets of a new version from the policies that have
// them at its start.
func (m *model) takeTargets(by *modelPolicy, v *modelVersion) {
	for _, p := range m.policies {
		held := p.at(v.from)
		if p == by || held == nil {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(held.targets), func(t policy.Target) bool {
			return slices.ContainsFunc(v.targets, func(other policy.Target) bool { return other.Type == t.Type && other.ID == t.ID })
		})
		if len(rest) < len(held.targets) {
			p.versions = append(p.versions, &modelVersion{no: int32(len(p.versions) + 1), from: v.from, enabled: held.enabled, targets: rest, takenBy: v})
		}
	}
}

func (m *model) enable(p *modelPolicy, now time.Time) {
	in := p.at(now)
	if in == nil {
		return
	}
	enabled := !in.enabled
	if m.refused(enableAll(m.t.Context(), m.db, m.by, "communication", []int64{p.id}, enabled, false)) {
		return
	}
	p.versions = append(p.versions, &modelVersion{no: int32(len(p.versions) + 1), from: now, enabled: enabled, targets: in.targets})
}

func (m *model) end(p *modelPolicy, now time.Time) {
	plan := p.planned(now)
	_, err := m.db.Policies.Delete(m.t.Context(), m.by, p.id, 0, false)
	if m.refused(err) {
		return
	}
	if plan != nil && plan.takenBy == nil { // another policy that takes targets from this one does so as planned
		m.cancelTogether(plan)
	}
	p.deleted = now
}

func (m *model) cancel(p *modelPolicy, now time.Time) {
	plan := p.planned(now)
	if _, err := m.db.Policies.CancelPlannedVersion(m.t.Context(), m.by, p.id, 0); !m.refused(err) {
		m.cancelTogether(plan)
	}
}

func (m *model) cancelTogether(plan *modelVersion) {
	if plan == nil {
		return
	}
	if plan.takenBy != nil {
		plan = plan.takenBy
	}
	for _, p := range m.policies {
		for _, v := range p.versions {
			v.cancelled = v.cancelled || v == plan || v.takenBy == plan
		}
	}
}

// reorganise moves a department below another one, or a person to another
// department.
func (m *model) reorganise() {
	var none int64
	if rapid.Bool().Draw(m.rt, "person") {
		id, home := m.pick(m.people(), "person"), m.pick(m.departments(), "home")
		m.scan(&none, "update users set department_id = $3 where company_id = $1 and id = $2 returning id", m.companyID, id, home)
		m.homes[id] = home
		return
	}
	id, parent := m.pick(m.departments(), "department"), m.pick(m.departments(), "parent")
	for d := parent; d != 0; d = m.parents[d] {
		if d == id {
			return
		}
	}
	m.scan(&none, "update departments set parent_id = $3 where company_id = $1 and id = $2 returning id", m.companyID, id, parent)
	m.parents[id] = parent
}

func (m *model) refused(err error) bool {
	var fields queries.FieldErrors
	var conflict queries.Conflict
	var invalid queries.Invalid
	if err == nil {
		m.saved++
		return false
	}
	if !errors.As(err, &fields) && !errors.As(err, &conflict) && !errors.As(err, &invalid) {
		m.rt.Fatal(err)
	}
	return true
}

func (m *model) compare(at time.Time) {
	ids := m.people()
	ctx := m.t.Context()
	page, err := m.db.Policies.EffectiveOf(ctx, m.companyID, ids, "communication", at)
	if err != nil {
		m.rt.Fatal(err)
	}
	all, err := m.db.Policies.ResolveCompany(ctx, m.companyID, "communication", at)
	if err != nil || len(all) != len(ids) {
		m.rt.Fatalf("%d of %d people resolved, %v", len(all), len(ids), err)
	}
	whole := map[int64]policy.Resolution{}
	for _, r := range all {
		whole[r.UserID] = r
	}
	for _, id := range ids {
		want := m.answer(id, at)
		one, err := m.db.Policies.Effective(ctx, m.companyID, id, "communication", at)
		if err != nil {
			m.rt.Fatal(err)
		}
		p, r := page[id], whole[id]
		if last := one.Chain[len(one.Chain)-1]; last.PolicyID != one.PolicyID || last.Reason != policy.ReasonApplied {
			m.rt.Errorf("the chain ends with %+v, the policy is %d", last, one.PolicyID)
		}
		for how, got := range map[string]string{
			"alone":     fmt.Sprintf("%d.%d %s %d", one.PolicyID, one.VersionNo, one.Source, one.SourceDepartmentID),
			"on a page": fmt.Sprintf("%d.%d %s %d", p.PolicyID, p.VersionNo, p.Source, p.SourceDepartmentID),
			"with all":  fmt.Sprintf("%d.%d %s %d", r.PolicyID, r.VersionNo, r.Source, r.SourceDepartmentID),
		} {
			if got != want {
				m.rt.Errorf("person %d at %s, %s: got %s, want %s", id, at, how, got, want)
			}
		}
	}
}
