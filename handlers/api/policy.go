package api

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// PolicyPath is the common part of the paths of policy operations. It is
// exported, as OnePolicyPath is, because huma ignores unexported embedded
// structs.
type PolicyPath struct {
	OwnPath
	Kind string `path:"kind" enum:"communication,workingattitude"`
}

// OnePolicyPath is the path of a policy.
type OnePolicyPath struct {
	PolicyPath
	PolicyID int64 `path:"policy_id"`
}

// Policy is the response for a policy: the version in force, or the planned one
// while nothing is in force yet.
type Policy struct {
	ID            int64          `json:"id"`
	Kind          string         `json:"kind"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Default       bool           `json:"default"`
	Enabled       bool           `json:"enabled"`
	Owner         *ownerName     `json:"owner" doc:"Who may edit it; null: every administrator."`
	VersionNo     int32          `json:"version_no"`
	EffectiveFrom time.Time      `json:"effective_from"`
	LastModified  time.Time      `json:"last_modified"`
	Plan          *policyPlan    `json:"plan" doc:"The change that lies ahead."`
	Targets       []policyTarget `json:"targets" nullable:"false"`
	Settings      policySettings `json:"settings" doc:"Every key."`
	Reason        string         `json:"reason"`
	ConfirmBy     *time.Time     `json:"confirm_by,omitempty" doc:"A risky version ends then unless it is confirmed."`
	Checks        []brokenCheck  `json:"checks,omitempty" nullable:"false" doc:"Of a save: the policy checks that it breaks, which only warn. Those that stop it refuse the request."`
}

type ownerName struct {
	Type string `json:"type" enum:"user,department"`
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type policyPlan struct {
	VersionNo     int32     `json:"version_no"`
	EffectiveFrom time.Time `json:"effective_from"`
}

type policyTarget struct {
	Type            string `json:"type" enum:"department,user"`
	ID              int64  `json:"id"`
	IncludeChildren *bool  `json:"include_children,omitempty" doc:"Whether the departments below count too; true where it is left out."`
}

// PolicyDraft is a policy to save. It is exported for previewDraft, because
// huma ignores unexported embedded structs.
type PolicyDraft struct {
	Name          string         `json:"name,omitempty" needs:"name"`
	Description   string         `json:"description,omitempty"`
	Enabled       *bool          `json:"enabled,omitempty" doc:"True where it is left out."`
	Targets       []policyTarget `json:"targets,omitempty"`
	Settings      policySettings `json:"settings,omitempty" doc:"Only what differs from the defaults. Where timezone and holiday_calendar are left out, they are those of the company: its time zone, and the calendar of Korea or Japan in Asia/Seoul or Asia/Tokyo, else none."`
	EffectiveFrom string         `json:"effective_from,omitempty" doc:"now, next_work_date, a date or a time of RFC 3339; without it the usual start of the kind. For workingattitude, now is the next work date, and dates of the past are accepted behind the last locked month. A version that begins together with the planned one takes its place."`
	Reason        string         `json:"reason,omitempty"`
	Owner         *policyOwner   `json:"owner,omitempty" doc:"Who may edit it. Left out or null: every administrator, also where it had an owner before."`
	Move          bool           `json:"move,omitempty" doc:"Take targets from the policies that hold them."`
	Confirmed     bool           `json:"confirmed,omitempty" doc:"Save although it may lock somebody out, or changes attendance records of the past."`
}

type policyOwner struct {
	Type string `json:"type" enum:"user,department"`
	ID   int64  `json:"id"`
}

func (d PolicyDraft) draft(ctx context.Context, kind string) (policy.Draft, error) {
	start, err := policy.ParseStart(d.EffectiveFrom)
	if err != nil {
		return policy.Draft{}, inField("effective_from", err)
	}
	draft := policy.Draft{
		Kind: kind, Name: d.Name, Description: d.Description, Enabled: d.Enabled == nil || *d.Enabled,
		Targets: draftTargets(d.Targets), Settings: d.Settings.ofDraft(ctx, kind), EffectiveFrom: start, Reason: d.Reason, Move: d.Move, Confirmed: d.Confirmed,
	}
	if d.Owner != nil && d.Owner.Type == "user" {
		draft.Owner.UserID = d.Owner.ID
	} else if d.Owner != nil {
		draft.Owner.DepartmentID = d.Owner.ID
	}
	return draft, nil
}

func draftTargets(targets []policyTarget) []policy.Target {
	var draft []policy.Target
	for _, t := range targets {
		children := t.IncludeChildren == nil || *t.IncludeChildren
		draft = append(draft, policy.Target{Type: policy.TargetType(t.Type), ID: t.ID, IncludeChildren: children})
	}
	return draft
}

type policyOutput struct {
	ETag string `header:"ETag"`
	Body Policy
}

func onePolicy(ctx context.Context, p policy.Policy, err error) (*policyOutput, error) {
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	out := &policyOutput{ETag: versionTag(p.LastNo), Body: newPolicy(p)}
	out.Body.Checks = newBroken(ctx, p.Broken)
	return out, nil
}

func newPolicy(p policy.Policy) Policy {
	v := p.Version
	answer := Policy{
		ID: p.ID, Kind: p.Kind, Name: v.Name, Description: v.Description, Default: p.IsDefault, Enabled: v.Enabled,
		Owner: newOwner(p.Owner), VersionNo: v.No, EffectiveFrom: v.EffectiveFrom.UTC(), LastModified: p.LastModified.UTC(),
		Targets: newTargets(v.Targets), Settings: policySettings(v.Values(p.Kind).Complete()), Reason: v.Reason,
	}
	if p.Planned != nil {
		answer.Plan = &policyPlan{p.Planned.No, p.Planned.EffectiveFrom.UTC()}
	}
	if v.IsProvisional() {
		answer.ConfirmBy = inUTC(v.ConfirmBy)
	}
	return answer
}

func newOwner(o policy.Owner) *ownerName {
	switch {
	case o.UserID != 0:
		return &ownerName{"user", o.UserID, o.Name}
	case o.DepartmentID != 0:
		return &ownerName{"department", o.DepartmentID, o.Name}
	}
	return nil
}

func newTargets(targets []policy.Target) []policyTarget {
	answer := make([]policyTarget, len(targets))
	for i, t := range targets {
		answer[i] = policyTarget{string(t.Type), t.ID, &t.IncludeChildren}
	}
	return answer
}

// versionTag returns the ETag of a policy: its newest version.
func versionTag(no int32) string { return `"` + strconv.Itoa(int(no)) + `"` }

// ifMatch reads the version that a client has seen. It returns an error without
// one, so that no write overwrites a version unseen.
func ifMatch(tag string) (int32, error) {
	no, err := tagNumber(tag)
	if err == nil && (no < 1 || no > math.MaxInt32) {
		err = errIfMatch
	}
	return int32(no), err
}

var errIfMatch = refusal{http.StatusPreconditionRequired, "api.if_match"}

// tagNumber returns the number in the only tag of an If-Match condition. The rules know
// one version that the client has seen, so neither any version nor several will do.
func tagNumber(tag string) (int64, error) {
	if tag == "*" || strings.Contains(tag, ",") {
		return 0, refusal{http.StatusBadRequest, "api.if_match.one"}
	}
	no, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(tag, "W/"), `"`), 10, 64)
	if err != nil {
		return 0, errIfMatch
	}
	return no, nil
}

