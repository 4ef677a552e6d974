package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/settings"
)

// PolicyPath is the part of an address that every call of policies has. It is
// exported, as OnePolicyPath is, because huma does not look into what is not.
type PolicyPath struct {
	OwnPath
	Kind string `path:"kind" enum:"communication,workingattitude"`
}

// OnePolicyPath is the address of a policy.
type OnePolicyPath struct {
	PolicyPath
	PolicyID int64 `path:"policy_id"`
}

// policy is a policy as it is now: the version in force, or the planned one
// while nothing is in force yet.
type policy struct {
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

// PolicyDraft is a policy as a client wants it. It is exported for previewDraft,
// because huma does not look into what is not.
type PolicyDraft struct {
	Name          string         `json:"name"`
	Description   string         `json:"description,omitempty"`
	Enabled       *bool          `json:"enabled,omitempty" doc:"True where it is left out."`
	Targets       []policyTarget `json:"targets,omitempty"`
	Settings      policySettings `json:"settings,omitempty" doc:"Only what differs from the defaults."`
	EffectiveFrom string         `json:"effective_from,omitempty" doc:"now, next_work_date or a time of RFC 3339; without it the usual start of the kind."`
	Reason        string         `json:"reason,omitempty"`
	Owner         *policyOwner   `json:"owner,omitempty"`
	Move          bool           `json:"move,omitempty" doc:"Take targets from the policies that hold them."`
	Confirmed     bool           `json:"confirmed,omitempty" doc:"Save although it may lock somebody out."`
}

type policyOwner struct {
	Type string `json:"type" enum:"user,department"`
	ID   int64  `json:"id"`
}

func (d PolicyDraft) draft(kind string) (queries.PolicyDraft, error) {
	start, err := queries.ParseStart(d.EffectiveFrom)
	if err != nil {
		return queries.PolicyDraft{}, inField("effective_from", err)
	}
	draft := queries.PolicyDraft{
		Kind: kind, Name: d.Name, Description: d.Description, Enabled: d.Enabled == nil || *d.Enabled,
		Settings: d.Settings.raw(), EffectiveFrom: start, Reason: d.Reason, Move: d.Move, Confirmed: d.Confirmed,
	}
	draft.Targets = draftTargets(d.Targets)
	if d.Owner != nil && d.Owner.Type == "user" {
		draft.Owner.UserID = d.Owner.ID
	} else if d.Owner != nil {
		draft.Owner.DepartmentID = d.Owner.ID
	}
	return draft, nil
}

func draftTargets(targets []policyTarget) []queries.Target {
	var draft []queries.Target
	for _, t := range targets {
		children := t.IncludeChildren == nil || *t.IncludeChildren
		draft = append(draft, queries.Target{Type: queries.TargetType(t.Type), ID: t.ID, IncludeChildren: children})
	}
	return draft
}

type policyOutput struct {
	ETag string `header:"ETag"`
	Body policy
}

func newPolicyOutput(p queries.Policy) *policyOutput {
	return &policyOutput{ETag: versionTag(p.LastNo), Body: newPolicy(p)}
}

func newPolicy(p queries.Policy) policy {
	v := p.Version
	answer := policy{
		ID: p.ID, Kind: p.Kind, Name: v.Name, Description: v.Description, Default: p.IsDefault, Enabled: v.Enabled,
		Owner: newOwner(p.Owner), VersionNo: v.No, EffectiveFrom: v.EffectiveFrom.UTC(), LastModified: p.LastModified.UTC(),
		Targets: newTargets(v.Targets), Settings: policySettings(v.Values(p.Kind).Complete()), Reason: v.Reason,
	}
	if p.Plan != nil {
		answer.Plan = &policyPlan{p.Plan.No, p.Plan.EffectiveFrom.UTC()}
	}
	if v.Unconfirmed() {
		answer.ConfirmBy = v.ConfirmBy
	}
	return answer
}

func newOwner(o queries.Owner) *ownerName {
	switch {
	case o.UserID != 0:
		return &ownerName{"user", o.UserID, o.Name}
	case o.DepartmentID != 0:
		return &ownerName{"department", o.DepartmentID, o.Name}
	}
	return nil
}

func newTargets(targets []queries.Target) []policyTarget {
	answer := make([]policyTarget, len(targets))
	for i, t := range targets {
		answer[i] = policyTarget{string(t.Type), t.ID, &t.IncludeChildren}
	}
	return answer
}

// versionTag is the ETag of a policy: its newest version.
func versionTag(no int32) string { return `"` + strconv.Itoa(int(no)) + `"` }

// ifMatch reads the version that a client has seen. Without one a write
// overwrites nothing: it is refused.
func ifMatch(tag string) (int32, error) {
	no, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(tag, "W/"), `"`), 10, 32)
	if err != nil || no < 1 {
		return 0, refusal{http.StatusPreconditionRequired, "api.if_match"}
	}
	return int32(no), nil
}

