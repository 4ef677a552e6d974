package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// fallen is a target of a deleted policy and the policy that applies to it
// afterwards.
type fallen struct {
	Type    string `json:"type" enum:"department,user"`
	ID      int64  `json:"id"`
	FallsTo int64  `json:"falls_to" doc:"The policy that applies from now on."`
}

type deletePolicyInput struct {
	OnePolicyPath
	IfMatch   string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
	Confirmed bool   `query:"confirmed" doc:"Delete although it may lock somebody out."`
}

type fallenOutput struct {
	Body struct {
		Data   []fallen      `json:"data" nullable:"false"`
		Meta   meta          `json:"meta"`
		Checks []brokenCheck `json:"checks,omitempty" nullable:"false" doc:"The policy checks that this breaks, which only warn. Those that stop it refuse the request."`
	}
}

func (c *calls) deletePolicy(ctx context.Context, in *deletePolicyInput) (*fallenOutput, error) {
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	deletion, err := c.db.Policies.Delete(ctx, actor(ctx), in.PolicyID, seen, in.Confirmed)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	out := &fallenOutput{}
	out.Body.Data, out.Body.Checks = make([]fallen, len(deletion.Falls)), newBroken(ctx, deletion.Broken)
	for i, f := range deletion.Falls {
		out.Body.Data[i] = fallen{string(f.Type), f.ID, f.PolicyID}
	}
	return out, nil
}

type restoreOutput struct {
	ETag string `header:"ETag"`
	Body struct {
		Policy Policy         `json:"policy"`
		Lost   []policyTarget `json:"lost" nullable:"false" doc:"Targets that other policies hold by now."`
		Checks []brokenCheck  `json:"checks,omitempty" nullable:"false" doc:"The policy checks that this breaks, which only warn. Those that stop it refuse the request."`
	}
}

func (c *calls) restorePolicy(ctx context.Context, in *OnePolicyPath) (*restoreOutput, error) {
	p, lost, err := c.db.Policies.Restore(ctx, actor(ctx), in.PolicyID, false)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	out := &restoreOutput{ETag: versionTag(p.LastNo)}
	out.Body.Policy, out.Body.Lost, out.Body.Checks = newPolicy(p), newTargets(lost), newBroken(ctx, p.Broken)
	return out, nil
}

type previewInput struct {
	PolicyPath
	Body previewDraft
}

type previewDraft struct {
	PolicyDraft `needs:"name"`
	PolicyID    int64 `json:"policy_id,omitempty" doc:"The policy that the draft changes; without it a new one."`
}

type preview struct {
	WorkDate *string         `json:"work_date" format:"date" doc:"The first work date to which a working attitude draft would apply, also where effective_from is now; null for communication."`
	People   previewPeople   `json:"people"`
	Settings []settingPeople `json:"settings" nullable:"false"`

	CannotSave   int  `json:"cannot_save" doc:"People who can no longer save files on some platform."`
	Disconnected int  `json:"disconnected" doc:"People who use the console, and whom it would not let in any more from where they are."`
	Exact        bool `json:"exact" doc:"False: at least this many are disconnected; there are too many connections to look at each."`

	Warnings []previewWarning `json:"warnings" nullable:"false"`
	Checks   []brokenCheck    `json:"checks,omitempty" nullable:"false" doc:"The policy checks that saving it would break. Those with the severity stop would refuse it."`
	Taken    []takenTarget    `json:"taken" nullable:"false" doc:"Targets that would move from other policies."`

	RecordsChanged *int         `json:"records_changed,omitempty" doc:"Of a version that starts in the past: how many attendance records differ then."`
	MinutesChanged *int64       `json:"minutes_changed,omitempty" doc:"Of a version that starts in the past: the difference of worked time in sum."`
	Past           *pastPreview `json:"past,omitempty" doc:"Of a version that starts in the past: the rest of what changes."`
}

type previewPeople struct {
	Gain   int `json:"gain" doc:"People that come under the policy."`
	Lose   int `json:"lose" doc:"People that leave it."`
	Change int `json:"change" doc:"People that have other settings then."`
}

type settingPeople struct {
	Key    string `json:"key"`
	People int    `json:"people"`
}

type previewWarning struct {
	Code    string  `json:"code"`
	UserIDs []int64 `json:"user_ids" nullable:"false"`
}

type previewOutput struct{ Body preview }