// seenVersion reads the version that a client has seen of what has the version 0 until
// somebody saves it. Without one it is the stored version.
func seenVersion(tag string, stored func() (int32, error)) (int32, error) {
	switch tag {
	case versionTag(0):
		return 0, nil
	case "":
		return stored()
	}
	return ifMatch(tag)
}

// ifMatchAny reads the version that a client has seen, or 0 if it does not send
// one.
func ifMatchAny(tag string) (int32, error) {
	if tag == "" {
		return 0, nil
	}
	return ifMatch(tag)
}

type createPolicyInput struct {
	PolicyPath
	Body PolicyDraft
}

func (c *calls) createPolicy(ctx context.Context, in *createPolicyInput) (*policyOutput, error) {
	draft, err := in.Body.draft(ctx, in.Kind)
	if err != nil {
		return nil, err
	}
	p, err := c.db.Policies.Create(ctx, actor(ctx), draft)
	if err != nil {
		return nil, c.saveProblem(ctx, err, func() (preview, error) { return c.previewSave(ctx, draft, 0) })
	}
	return onePolicy(ctx, p, err)
}

func (c *calls) policy(ctx context.Context, in *OnePolicyPath) (*policyOutput, error) {
	p, err := c.ofKind(ctx, in)
	return onePolicy(ctx, p, err)
}

// ofKind returns the policy that the path names, of its company and kind.
func (c *calls) ofKind(ctx context.Context, in *OnePolicyPath) (policy.Policy, error) {
	p, err := c.db.Policies.Policy(ctx, in.CompanyID, in.PolicyID)
	if err == nil && p.Kind != in.Kind {
		err = queries.NotFound
	}
	return p, err
}

type updatePolicyInput struct {
	OnePolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
	Body    PolicyDraft
}

func (c *calls) updatePolicy(ctx context.Context, in *updatePolicyInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	draft, err := in.Body.draft(ctx, in.Kind)
	if err != nil {
		return nil, err
	}
	p, err := c.db.Policies.Update(ctx, actor(ctx), in.PolicyID, seen, draft)
	if err != nil {
		return nil, c.saveProblem(ctx, err, func() (preview, error) { return c.previewSave(ctx, draft, in.PolicyID) })
	}
	return onePolicy(ctx, p, err)
}

// actor returns the caller, for the change log.
func actor(ctx context.Context) queries.Actor {
	who := callerOf(ctx)
	return directory.ActorFrom(who.Person, who.address)
}

// knownPolicy is the middleware that answers 404 for paths that no policy can
// have.
func (c *calls) knownPolicy(ctx huma.Context, next func(huma.Context)) {
	kind := ctx.Param("kind")
	_, err := strconv.ParseInt(cmp.Or(ctx.Param("policy_id"), "1"), 10, 64)
	if err != nil || kind != "communication" && kind != "workingattitude" {
		c.refuse(ctx, queries.NotFound)
		return
	}
	next(ctx)
}
