package demo

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries"
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
		id, before := f.policies+int64(i)+1, (*policy.Version)(nil)
		for no, v := range p.Versions {
			if err := f.version(ctx, id, int32(no+1), v); err != nil {
				return fmt.Errorf("policy %s: %w", v.Name, err)
			}
			after := f.savedVersion(int32(no+1), v)
			change := policy.VersionChange(actionOf(v, before), p.Kind, id, before, after)
			if err := queries.New(f.tx).RecordChange(ctx, f.actor(c, v.By), v.Created, change); err != nil {
				return err
			}
			before = after
		}
	}
	return nil
}

// actionOf returns what the change log calls the save of a version.
func actionOf(v Version, before *policy.Version) string {
	switch {
	case before == nil:
		return "policy.created"
	case v.Undo:
		return "policy.version_restored"
	}
	return "policy.updated"
}

// savedVersion returns a version as the change log has it.
func (f *filler) savedVersion(no int32, v Version) *policy.Version {
	saved := &policy.Version{
		No: no, EffectiveFrom: v.From, Enabled: v.Enabled, Name: v.Name, Description: v.Description, Settings: json.RawMessage(v.Settings), Reason: v.Reason,
	}
	for _, number := range v.Departments {
		saved.Targets = append(saved.Targets, policy.Target{Type: policy.DepartmentTarget, ID: f.departments + int64(number), IncludeChildren: true})
	}
	for _, number := range v.People {
		saved.Targets = append(saved.Targets, policy.Target{Type: policy.UserTarget, ID: f.users + int64(number), IncludeChildren: true})
	}
	return saved
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
