package views

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

// targets are the props of the dialog in which targets are chosen.
func (p PolicyPage) targets(ctx context.Context) targetProps {
	props := targetProps{
		Name: "targets", Targets: []targetProp{},
		DepartmentsURL: organizationURL(p.Frame.Person, "departments"), UsersURL: organizationURL(p.Frame.Person, "users"),
		TakenURL: policyURL(p.Kind, 0) + "/taken?except=" + strconv.FormatInt(p.id(), 10),
		Texts:    targetTexts(ctx),
	}
	for _, t := range p.Form.Targets {
		prop := targetProp{Type: string(t.Type), ID: t.ID, Name: t.label(ctx), IncludeChildren: t.IncludeChildren}
		if t.TakenID != 0 {
			prop.Taken = &takenPolicy{t.TakenID, t.TakenName}
		}
		props.Targets = append(props.Targets, prop)
	}
	return props
}

func (t FormTarget) label(ctx context.Context) string { return targetName(ctx, t.Target) }

// targetName is the name of a target, which may have vanished by now.
func targetName(ctx context.Context, t policy.Target) string {
	if t.Name == "" {
		return locales.T(ctx, "target.unknown")
	}
	return t.Name
}

// targetWord is a target as the form without scripts sends it: "department:5".
func targetWord(t policy.Target) string { return string(t.Type) + ":" + strconv.FormatInt(t.ID, 10) }

// targetText names a target in a list of differences.
func targetText(ctx context.Context, t policy.Target) string {
	if t.Type == policy.DepartmentTarget && !t.IncludeChildren {
		return locales.T(ctx, "target.without_children", "Target", targetName(ctx, t))
	}
	return targetName(ctx, t)
}

// moving reports whether a target would leave another policy.
func (p PolicyPage) moving() bool {
	for _, t := range p.Form.Targets {
		if t.TakenID != 0 {
			return true
		}
	}
	return false
}

// fresh are the found targets that are not chosen yet.
func (p PolicyPage) fresh() []policy.Target {
	chosen := map[string]bool{}
	for _, t := range p.Form.Targets {
		chosen[targetWord(t.Target)] = true
	}
	var fresh []policy.Target
	for _, t := range p.Found {
		if !chosen[targetWord(t)] {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// TargetNames puts targets into one line of words, the first of them by name.
func TargetNames(ctx context.Context, targets []policy.Target) string {
	return enumeration(ctx, differingTargets(ctx, targets))
}
