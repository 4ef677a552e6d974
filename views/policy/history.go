package policy

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// shownVersions is how many versions are shown before the reader asks for
// all.
const shownVersions = 6

// versions are the versions that are shown, the latest to take effect first.
func (p Edit) versions() []policy.Version {
	all := slices.Clone(p.Versions)
	slices.SortStableFunc(all, func(a, b policy.Version) int { return b.EffectiveFrom.Compare(a.EffectiveFrom) })
	if p.All {
		return all
	}
	return all[:min(shownVersions, len(all))]
}

// before returns the version that v replaces when it takes effect; false for
// the first one, which replaces the defaults.
func (p Edit) before(v policy.Version) (policy.Version, bool) {
	if at := slices.IndexFunc(p.Versions, func(other policy.Version) bool { return other.No == v.RevertsNo }); at >= 0 {
		return p.Versions[at], true
	}
	var found policy.Version
	for _, other := range p.Versions {
		order := cmp.Or(other.EffectiveFrom.Compare(v.EffectiveFrom), cmp.Compare(other.No, v.No))
		newer := cmp.Or(other.EffectiveFrom.Compare(found.EffectiveFrom), cmp.Compare(other.No, found.No)) > 0
		if order < 0 && newer && other.CancelledAt == nil && !other.IsProvisional() {
			found = other
		}
	}
	return found, found.No != 0
}

// introduced are the differences that a version made, except when it takes
// effect, which is shown beside them.
func (p Edit) introduced(v policy.Version) policy.Differences {
	before, ok := p.before(v)
	if !ok {
		return policy.Differences{Settings: settings.Diff(settings.Defaults(p.Kind), v.Values(string(p.Kind)))}
	}
	return withoutStart(policy.Compare(string(p.Kind), before, v))
}

// Restoration is the question before an earlier version of a policy is saved again.
type Restoration struct {
	policy.Version
	Effect
}

// restores are the differences that saving a version again would make.
func (p Edit) restores(v policy.Version) policy.Differences {
	return withoutStart(policy.Compare(string(p.Kind), p.Policy.Version, v))
}

// planned are the differences that the planned version will make.
func (p Edit) planned() policy.Differences { return p.restores(*p.Policy.Planned) }

// withoutStart removes the time from which a version is in effect.
func withoutStart(d policy.Differences) policy.Differences {
	d.Fields = slices.DeleteFunc(slices.Clone(d.Fields), func(f policy.FieldDifference) bool { return f.Field == "effective_from" })
	return d
}

// canRestore reports whether a version can be saved again: neither the one
// in force nor the planned one.
func (p Edit) canRestore(v policy.Version) bool {
	return v.No != p.Policy.Version.No && (p.Policy.Planned == nil || v.No != p.Policy.Planned.No)
}

func (p Edit) isPlan(v policy.Version) bool {
	return p.Policy.Planned != nil && v.No == p.Policy.Planned.No
}

func (p Edit) inForce(v policy.Version) bool {
	return p.Policy.InForce && v.No == p.Policy.Version.No
}

// isPast reports whether a version was saved for dates that had begun.
func (p Edit) isPast(v policy.Version) bool {
	return p.Kind == settings.WorkingAttitude && v.CancelledAt == nil && v.EffectiveFrom.Before(v.CreatedAt)
}

// isUnconfirmed reports whether a version has ended because nobody confirmed it.
func (p Edit) isUnconfirmed(v policy.Version) bool {
	return v.IsProvisional() && v.CancelledAt == nil && !v.ConfirmBy.After(p.Frame.Now)
}

// byline says who created a version, when and why.
func (p Edit) byline(ctx context.Context, v policy.Version) string {
	parts := []string{locales.ShortDateTime(ctx, v.CreatedAt.In(p.Frame.Zone()), p.Frame.Now)}
	if v.RevertsNo != 0 {
		return strings.Join([]string{parts[0], locales.T(ctx, "policy.version.reverts", "Number", locales.Number(ctx, int64(v.RevertsNo)))}, " · ")
	}
	if v.CreatedByName != "" {
		parts = slices.Insert(parts, 0, v.CreatedByName)
	}
	if v.Reason != "" {
		parts = append(parts, v.Reason)
	}
	return strings.Join(parts, " · ")
}

// firstRefusal is the first error of the form; "" if targets of other
// policies are the reason of the refusal.
func (p Edit) firstRefusal(ctx context.Context) string {
	for _, i := range p.summary(ctx) {
		if i.Error != "" && len(p.Taken) == 0 {
			return i.Error
		}
	}
	return ""
}

// versionURL is the page that asks before a version is saved again.
func versionURL(kind settings.Kind, id int64, no int32) string {
	return policyURL(kind, id) + "/versions/" + strconv.Itoa(int(no)) + "/restore"
}

// fieldText writes the value of a field that is no setting.
func fieldText(ctx context.Context, value any, zone *time.Location) string {
	switch value := value.(type) {
	case string:
		if value == "" {
			return locales.T(ctx, "frame.none")
		}
		return value
	case bool:
		if value {
			return locales.T(ctx, "policy.state.enabled")
		}
		return locales.T(ctx, "policy.state.disabled")
	case time.Time:
		return locales.DateTime(ctx, value.In(zone))
	case policy.Owner:
		if value.UserID == 0 && value.DepartmentID == 0 {
			return locales.T(ctx, "policy.owner.everybody")
		}
		return value.Name
	}
	return ""
}

// shownTargets is how many targets a list of differences names; the others
// are counted.
const shownTargets = 20

// differingTargets names the first targets and counts the others.
func differingTargets(ctx context.Context, targets []policy.Target) []string {
	var texts []string
	for _, t := range targets[:min(shownTargets, len(targets))] {
		texts = append(texts, targetText(ctx, t))
	}
	if rest := len(targets) - shownTargets; rest > 0 {
		texts = append(texts, locales.N(ctx, "policy.targets.others", rest))
	}
	return texts
}
