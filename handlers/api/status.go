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
}

type statusOutput struct{ Body list[personStatus] }

// status lists users by name with the policy that applies to each.
func (c *calls) status(ctx context.Context, in *statusInput) (*statusOutput, error) {
	filter, err := policy.ReadStatusFilter(url.Values{
		"department_id": {idWord(in.DepartmentID)}, "source": {in.Source}, "policy_id": {idWord(in.PolicyID)}, "q": {in.Q},
	})
	if err != nil {
		return nil, err
	}
	filter.Cursor, filter.Limit = in.Cursor.Cursor, in.Limit
	page, err := c.db.Policies.PersonStatuses(ctx, callerOf(ctx).Person, in.Kind, filter)
	if err != nil {
		return nil, err
	}
	return &statusOutput{listed(page, newPersonStatus)}, nil
}

func newPersonStatus(row policy.PersonStatus) personStatus {
	return personStatus{
		userName{row.UserID, row.Name}, departmentName{row.DepartmentID, row.DepartmentName},
		policyName{row.PolicyID, row.PolicyName}, string(row.Source), orNull(row.SourceDepartmentID),
	}
}
