package api

import (
	"context"
	"net/url"

	"officeconsole/queries/policy"
)

type statusInput struct {
	PolicyPath
	DepartmentID int64  `query:"department_id" minimum:"1" doc:"Only the people of this department and of those below it."`
	Source       string `query:"source" enum:"own,inherited,default"`
	PolicyID     int64  `query:"policy_id" minimum:"1"`
	At           string `query:"at" format:"date" doc:"A date of the company's time zone: what applies at its midnight, compared with now."`
	Differing    bool   `query:"differing" doc:"With at: only the people to whom something else applies now."`
	Q            string `query:"q" doc:"At most three keywords of at least two characters, all of which must occur."`
	Limit        int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor       cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// personStatus is a user and the policy that applies to them.
type personStatus struct {
	User               userName       `json:"user"`
	Department         departmentName `json:"department"`
	Policy             policyName     `json:"policy"`
	Source             string         `json:"source" enum:"own,inherited,default"`
	SourceDepartmentID *int64         `json:"source_department_id"`
	Now                *appliedPolicy `json:"now,omitempty" doc:"What applies now instead, in an answer about a date; left out if it is the same."`
}

// appliedPolicy is a version of a policy that applies to somebody.
type appliedPolicy struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	VersionNo int32  `json:"version_no"`
}

type statusOutput struct{ Body list[personStatus] }

// status lists users by name with the policy that applies to each.
func (c *calls) status(ctx context.Context, in *statusInput) (*statusOutput, error) {
	filter, err := policy.ReadStatusFilter(url.Values{
		"department_id": {idWord(in.DepartmentID)}, "source": {in.Source}, "policy_id": {idWord(in.PolicyID)}, "at": {in.At}, "q": {in.Q},
	})
	if err != nil {
		return nil, err
	}
	if err := c.checkStatusFilter(ctx, in); err != nil {
		return nil, err
	}
	filter.Differing = in.Differing && filter.Date != 0
	filter.Cursor, filter.Limit = in.Cursor.Cursor, in.Limit
	page, err := c.db.Policies.PersonStatuses(ctx, callerOf(ctx).Person, in.Kind, filter)
	if err != nil {
		return nil, err
	}
	return &statusOutput{listed(page, newPersonStatus).searched(ctx, in.Q)}, nil
}

// checkStatusFilter returns NotFound for a department or policy that is not there.
func (c *calls) checkStatusFilter(ctx context.Context, in *statusInput) error {
	if in.DepartmentID != 0 {
		if _, err := c.db.Policies.Department(ctx, policy.DepartmentParams{CompanyID: in.CompanyID, ID: in.DepartmentID}); err != nil {
			return err
		}
	}
	if in.PolicyID == 0 {
		return nil
	}
	_, err := c.ofKind(ctx, &OnePolicyPath{in.PolicyPath, in.PolicyID})
	return err
}

func newPersonStatus(row policy.PersonStatus) personStatus {
	status := personStatus{
		userName{row.UserID, row.Name}, departmentName{row.DepartmentID, row.DepartmentName},
		policyName{row.PolicyID, row.PolicyName}, string(row.Source), orNull(row.SourceDepartmentID), nil,
	}
	if now := row.Now; now != nil {
		status.Now = &appliedPolicy{now.PolicyID, now.Name, now.VersionNo}
	}
	return status
}
