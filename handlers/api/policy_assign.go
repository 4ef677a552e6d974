package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

func (c *calls) registerAssignments(middlewares huma.Middlewares, all string) {
	huma.Register(c.api, call{id: "assign-policy-targets", method: http.MethodPost, path: all + "/targets/bulk", tag: "Policies",
		summary: "Assign many targets to a policy, and release others from it",
		description: "Saves one new version of the policy, and one of each policy that loses targets to it, all or nothing; where nothing changes, none. " +
			"Targets that other policies hold answer 409 with the list, unless move is true. Needs If-Match. " +
			"With dry_run it answers what would happen to each target, refusals among them, and writes nothing; If-Match may be left out then.",
		errors: []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusPreconditionRequired},
	}.operation(middlewares), c.assignTargets)
}

// AssignmentBody is exported because huma ignores unexported embedded structs.
type AssignmentBody struct {
	PolicyID      int64          `json:"policy_id" minimum:"1"`
	Assign        []policyTarget `json:"assign,omitempty" doc:"Targets that the policy is to list."`
	Release       []policyTarget `json:"release,omitempty" doc:"Targets that it is to list no longer; they follow what is above them."`
	EffectiveFrom string         `json:"effective_from,omitempty" doc:"now, next_work_date or a time of RFC 3339; without it the usual start of the kind."`
	Reason        string         `json:"reason,omitempty"`
	Move          bool           `json:"move,omitempty" doc:"Take targets from the policies that hold them."`
	Confirmed     bool           `json:"confirmed,omitempty" doc:"Save although it may lock somebody out."`
	DryRun        bool           `json:"dry_run,omitempty" doc:"Only tell what would happen."`
}

type assignInput struct {
	PolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
	Body    AssignmentBody
}

// assignedTarget is the result for one target of an assignment.
type assignedTarget struct {
	Type            string      `json:"type" enum:"department,user"`
	ID              int64       `json:"id"`
	Name            string      `json:"name" doc:"Empty where there is no such target."`
	IncludeChildren bool        `json:"include_children"`
	Result          string      `json:"result" enum:"assigned,moved,released,unchanged,refused"`
	From            *policyName `json:"from" doc:"The policy that holds the target, where it moves or is refused because of it."`
	Code            string      `json:"code,omitempty" doc:"Why it is refused."`
	Message         string      `json:"message,omitempty" doc:"The same in the language of Accept-Language."`
}

type assignedBody struct {
	DryRun        bool             `json:"dry_run"`
	VersionNo     int32            `json:"version_no" doc:"The newest version of the policy."`
	EffectiveFrom time.Time        `json:"effective_from" doc:"From when on the targets count."`
	Data          []assignedTarget `json:"data" nullable:"false" doc:"The targets to assign, then those to release, in the order they were sent."`
	Warnings      []previewWarning `json:"warnings" nullable:"false" doc:"With dry_run: whom it would lock out."`
	Checks        []brokenCheck    `json:"checks,omitempty" nullable:"false" doc:"The policy checks that this breaks. Those with the severity stop refuse the request, and are only listed with dry_run."`
}

type assignOutput struct {
	ETag string `header:"ETag"`
	Body assignedBody
}

func (c *calls) assignTargets(ctx context.Context, in *assignInput) (*assignOutput, error) {
	start, err := policy.ParseStart(in.Body.EffectiveFrom)
	if err != nil {
		return nil, inField("effective_from", err)
	}
	if _, err := c.ofKind(ctx, &OnePolicyPath{in.PolicyPath, in.Body.PolicyID}); err != nil {
		return nil, err
	}
	assignment := policy.Assignment{
		Assign: draftTargets(in.Body.Assign), Release: draftTargets(in.Body.Release),
		EffectiveFrom: start, Reason: in.Body.Reason, Move: in.Body.Move, Confirmed: in.Body.Confirmed,
	}
	var outcome policy.AssignmentOutcome
	if in.Body.DryRun {
		outcome, err = c.db.Policies.PreviewAssignment(ctx, actor(ctx), in.Body.PolicyID, assignment)
	} else {
		var seen int32
		if seen, err = ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		outcome, err = c.db.Policies.AssignTargets(ctx, actor(ctx), in.Body.PolicyID, seen, assignment)
	}
	if err != nil {
		return nil, c.saveProblem(ctx, err, func() (preview, error) {
			outcome, err := c.db.Policies.PreviewAssignment(ctx, actor(ctx), in.Body.PolicyID, assignment)
			if err != nil {
				return preview{}, err
			}
			return c.newPreview(ctx, policy.Preview{Past: outcome.Past})
		})
	}
	return newAssignOutput(ctx, in.Body.DryRun, outcome), nil
}

func newAssignOutput(ctx context.Context, dryRun bool, outcome policy.AssignmentOutcome) *assignOutput {
	out := &assignOutput{ETag: versionTag(outcome.Policy.LastNo), Body: assignedBody{
		DryRun: dryRun, VersionNo: outcome.Policy.LastNo, EffectiveFrom: outcome.At.UTC(),
		Data: make([]assignedTarget, len(outcome.Targets)), Warnings: newWarnings(outcome.Warnings),
		Checks: newBroken(ctx, outcome.Policy.Broken),
	}}
	for i, t := range outcome.Targets {
		answer := assignedTarget{Type: string(t.Type), ID: t.ID, Name: t.Name, IncludeChildren: t.IncludeChildren, Result: string(t.Result), Code: string(t.Refusal)}
		if t.From != nil {
			answer.From = &policyName{t.From.PolicyID, t.From.PolicyName}
		}
		if t.Refusal != "" {
			answer.Message = locales.T(ctx, string(t.Refusal))
		}
		out.Body.Data[i] = answer
	}
	return out
}
