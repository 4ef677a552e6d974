package policy

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	settingviews "officeconsole/views/setting"
)

// details are the fields of the form that are not settings, in the order of
// the page.
var details = []string{"enabled", "name", "owner", "description"}

func (p Edit) detailLabel(ctx context.Context, field string) string {
	if field == "enabled" {
		return locales.T(ctx, "policy.state.enabled")
	}
	return locales.T(ctx, "policy."+field)
}

// changedDetails are the details that what was typed would change.
func (p Edit) changedDetails() []string {
	if p.Policy == nil || !p.Form.Typed {
		return nil
	}
	v := p.Policy.Version
	differs := map[string]bool{
		"enabled": p.Form.Enabled != v.Enabled, "name": p.Form.Name != v.Name,
		"owner": p.Form.Owner != OwnerValue(p.Policy.Owner), "description": p.Form.Description != v.Description,
	}
	return slices.DeleteFunc(slices.Clone(details), func(field string) bool { return !differs[field] })
}

// changedClass marks a changed detail.
func (p Edit) changedClass(field string) string {
	if slices.Contains(p.changedDetails(), field) {
		return "changed"
	}
	return ""
}

// changes is what saving the form would change.
func (p Edit) changes(ctx context.Context) settingviews.FormChanges {
	c := settingviews.FormChanges{Targets: p.changedTargets()}
	for _, field := range p.changedDetails() {
		c.Details = append(c.Details, settingviews.ChangedField{ID: field, Label: p.detailLabel(ctx, field)})
	}
	if p.Policy != nil && p.Form.Typed {
		c.Settings = settingviews.ChangedSettings(ctx, p.Form.Settings, p.Settings, p.reader())
	}
	return c
}

// changedTargets counts the targets that the form would add, remove or
// change.
func (p Edit) changedTargets() int {
	if p.Policy == nil {
		return len(p.Form.Targets)
	}
	added, removed := targetChanges(p.Policy.Version.Targets, p.Form.targets())
	changed := map[string]bool{}
	for _, t := range slices.Concat(added, removed) {
		changed[targetKey(t)] = true
	}
	return len(changed)
}

// targetsBefore are the targets in force as scripts compare them: in the
// format of the field "targets".
func (p Edit) targetsBefore() string {
	before := []policy.Target{}
	if p.Policy != nil {
		for _, t := range p.Policy.Version.Targets {
			before = append(before, policy.Target{Type: t.Type, ID: t.ID, IncludeChildren: t.IncludeChildren})
		}
	}
	text, err := json.Marshal(before)
	if err != nil {
		panic(err) // targets can always be encoded
	}
	return string(text)
}

// OwnerValue is the value of an owner in the form: "user:1", "department:5",
// or "" for every administrator.
func OwnerValue(o policy.Owner) string {
	switch {
	case o.UserID != 0:
		return "user:" + strconv.FormatInt(o.UserID, 10)
	case o.DepartmentID != 0:
		return "department:" + strconv.FormatInt(o.DepartmentID, 10)
	}
	return ""
}
