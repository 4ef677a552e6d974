package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
	"officeconsole/settings"
	"officeconsole/workday"
)

// Draft is a policy as somebody wants to save it.
type Draft struct {
	Kind          string // the kind of a new policy; an existing one keeps its kind
	Name          string // 1 to 50 characters, unique among the policies of the kind
	Description   string // at most 200 characters
	Enabled       bool
	Targets       []Target
	Settings      json.RawMessage // what differs from the defaults
	EffectiveFrom Start
	Reason        string // at most 200 characters
	Owner         Owner
	Move          bool // take targets from the policies that hold them
	Confirmed     bool // save although it may lock somebody out, or changes records of the past

	duplicateOf int64 // the policy whose hidden users it may have too; 0 for none
}

// Draft returns the version as a draft that would save it again, from now on.
func (v *Version) Draft(p Policy) Draft {
	return Draft{
		Kind: p.Kind, Name: v.Name, Description: v.Description, Enabled: v.Enabled, Targets: v.Targets, Settings: v.Settings,
		EffectiveFrom: Start{When: StartNow}, Owner: p.Owner,
	}
}

// DraftErrors are the refusals of a draft: of settings by their paths, of
// everything else by the names in the API ("name", "targets.2"). They are
// FieldErrors too.
type DraftErrors struct {
	Fields   queries.FieldErrors
	Settings settings.Errors
}

func (e *DraftErrors) Error() string { return e.all().Error() }

// Unwrap returns all refusals as FieldErrors, those of settings as
// "settings.KEY".
func (e *DraftErrors) Unwrap() error { return e.all() }

func (e *DraftErrors) all() queries.FieldErrors {
	all := queries.FieldErrors{}
	for field, refusal := range e.Fields {
		all[field] = refusal
	}
	for _, refusal := range e.Settings {
		field := strings.TrimSuffix("settings."+refusal.Key, ".")
		if _, ok := all[field]; !ok {
			all[field] = queries.Invalid(refusal.Code)
		}
	}
	return all
}

func (e *DraftErrors) orNil() error {
	if len(e.Fields)+len(e.Settings) == 0 {
		return nil
	}
	return e
}

const (
	maxName        = 50
	maxDescription = 200
	MaxTargets     = 500 // domain §9.15
)

// normalized returns the draft with texts as they are stored.
func (d Draft) normalized() Draft {
	d.Name = norm.NFC.String(strings.TrimSpace(d.Name))
	d.Description = normalizedText(d.Description)
	d.Reason = normalizedText(d.Reason)
	return d
}

