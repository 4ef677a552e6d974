package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// registerPolicyChecks registers the operations of the checks of policies.
func (c *calls) registerPolicyChecks(administrators huma.Middlewares) {
	const all, one = u + "/policies/{kind}/checks", u + "/policies/{kind}/checks/{check_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Policies"
		return d.operation(administrators)
	}
	changes := []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "list-policy-checks", path: all, summary: "The checks of a kind of policies",
		description: "For administrators. What has to be true of the policies that apply to people, with whether it is true now. A save that breaks a check with the severity stop is refused with 422 check.broken."}), c.policyChecks)
	huma.Register(c.api, describe(call{id: "create-policy-check", method: http.MethodPost, path: all, status: http.StatusCreated, errors: changes,
		summary: "Add a check", description: "For administrators. At most 50 for a kind of policies. A check that is broken already stops no save until it is true."}), c.createPolicyCheck)
	huma.Register(c.api, describe(call{id: "update-policy-check", method: http.MethodPatch, path: one, errors: changes,
		summary: "Change a check", description: "For administrators. Fields that are left out stay as they are, except that a name that is the sentence follows it. With If-Match, 409 when somebody else has saved in between."}), c.updatePolicyCheck)
	huma.Register(c.api, describe(call{id: "delete-policy-check", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: changes,
		summary: "Delete a check", description: "For administrators. The change log can restore it."}), c.deletePolicyCheck)
}

// checkTarget is a department with those below it, or a user.
type checkTarget struct {
	Type string `json:"type" enum:"department,user"`
	ID   int64  `json:"id" minimum:"1"`
	Name string `json:"name,omitempty" readOnly:"true"`
}

// policyCheckRow is a check with its state.
type policyCheckRow struct {
	ID         int64         `json:"id"`
	Name       string        `json:"name"`
	Sentence   string        `json:"sentence" doc:"What the check expects, in the language of Accept-Language."`
	Targets    []checkTarget `json:"targets" nullable:"false" doc:"None for everybody."`
	Quantifier string        `json:"quantifier" enum:"every,some"`
	Relation   string        `json:"relation" enum:"is,is_not,at_most,at_least,sign_in"`
	Setting    string        `json:"setting" doc:"The key of a setting; empty for sign_in."`
	Part       string        `json:"part" doc:"A part of the setting or a platform; empty for all of them, for sign_in for any."`
	Value      string        `json:"value"`
	Severity   string        `json:"severity" enum:"stop,warn"`
	Holds      bool          `json:"holds" doc:"Whether it is true now."`
	Of         int           `json:"of" doc:"The people whom it is about."`
	People     int           `json:"people" doc:"Of them, those who break it now."`
	VersionNo  int32         `json:"version_no" doc:"For If-Match."`
	CreatedBy  string        `json:"created_by_name"`
	UpdatedAt  time.Time     `json:"updated_at"`
	UpdatedBy  string        `json:"updated_by_name"`
}

func newPolicyCheckRow(ctx context.Context, s policy.CheckState) policyCheckRow {
	row := policyCheckRow{
		ID: s.ID, Name: s.Name, Sentence: s.Sentence(s.Kind, locales.FromContext(ctx)), Targets: []checkTarget{}, Quantifier: string(s.Quantifier), Relation: string(s.Relation),
		Setting: s.Key, Part: s.Part, Value: s.Value, Severity: string(s.Severity), Holds: s.Holds, Of: s.Of, People: s.People,
		VersionNo: s.VersionNo, CreatedBy: s.CreatedByName, UpdatedAt: s.UpdatedAt.UTC(), UpdatedBy: s.UpdatedByName,
	}
	for _, t := range s.Targets {
		row.Targets = append(row.Targets, checkTarget{string(t.Type), t.ID, t.Name})
	}
	return row
}

// CheckKind is the path of the checks of a kind of policies.
type CheckKind struct {
	OwnPath
	Kind string `path:"kind" enum:"communication,workingattitude"`
}

type policyChecksOutput struct{ Body list[policyCheckRow] }

func (c *calls) policyChecks(ctx context.Context, in *struct{ CheckKind }) (*policyChecksOutput, error) {
	states, err := c.db.Policies.CheckStates(ctx, in.CompanyID, in.Kind)
	out := &policyChecksOutput{list[policyCheckRow]{Data: make([]policyCheckRow, len(states))}}
	for i, s := range states {
		out.Body.Data[i] = newPolicyCheckRow(ctx, s)
	}
	return out, err
}