// ifMatchAny reads the version that a client has seen, 0 if it does not say.
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
	draft, err := in.Body.draft(in.Kind)
	if err != nil {
		return nil, err
	}
	p, err := c.db.CreatePolicy(ctx, actor(ctx), draft)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	return newPolicyOutput(p), nil
}

func (c *calls) policy(ctx context.Context, in *OnePolicyPath) (*policyOutput, error) {
	p, err := c.ofKind(ctx, in)
	if err != nil {
		return nil, err
	}
	return newPolicyOutput(p), nil
}

// ofKind finds a policy by its whole address.
func (c *calls) ofKind(ctx context.Context, in *OnePolicyPath) (queries.Policy, error) {
	p, err := c.db.Policy(ctx, in.CompanyID, in.PolicyID)
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
	draft, err := in.Body.draft(in.Kind)
	if err != nil {
		return nil, err
	}
	p, err := c.db.UpdatePolicy(ctx, actor(ctx), in.PolicyID, seen, draft)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	return newPolicyOutput(p), nil
}

type policyVersion struct {
	No            int32          `json:"no"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Enabled       bool           `json:"enabled"`
	EffectiveFrom time.Time      `json:"effective_from"`
	Targets       []policyTarget `json:"targets" nullable:"false"`
	Settings      policySettings `json:"settings" doc:"Only what differs from the defaults."`
	Reason        string         `json:"reason"`
	CreatedBy     *userName      `json:"created_by"`
	CreatedAt     time.Time      `json:"created_at"`
	CancelledAt   *time.Time     `json:"cancelled_at"`
}

type userName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type versionsOutput struct{ Body list[policyVersion] }

func (c *calls) policyVersions(ctx context.Context, in *OnePolicyPath) (*versionsOutput, error) {
	if _, err := c.ofKind(ctx, in); err != nil {
		return nil, err
	}
	versions, err := c.db.PolicyVersions(ctx, in.CompanyID, in.PolicyID)
	out := &versionsOutput{list[policyVersion]{Data: make([]policyVersion, len(versions))}}
	for i, v := range versions {
		out.Body.Data[i] = newVersion(v)
	}
	return out, err
}

func newVersion(v queries.Version) policyVersion {
	answer := policyVersion{
		No: v.No, Name: v.Name, Description: v.Description, Enabled: v.Enabled, EffectiveFrom: v.EffectiveFrom.UTC(),
		Targets: newTargets(v.Targets), Settings: policySettings(v.Settings), Reason: v.Reason, CreatedAt: v.CreatedAt.UTC(), CancelledAt: v.CancelledAt,
	}
	if v.CreatedBy != 0 {
		answer.CreatedBy = &userName{v.CreatedBy, v.CreatedByName}
	}
	return answer
}

type restoreVersionInput struct {
	OnePolicyPath
	No      int32  `path:"no"`
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
}

func (c *calls) restoreVersion(ctx context.Context, in *restoreVersionInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.RestoreVersion(ctx, actor(ctx), in.PolicyID, seen, in.No, queries.Start{}, false)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	return newPolicyOutput(p), nil
}

type movePlanInput struct {
	OnePolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
	Body    struct {
		EffectiveFrom string `json:"effective_from" doc:"now, next_work_date or a time of RFC 3339."`
	}
}

func (c *calls) movePlan(ctx context.Context, in *movePlanInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	start, err := queries.ParseStart(in.Body.EffectiveFrom)
	if err != nil {
		return nil, inField("effective_from", err)
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.MovePlan(ctx, actor(ctx), in.PolicyID, seen, start)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	return newPolicyOutput(p), nil
}

type cancelPlanInput struct {
	OnePolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
}

func (c *calls) cancelPlan(ctx context.Context, in *cancelPlanInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.CancelPlan(ctx, actor(ctx), in.PolicyID, seen)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	return newPolicyOutput(p), nil
}

// policyProblem adds to a refusal what a client needs to go on: the targets
// that are taken, or who saved in between.
func policyProblem(ctx context.Context, err error) error {
	var taken *queries.TargetConflict
	var edited *queries.EditConflict
	var lockOut *queries.LockOut
	var draft *queries.DraftErrors
	switch {
	case errors.As(err, &taken):
		return &problem{status: http.StatusConflict, Code: "policy.targets.taken", Message: locales.T(ctx, "policy.targets.taken"), Taken: newTaken(taken.Taken)}
	case errors.As(err, &lockOut):
		return &problem{status: http.StatusUnprocessableEntity, Code: "policy.lock_out", Message: locales.T(ctx, "policy.lock_out"), Warnings: newWarnings(lockOut.Warnings)}
	case errors.As(err, &edited):
		p := &problem{status: http.StatusConflict, Code: "policy.changed", Message: locales.T(ctx, "policy.changed")}
		p.ChangedBy = &changedBy{User: changeActor{orNull(edited.ByUserID), edited.ByName}, At: edited.At.UTC(), VersionNo: edited.LastNo, Fields: changedFields(edited.Changes)}
		return p
	case errors.As(err, &draft):
		return draftProblem(ctx, draft)
	}
	return err
}

func changedFields(d queries.Differences) []string {
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Field)
	}
	for _, s := range d.Settings {
		fields = append(fields, "settings."+s.Key)
	}
	return fields
}

func draftProblem(ctx context.Context, draft *queries.DraftErrors) *problem {
	p := &problem{status: http.StatusUnprocessableEntity}
	if len(draft.Fields) > 0 {
		p = refusedFields(ctx, draft.Fields)
	}
	for _, e := range draft.Settings {
		field := strings.TrimSuffix("settings."+e.Key, ".")
		p.Errors = append(p.Errors, fieldProblem{field, e.Code, locales.T(ctx, e.Code, e.Args...)})
	}
	p.Code, p.Message = p.Errors[0].Code, p.Errors[0].Message
	return p
}

// actor is the caller, for the change log.
func actor(ctx context.Context) queries.Actor {
	who := callerOf(ctx)
	return queries.ActorFrom(who.Person, who.address)
}

// policySettings are settings as JSON, which the rules read and check.
type policySettings []byte

func (s policySettings) raw() []byte {
	if len(s) == 0 {
		return []byte("{}")
	}
	return s
}

// MarshalJSON gives the settings as they are.
func (s policySettings) MarshalJSON() ([]byte, error) { return s.raw(), nil }

// UnmarshalJSON takes the settings as they are.
func (s *policySettings) UnmarshalJSON(text []byte) error {
	*s = append((*s)[:0], text...)
	return nil
}

// Schema leads to the schemas of the two kinds.
func (policySettings) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Description: "See the schemas CommunicationSettings and WorkingAttitudeSettings."}
}

// knownPolicy hides addresses that no policy can have.
func (c *calls) knownPolicy(ctx huma.Context, next func(huma.Context)) {
	kind := ctx.Param("kind")
	_, err := strconv.ParseInt(cmp.Or(ctx.Param("policy_id"), "1"), 10, 64)
	if err != nil || kind != "communication" && kind != "workingattitude" {
		c.refuse(ctx, queries.NotFound)
		return
	}
	next(ctx)
}

// describeSettings adds the schemas of the settings of both kinds to the document.
func (c *calls) describeSettings() {
	for name, kind := range map[string]settings.Kind{"CommunicationSettings": settings.Communication, "WorkingAttitudeSettings": settings.WorkingAttitude} {
		schema := settings.JSONSchema(kind, func(id string) string { return locales.English.T(id) })
		c.api.OpenAPI().Components.Schemas.Map()[name] = &huma.Schema{Extensions: schema}
	}
}