// previewPolicy returns the effects of saving a draft, and writes nothing.
func (c *calls) previewPolicy(ctx context.Context, in *previewInput) (*previewOutput, error) {
	draft, err := in.Body.draft(ctx, in.Kind)
	if err != nil {
		return nil, err
	}
	if in.Body.PolicyID != 0 {
		if _, err := c.ofKind(ctx, &OnePolicyPath{in.PolicyPath, in.Body.PolicyID}); err != nil {
			return nil, err
		}
	}
	p, err := c.db.Policies.PreviewDraft(ctx, actor(ctx), draft, in.Body.PolicyID)
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	answer, err := c.newPreview(ctx, p)
	if err != nil {
		return nil, err
	}
	if in.Kind == string(settings.WorkingAttitude) {
		answer.WorkDate, err = firstWorkDate(ctx, p.At)
	}
	return &previewOutput{answer}, err
}

func newWarnings(warnings []policy.Warning) []previewWarning {
	answer := make([]previewWarning, len(warnings))
	for i, w := range warnings {
		answer[i] = previewWarning{w.Code, orEmpty(w.UserIDs)}
	}
	return answer
}

func newTaken(taken []policy.TakenTarget) []takenTarget {
	answer := make([]takenTarget, len(taken))
	for i, t := range taken {
		answer[i] = takenTarget{Type: string(t.Type), ID: t.ID, Name: t.Name, Policy: policyName{t.PolicyID, t.PolicyName}}
		if !t.From.IsZero() {
			answer[i].From = inUTC(&t.From)
		}
	}
	return answer
}

type takenInput struct {
	PolicyPath
	Except int64 `query:"except" doc:"Leave out what this policy holds now, and what it could hold until its own planned change."`
}

type takenOutput struct{ Body list[takenTarget] }

// takenTargets returns to the target dialog the targets that other policies
// hold.
func (c *calls) takenTargets(ctx context.Context, in *takenInput) (*takenOutput, error) {
	taken, err := c.db.Policies.TakenTargets(ctx, in.CompanyID, in.Kind, in.Except)
	return &takenOutput{list[takenTarget]{Data: newTaken(taken)}}, err
}

type confirmInput struct {
	OnePolicyPath
	No int32 `path:"no"`
}

// confirmVersion confirms a provisional version, if the caller could sign in with it
// from the address of the request.
func (c *calls) confirmVersion(ctx context.Context, in *confirmInput) (*policyOutput, error) {
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.Policies.ConfirmVersion(ctx, actor(ctx), in.PolicyID, in.No)
	return onePolicy(ctx, p, err)
}

// registerEffects registers the operations around the effects of a policy.
func (c *calls) registerEffects(middlewares huma.Middlewares, all, one string) {
	conflicts := []int{http.StatusConflict}
	huma.Register(c.api, call{id: "delete-policy", method: http.MethodDelete, path: one, tag: "Policies", summary: "Delete a policy",
		description: "Needs If-Match. Its targets follow what is above them; the answer says what. It can be restored for thirty days.", errors: append(conflicts, http.StatusPreconditionRequired),
	}.operation(middlewares), c.deletePolicy)
	huma.Register(c.api, call{id: "restore-policy", method: http.MethodPost, path: one + "/restore", tag: "Policies", summary: "Bring a deleted policy back, with the targets that are still free",
		description: "It continues as its last version was, from the usual start of the kind on, and under another name if its own is taken. lost are the targets that other policies hold by now. 404 thirty days after the deletion, 422 where it may lock somebody out.",
	}.operation(middlewares), c.restorePolicy)
	huma.Register(c.api, call{id: "preview-policy", method: http.MethodPost, path: all + "/preview", tag: "Policies", summary: "What saving a draft would do",
		description: "Nothing is saved. A draft is refused as it would be when saved, except that targets of other policies and lockouts are listed instead.", errors: conflicts,
	}.operation(middlewares), c.previewPolicy)
	huma.Register(c.api, call{id: "taken-targets", path: all + "/taken-targets", tag: "Policies", summary: "Targets that policies of the kind hold",
		description: "Departments and people that a policy of the kind lists as targets now, or will by its planned change: from says from when. Of a target that one policy holds and another one will, the answer names the first. Their names are empty.",
	}.operation(middlewares), c.takenTargets)
	huma.Register(c.api, call{id: "confirm-policy-version", method: http.MethodPost, path: one + "/versions/{no}/confirmation", tag: "Policies", summary: "Let a risky version stay",
		description: "A version that may lock somebody out ends by itself after " + strconv.Itoa(int(policy.ConfirmTime.Minutes())) + " minutes unless it is confirmed by an administrator whom it would let sign in from the address of the call; 422 policy.confirm.address or policy.confirm.platform where it would not. Whoever it does not let in is signed out as soon as it begins.", errors: conflicts,
	}.operation(middlewares), c.confirmVersion)
}

// firstWorkDate returns the first work date to which a version applies that takes effect
// at a time.
func firstWorkDate(ctx context.Context, at time.Time) (*string, error) {
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return nil, err
	}
	date := policy.FirstWorkDate(at, zone).String()
	return &date, nil
}