// CheckBody is what a client says about a check. It is exported because huma ignores
// unexported embedded structs.
type CheckBody struct {
	Name       *string        `json:"name,omitempty" doc:"At most 200 characters. The sentence where it is left out of a new one."`
	Targets    *[]checkTarget `json:"targets,omitempty" doc:"At most 20; everybody where they are left out of a new one."`
	Quantifier *string        `json:"quantifier,omitempty" enum:"every,some" doc:"every where it is left out of a new one."`
	Relation   *string        `json:"relation,omitempty" enum:"is,is_not,at_most,at_least,sign_in" doc:"Needed for a new one."`
	Setting    *string        `json:"setting,omitempty" doc:"The key of a choice, a switch or a number."`
	Part       *string        `json:"part,omitempty"`
	Value      *string        `json:"value,omitempty" doc:"Needed for a new one: a word, true or false, a number in the unit of the setting, or a range of addresses."`
	Severity   *string        `json:"severity,omitempty" enum:"stop,warn" doc:"stop where it is left out of a new one."`
}

// into returns a draft with the fields that the client says.
func (b CheckBody) into(d policy.CheckDraft) policy.CheckDraft {
	for _, field := range []struct{ from, to *string }{
		{b.Name, &d.Name}, {b.Quantifier, (*string)(&d.Quantifier)}, {b.Relation, (*string)(&d.Relation)}, {b.Setting, &d.Key}, {b.Part, &d.Part}, {b.Value, &d.Value},
		{b.Severity, (*string)(&d.Severity)},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if b.Targets != nil {
		d.Targets = nil
		for _, t := range *b.Targets {
			d.Targets = append(d.Targets, policy.Target{Type: policy.TargetType(t.Type), ID: t.ID, IncludeChildren: true})
		}
	}
	return d
}

type policyCheckOutput struct {
	ETag string `header:"ETag"`
	Body policyCheckRow
}

// NewCheck is a new check to save.
type NewCheck struct {
	CheckBody `needs:"relation,value"`
}

type createPolicyCheckInput struct {
	CheckKind
	Body NewCheck
}

func (c *calls) createPolicyCheck(ctx context.Context, in *createPolicyCheckInput) (*policyCheckOutput, error) {
	draft := in.Body.into(policy.CheckDraft{Quantifier: policy.Every, Severity: policy.Stop})
	if _, refusal := draft.Check(settings.Kind(in.Kind)); draft.Name == "" && refusal == "" {
		var err error
		if draft.Targets, err = c.db.Policies.NameTargets(ctx, in.CompanyID, draft.Targets); err != nil {
			return nil, err
		}
		draft.Name = draft.Sentence(in.Kind, locales.FromContext(ctx))
	}
	return c.savePolicyCheck(ctx, policy.CheckChange{Kind: in.Kind, Draft: &draft})
}

// CheckPath is the path of a check.
type CheckPath struct {
	CheckKind
	CheckID int64 `path:"check_id" minimum:"1"`
}

type updatePolicyCheckInput struct {
	CheckPath
	IfMatch string `header:"If-Match" doc:"The ETag of the check as the client has seen it; without it whatever there is is changed."`
	Body    CheckBody
}

func (c *calls) updatePolicyCheck(ctx context.Context, in *updatePolicyCheckInput) (*policyCheckOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	before, err := c.db.Policies.Check(ctx, in.CompanyID, in.Kind, in.CheckID)
	if err != nil {
		return nil, err
	}
	draft := in.Body.into(before.CheckDraft)
	if in.Body.Name == nil {
		if draft.Targets, err = c.db.Policies.NameTargets(ctx, in.CompanyID, draft.Targets); err != nil {
			return nil, err
		}
		draft.Name = followingName(in.Kind, before.CheckDraft, draft)
	}
	return c.savePolicyCheck(ctx, policy.CheckChange{ID: in.CheckID, Kind: in.Kind, VersionNo: cmp.Or(seen, before.VersionNo), Draft: &draft})
}

// followingName returns the name of a check after a change that leaves it out: a name that
// is the sentence of the check follows what the change makes of it, in the same language.
func followingName(kind string, before, after policy.CheckDraft) string {
	if _, refusal := after.Check(settings.Kind(kind)); refusal != "" {
		return before.Name
	}
	for _, l := range locales.All() {
		if sentence := after.Sentence(kind, l); before.IsNamedBySentence(kind, l) && before.Sentence(kind, l) != sentence {
			return sentence
		}
	}
	return before.Name
}

func (c *calls) savePolicyCheck(ctx context.Context, change policy.CheckChange) (*policyCheckOutput, error) {
	saved, err := c.db.Policies.SaveCheck(ctx, actor(ctx), change)
	if err != nil {
		return nil, err
	}
	state, err := c.db.Policies.CheckPeople(ctx, actor(ctx).CompanyID, saved.Kind, saved.ID)
	return &policyCheckOutput{versionTag(saved.VersionNo), newPolicyCheckRow(ctx, state.CheckState)}, err
}

type deletePolicyCheckInput struct {
	CheckPath
	IfMatch string `header:"If-Match" doc:"The ETag of the check as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deletePolicyCheck(ctx context.Context, in *deletePolicyCheckInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	_, err = c.db.Policies.SaveCheck(ctx, actor(ctx), policy.CheckChange{ID: in.CheckID, Kind: in.Kind, VersionNo: seen})
	return nil, err
}
