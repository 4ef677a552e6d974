package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/policy"
)

type effectiveInput struct {
	PolicyPath
	UserID      int64     `query:"user_id" required:"true" minimum:"1"`
	At          time.Time `query:"at" doc:"The time to look at, in the past or the future; now where it is left out."`
	IfNoneMatch []string  `header:"If-None-Match"`
}

// registerEffective registers which policy applies to a person: everybody may know their
// own (domain §7).
func (c *calls) registerEffective(own huma.Middlewares) {
	huma.Register(c.api, call{id: "effective-policy", path: u + "/policies/{kind}/effective", tag: "Policies", summary: "Which policy applies to a person, and why",
		description: "For administrators, and for everybody about themselves. The policy of the person themselves, else of the nearest department above them, else the default; chain lists what was found on the way. With If-None-Match the answer is 304 while nothing has changed.",
	}.operation(own), c.effective)
}

// effective is the policy that applies to a user.
type effective struct {
	PolicyID           int64          `json:"policy_id"`
	VersionNo          int32          `json:"version_no"`
	Source             string         `json:"source" enum:"own,inherited,default"`
	SourceDepartmentID *int64         `json:"source_department_id"`
	Settings           policySettings `json:"settings" doc:"Every key. holiday_dates has the holidays of the company, too."`
	Chain              []chainStep    `json:"chain,omitempty" nullable:"false" doc:"From the person up to where the policy was found."`
}

type chainStep struct {
	Type     string `json:"type" enum:"user,department,default"`
	ID       *int64 `json:"id" doc:"Null of the default."`
	Name     string `json:"name,omitempty"`
	PolicyID *int64 `json:"policy_id"`
	Reason   string `json:"reason" enum:"none,disabled,not_yet,excluded_children,applied" doc:"What was found there."`
}

func newEffective(e policy.Effective) (effective, error) {
	complete, err := e.CompleteSettings()
	return effective{e.PolicyID, e.VersionNo, string(e.Source), orNull(e.SourceDepartmentID), policySettings(complete), nil}, err
}

// effectiveOutput is a response that a client may cache: 304 has no body.
type effectiveOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *effective
}

// effective explains which policy applies to a user, and why.
func (c *calls) effective(ctx context.Context, in *effectiveInput) (*effectiveOutput, error) {
	if who := callerOf(ctx); !who.IsAdmin && in.UserID != who.ID {
		return nil, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	at := in.At
	if at.IsZero() {
		at = c.db.Now()
	}
	e, err := c.db.Policies.Effective(ctx, in.CompanyID, in.UserID, in.Kind, at)
	if err == nil && e.Hidden {
		err = queries.NotFound
	}
	if err != nil {
		return nil, err
	}
	out := &effectiveOutput{Status: http.StatusOK, ETag: e.ETag()}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	explained, err := newEffective(e)
	if err != nil {
		return nil, err
	}
	for _, step := range e.Chain {
		explained.Chain = append(explained.Chain, chainStep{string(step.Type), orNull(step.ID), step.Name, orNull(step.PolicyID), string(step.Reason)})
	}
	out.Body = &explained
	return out, nil
}

func orNull(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// CompanyPath is the path of the operations for the messenger. It is exported
// because huma ignores unexported embedded structs.
type CompanyPath struct {
	CompanyID int64 `path:"company_id" doc:"The company of the token."`
}

type policiesOfInput struct {
	CompanyPath
	UserID      int64    `path:"user_id"`
	IfNoneMatch []string `header:"If-None-Match" doc:"ETag of the policies as they are known; if they are still so, the answer is 304."`
}

type policiesOf struct {
	Communication   effective `json:"communication"`
	WorkingAttitude effective `json:"workingattitude"`
}

type policiesOfOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *policiesOf
}

// policiesOf returns the policies that the messenger applies to a user. Bots
// have no policies: they are not found, and neither are hidden users.
func (c *calls) policiesOf(ctx context.Context, in *policiesOfInput) (*policiesOfOutput, error) {
	now, sum := c.db.Now(), sha256.New()
	var found [2]effective
	for i, kind := range []string{"communication", "workingattitude"} {
		e, err := c.db.Policies.Effective(ctx, in.CompanyID, in.UserID, kind, now)
		if err == nil && e.Hidden {
			err = queries.NotFound
		}
		if err != nil {
			return nil, err
		}
		sum.Write([]byte(e.ETag()))
		if found[i], err = newEffective(e); err != nil {
			return nil, err
		}
	}
	out := &policiesOfOutput{Status: http.StatusOK, ETag: `"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	out.Body = &policiesOf{found[0], found[1]}
	return out, nil
}
