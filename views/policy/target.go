package policy

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/views"
)

// targets are the properties of the island in which targets are chosen.
func (p Edit) targets(ctx context.Context) views.PickerProps {
	props := views.PickerProps{
		Name: "targets", Targets: []views.PickerTarget{}, Max: policy.MaxTargets,
		DepartmentsURL: views.OrganizationURL(p.Frame.Person, "departments"), UsersURL: views.OrganizationURL(p.Frame.Person, "users"),
		TakenURL: string(views.Link(ctx, policyURL(p.Kind, 0)+"/taken?except="+strconv.FormatInt(p.id(), 10))),
		Texts:    targetTexts(ctx),
	}
	for _, t := range p.Form.Targets {
		prop := views.PickerTarget{Type: string(t.Type), ID: t.ID, Name: t.label(ctx), IncludeChildren: t.IncludeChildren}
		if t.Taken != nil {
			taken := NewTakenPolicy(ctx, *t.Taken, p.Frame.Now)
			prop.Taken = &taken
		}
		props.Targets = append(props.Targets, prop)
	}
	return props
}

// NewTakenPolicy is the policy that holds a target, for the dialog. now is in the time
// zone to show.
func NewTakenPolicy(ctx context.Context, t policy.TakenTarget, now time.Time) views.TakenPolicy {
	taken := views.TakenPolicy{ID: t.PolicyID, Name: t.PolicyName, HasPlan: t.HasPlan}
	if !t.From.IsZero() {
		taken.From = dateOf(ctx, t.From, now)
	}
	return taken
}

// dateOf is the date of a time in the time zone of now.
func dateOf(ctx context.Context, t, now time.Time) string {
	return locales.ShortDate(ctx, t.In(now.Location()), now)
}

// takenText says which other policy holds a target.
func takenText(ctx context.Context, t policy.TakenTarget, now time.Time) string {
	if t.From.IsZero() {
		return locales.T(ctx, "policy.targets.taken.by", "Target", t.Name, "Policy", t.PolicyName)
	}
	return locales.T(ctx, "policy.targets.taken.from", "Target", t.Name, "Policy", t.PolicyName, "Date", dateOf(ctx, t.From, now))
}

func (t FormTarget) label(ctx context.Context) string { return targetName(ctx, t.Target) }

// targetName is the name of a target, which may no longer exist.
func targetName(ctx context.Context, t policy.Target) string {
	if t.Name == "" {
		return locales.T(ctx, "target.unknown")
	}
	return t.Name
}

// targetKey identifies a target in the form without scripts: "department:5".
func targetKey(t policy.Target) string { return string(t.Type) + ":" + strconv.FormatInt(t.ID, 10) }

// targetText names a target in a list of differences.
func targetText(ctx context.Context, t policy.Target) string {
	if t.Type == policy.DepartmentTarget && !t.IncludeChildren {
		return locales.T(ctx, "target.without_children", "Target", targetName(ctx, t))
	}
	return targetName(ctx, t)
}

// movesTargets reports whether a target would move from another policy to
// this one, which a planned version prevents.
func (p Edit) movesTargets() bool {
	for _, t := range p.Form.Targets {
		if t.Taken != nil && !t.Taken.HasPlan {
			return true
		}
	}
	return false
}

// unchosen are the found targets that are not chosen yet.
func (p Edit) unchosen() []policy.Target {
	chosen := map[string]bool{}
	for _, t := range p.Form.Targets {
		chosen[targetKey(t.Target)] = true
	}
	var fresh []policy.Target
	for _, t := range p.Found {
		if !chosen[targetKey(t)] {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// TargetNames names the first targets in one line and counts the others.
func TargetNames(ctx context.Context, targets []policy.Target) string {
	return views.Enumeration(ctx, differingTargets(ctx, targets))
}

// targetTexts are the texts of the island in which targets are chosen.
func targetTexts(ctx context.Context) map[string]string {
	texts := views.PickerTexts(ctx, "target.title", "target.text", "target.empty")
	texts["label"] = locales.T(ctx, "policy.targets")
	texts["choose"] = locales.T(ctx, "target.choose")
	texts["taken"], texts["taken_from"] = locales.T(ctx, "target.taken"), locales.T(ctx, "target.taken_from")
	texts["moved"], texts["fixed"] = locales.T(ctx, "target.moved"), locales.T(ctx, "target.fixed")
	texts["moves"], texts["moves_one"] = locales.T(ctx, "target.moves"), locales.T(ctx, "target.moves.one")
	texts["skip"] = locales.T(ctx, "target.skip")
	texts["fixed_count"], texts["fixed_one"] = locales.T(ctx, "target.fixed.count"), locales.T(ctx, "target.fixed.one")
	texts["leave_out"] = locales.T(ctx, "target.leave_out")
	return texts
}

// targetChanges are the added and the removed targets. A department with a
// different choice about those below it is in both.
func targetChanges(before, after []policy.Target) (added, removed []policy.Target) {
	type key struct {
		kind     policy.TargetType
		id       int64
		children bool
	}
	keyOf := func(t policy.Target) key { return key{t.Type, t.ID, t.IncludeChildren} }
	missing := func(list, other []policy.Target) (found []policy.Target) {
		there := make(map[key]bool, len(other))
		for _, t := range other {
			there[keyOf(t)] = true
		}
		for _, t := range list {
			if !there[keyOf(t)] {
				found = append(found, t)
			}
		}
		return found
	}
	return missing(after, before), missing(before, after)
}
