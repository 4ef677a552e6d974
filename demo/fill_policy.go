package demo

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries/policy"
	"officeconsole/search"
)

func (f *filler) allPolicies(ctx context.Context, c *Company) error {
	_, err := f.copy(ctx, "policies", []string{"company_id", "id", "kind", "is_default", "owner_user_id", "owner_department_id", "created_at"},
		func(yield func([]any) bool) {
			for i, p := range c.Policies {
				if !yield([]any{f.companyID, f.policies + int64(i) + 1, p.Kind, p.Default, after(f.users, p.OwnerPerson),
					after(f.departments, p.OwnerDepartment), p.Versions[0].Created}) {
					return
				}
			}
		})
	if err != nil {
		return err
	}
	for i, p := range c.Policies {
		for no, v := range p.Versions {
			if err := f.version(ctx, f.policies+int64(i)+1, int32(no+1), v); err != nil {
				return fmt.Errorf("policy %s: %w", v.Name, err)
			}
		}
	}
	return nil
}

func (f *filler) version(ctx context.Context, policyID int64, no int32, v Version) error {
	text, _ := search.Key(v.Name, v.Description)
	err := policy.New(f.tx).InsertDemoVersion(ctx, policy.InsertDemoVersionParams{
		CompanyID: f.companyID, PolicyID: policyID, No: no, EffectiveFrom: v.From, Enabled: v.Enabled, Name: v.Name, Description: v.Description,
		Settings: json.RawMessage(v.Settings), SearchText: text, Reason: v.Reason, CreatedBy: after(f.users, v.By), CreatedAt: v.Created,
	})
	if err != nil {
		return err
	}
	target := policy.InsertDemoTargetParams{CompanyID: f.companyID, PolicyID: policyID, No: no}
	for _, d := range v.Departments {
		target.DepartmentID, target.UserID = after(f.departments, d), nil
		if err := policy.New(f.tx).InsertDemoTarget(ctx, target); err != nil {
			return err
		}
	}
	for _, p := range v.People {
		target.DepartmentID, target.UserID = nil, after(f.users, p)
		if err := policy.New(f.tx).InsertDemoTarget(ctx, target); err != nil {
			return err
		}
	}
	return nil
}