func normalizedText(s string) string {
	return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// check checks a draft for the policy with the id, 0 for a new one. It returns
// the draft with its settings as they are stored, and the names of its nodes.
func (s *previewer) check(ctx context.Context, policyID int64, d Draft) (Draft, nodeNames, error) {
	refused := &DraftErrors{Fields: queries.FieldErrors{}}
	values, wrong := settings.Parse(settings.Kind(s.kind), d.Settings)
	d.Settings, refused.Settings = values.Differences(), wrong
	refuse := func(field string, id queries.Invalid) {
		if id != "" {
			refused.Fields[field] = id
		}
	}
	refuse("name", s.checkName(policyID, d.Name))
	refuse("description", checkText(d.Description, "policy.description.too_long", "policy.description.invalid"))
	refuse("reason", checkText(d.Reason, "policy.reason.too_long", "policy.reason.invalid"))
	if policyID == s.timeline.defaultID {
		if len(d.Targets) > 0 {
			refuse("targets", "policy.default.targets")
		}
		if !d.Enabled {
			refuse("enabled", "policy.default.disabled")
		}
	}
	names, err := s.names(ctx, d)
	if err != nil {
		return d, nil, err
	}
	exempt, err := s.exemptNames(ctx, values.ExemptUsers())
	if err != nil {
		return d, nil, err
	}
	former, err := s.formerUsers(ctx, []int64{policyID, d.duplicateOf}, names, exempt)
	if err != nil {
		return d, nil, err
	}
	refused.Settings = append(refused.Settings, checkExempt(values.ExemptUsers(), exempt.withoutNewHidden(former.Exempt))...)
	for field, id := range checkTargets(d.Targets, names.withoutNewHidden(former.Targets)) {
		refuse(field, id)
	}
	if owner, owned := d.Owner.node(); owned && names.withoutNewHidden(former.Owners)[owner].name == "" {
		refuse("owner", "policy.owner.unknown")
	}
	return d, names, refused.orNil()
}

// exemptNames returns the names of exempt users, as far as they exist.
func (s *previewer) exemptNames(ctx context.Context, ids []int64) (nodeNames, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var nodes []node
	for _, id := range ids {
		nodes = append(nodes, node{UserTarget, id})
	}
	return s.nodeNames(ctx, s.by.CompanyID, nodes)
}

// checkExempt refuses exempt users who are not of the company.
func checkExempt(ids []int64, names nodeNames) (unknown settings.Errors) {
	for i, id := range ids {
		if names[node{UserTarget, id}].name == "" {
			unknown = append(unknown, settings.Error{Key: "ip_exempt_user_ids." + strconv.Itoa(i), Code: "policy.targets.unknown"})
		}
	}
	return unknown
}

func (s *previewer) checkName(policyID int64, name string) queries.Invalid {
	switch length := utf8.RuneCountInString(name); {
	case search.IsBlank(name):
		return "policy.name.required"
	case length > maxName:
		return "policy.name.too_long"
	case !directory.PlainText(name):
		return "policy.name.invalid"
	case s.nameTaken(policyID, name):
		return "policy.name.taken"
	}
	return ""
}

// nameTaken reports whether another policy has the name in a version that is in
// force or planned, ignoring case and width.
func (s *previewer) nameTaken(policyID int64, name string) bool {
	key := nameKey(name)
	return slices.ContainsFunc(s.timeline.Spans(), func(other *Span) bool {
		return other.PolicyID != policyID && nameKey(other.Name) == key
	})
}

func nameKey(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
}

func checkText(text string, tooLong, invalid queries.Invalid) queries.Invalid {
	switch {
	case utf8.RuneCountInString(text) > maxDescription:
		return tooLong
	case !directory.PlainText(strings.ReplaceAll(text, "\n", "")):
		return invalid
	}
	return ""
}

// nodeNames are the names of departments and users that exist.
type nodeNames map[node]nodeName

type nodeName struct {
	name     string
	position int // the position of the node in a version's list of targets
	hidden   bool
}

// list returns targets with their names, in the order in which a version lists
// them.
func (names nodeNames) list(targets []Target) []Target {
	listed := slices.Clone(targets)
	for i, t := range listed {
		listed[i].Name, listed[i].IncludeChildren = names[t.node()].name, t.IncludeChildren || t.Type == UserTarget
	}
	slices.SortFunc(listed, func(a, b Target) int { return names[a.node()].position - names[b.node()].position })
	return listed
}

// names returns the names of the targets and the owner of a draft, as far as
// they exist.
func (s *previewer) names(ctx context.Context, d Draft) (nodeNames, error) {
	nodes := make([]node, 0, len(d.Targets)+1)
	for _, t := range d.Targets {
		nodes = append(nodes, t.node())
	}
	if owner, owned := d.Owner.node(); owned {
		nodes = append(nodes, owner)
	}
	return s.nodeNames(ctx, s.by.CompanyID, nodes)
}

func (q *Queries) nodeNames(ctx context.Context, companyID int64, nodes []node) (nodeNames, error) {
	arg := targetNamesParams{CompanyID: companyID}
	for _, n := range nodes {
		switch n.kind {
		case DepartmentTarget:
			arg.DepartmentIds = append(arg.DepartmentIds, n.id)
		case UserTarget:
			arg.UserIds = append(arg.UserIds, n.id)
		}
	}
	rows, err := q.targetNames(ctx, arg)
	if err != nil {
		return nil, fmt.Errorf("names of targets: %w", err)
	}
	names := make(nodeNames, len(rows))
	for i, row := range rows {
		if row.UserID != 0 {
			names[node{UserTarget, row.UserID}] = nodeName{row.Name, i, row.Hidden}
		} else {
			names[node{DepartmentTarget, row.DepartmentID}] = nodeName{name: row.Name, position: i}
		}
	}
	return names, nil
}

// formerUsers returns the hidden users among names whom policies have had already.
func (s *previewer) formerUsers(ctx context.Context, policyIDs []int64, names ...nodeNames) (former usersOfPoliciesRow, err error) {
	arg := usersOfPoliciesParams{CompanyID: s.by.CompanyID, PolicyIds: policyIDs}
	for _, all := range names {
		for n, name := range all {
			if name.hidden {
				arg.UserIds = append(arg.UserIds, n.id)
			}
		}
	}
	if len(arg.UserIds) == 0 {
		return former, nil
	}
	if former, err = s.usersOfPolicies(ctx, arg); err != nil {
		err = fmt.Errorf("hidden users of policies: %w", err)
	}
	return former, err
}

// withoutNewHidden returns the names without hidden users, who do not exist for somebody
// who chooses. The former ones were chosen before they were hidden.
func (names nodeNames) withoutNewHidden(former []int64) nodeNames {
	chosen := maps.Clone(names)
	maps.DeleteFunc(chosen, func(n node, name nodeName) bool { return name.hidden && !slices.Contains(former, n.id) })
	return chosen
}

func (o Owner) node() (n node, owned bool) {
	switch {
	case o.UserID != 0:
		return node{UserTarget, o.UserID}, true
	case o.DepartmentID != 0:
		return node{DepartmentTarget, o.DepartmentID}, true
	}
	return node{}, false
}

func checkTargets(targets []Target, names nodeNames) queries.FieldErrors {
	if len(targets) > MaxTargets {
		return queries.FieldErrors{"targets": "policy.targets.too_many"}
	}
	refused := queries.FieldErrors{}
	seen := map[node]bool{}
	for i, t := range targets {
		field := "targets." + strconv.Itoa(i)
		switch {
		case names[t.node()].name == "":
			refused[field] = "policy.targets.unknown"
		case seen[t.node()]:
			refused[field] = "policy.targets.repeated"
		}
		seen[t.node()] = true
	}
	return refused
}

// resolveStart returns the time at which a draft starts, or its refusal. A
// working attitude policy cannot change on a day on which a user of it has
// already clocked in (domain §3).
func (s *previewer) resolveStart(ctx context.Context, policyID int64, start Start) (time.Time, error) {
	at, refusal := start.resolve(s.kind, s.zone, s.now)
	if refusal != "" {
		return at, queries.FieldErrors{"effective_from": refusal}
	}
	if s.startsInPast(at) {
		return at, s.checkUnlocked(ctx, at)
	}
	if s.kind != "workingattitude" || policyID == 0 || !at.Before(nextDay(s.now, s.zone)) {
		return at, nil
	}
	clocked, err := s.clockedToday(ctx, clockedTodayParams{s.by.CompanyID, workday.DateOf(s.now.In(s.zone)).Time(), policyID})
	if err == nil && clocked {
		err = queries.FieldErrors{"effective_from": "policy.effective_from.clocked"}
	}
	return at, err
}
