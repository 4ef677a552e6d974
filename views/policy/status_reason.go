package policy

import (
	"context"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// StatusReason is the page that explains which policy of a kind applies to a
// person at a time, and why.
type StatusReason struct {
	Frame      views.Frame
	Kind       string
	Person     directory.Person
	Department string                   // path of the person's default department
	At         time.Time                // in the time zone of the company
	Chosen     bool                     // whether the reader chose At; otherwise it is now
	Applies    bool                     // whether a policy applies; false if the company had none yet
	Effective  policy.Effective         // the policy, if Applies
	Now        *policy.Effective        // what applies now, if the reader chose At
	Periods    []policy.EffectivePeriod // what applied since Since and will, if At is now
	Since      time.Time
	Draft      bool // whether it explains a draft, whose page must have no links to other pages
}

// StatusPath is the address of the list of those to whom the policies of a kind apply.
func StatusPath(kind string) string { return "/policies/" + kind + "/status" }

func statusReasonPath(kind string, userID int64) string {
	return StatusPath(kind) + "/" + strconv.FormatInt(userID, 10)
}

// atValue is the value of the field for the time, with seconds where the address has them.
func (v StatusReason) atValue() string {
	if v.hasSeconds() {
		return v.At.Format("2006-01-02T15:04:05")
	}
	return v.At.Format(FormTime)
}

// atStep is the step of the field in seconds. A browser refuses a value between two steps.
func (v StatusReason) atStep() string {
	if v.hasSeconds() {
		return "1"
	}
	return "60"
}

func (v StatusReason) hasSeconds() bool { return v.Chosen && v.At.Second() > 0 }

// mostPastPeriods is how many periods before the current one the page lists.
const mostPastPeriods = 5

// periods are the periods to list.
func (v StatusReason) periods() []policy.EffectivePeriod {
	return v.Periods[max(0, v.currentPeriod()-mostPastPeriods):]
}

// currentPeriod is the place of the period that it is now.
func (v StatusReason) currentPeriod() int {
	last := 0
	for i, p := range v.Periods {
		if !p.From.After(v.Frame.Now) {
			last = i
		}
	}
	return last
}

// isCurrent reports whether it is now the period.
func (v StatusReason) isCurrent(p policy.EffectivePeriod) bool {
	return p.From.Equal(v.Periods[v.currentPeriod()].From)
}

// beginning says when a period begins. The first may have begun before the page looks
// back.
func (v StatusReason) beginning(ctx context.Context, p policy.EffectivePeriod) string {
	from := p.From.In(v.At.Location())
	if p.From.Equal(v.Since) {
		return locales.T(ctx, "status.periods.earlier", "Date", locales.Date(ctx, from))
	}
	return locales.T(ctx, "status.periods.since", "Time", locales.DateTime(ctx, from))
}

// shownChanges is how many changed settings of a period the page names; the explanation
// of its beginning has all.
const shownChanges = 3

// periodURL is the address of the explanation for the beginning of a period. The form
// takes whole minutes, so that it rounds up.
func (v StatusReason) periodURL(p policy.EffectivePeriod) string {
	at := p.From.In(v.At.Location()).Add(time.Minute - time.Nanosecond).Truncate(time.Minute)
	return statusReasonPath(v.Kind, v.Person.ID) + "?at=" + at.Format("2006-01-02T15:04")
}

// nodeName names a step: the person, a department, or the default policy.
func (v StatusReason) nodeName(ctx context.Context, s policy.Step) string {
	switch s.Type {
	case policy.UserTarget:
		return v.Person.Name
	case policy.DepartmentTarget:
		return s.Name
	}
	return locales.T(ctx, "status.step.default")
}

// why explains in a sentence what a step contributes.
func (v StatusReason) why(ctx context.Context, s policy.Step) string {
	switch s.Reason {
	case policy.ReasonNotYet:
		return locales.T(ctx, "status.why.not_yet", "Time", locales.DateTime(ctx, s.From.In(v.At.Location())))
	case policy.ReasonNone, policy.ReasonApplied:
		return locales.T(ctx, "status.why."+string(s.Type)+"."+string(s.Reason))
	}
	return locales.T(ctx, "status.why."+string(s.Reason))
}

// sourceDepartment is the name of the department whose policy is inherited.
func (v StatusReason) sourceDepartment() string {
	for _, s := range v.Effective.Chain {
		if s.Type == policy.DepartmentTarget && s.ID == v.Effective.SourceDepartmentID {
			return s.Name
		}
	}
	return ""
}

// changesFrom are the settings that differ from what applies now.
func (v StatusReason) changesFrom(now policy.Effective) []settings.Change {
	return settings.Diff(now.Settings, v.Effective.Settings)
}

// A statusSetting is a setting, or parts of one, whose value is not the
// default. All its texts are translated.
type statusSetting struct{ label, value, byDefault string }

func (v StatusReason) differing(ctx context.Context) []statusSetting {
	return ownSettings(ctx, v.Effective.Settings, settingviews.People{v.Person.ID: v.Person.Name})
}

// ownSettings are the active settings that are not the default. Parts with the
// same value are listed together: "파일 저장 (모바일·모바일 웹)".
func ownSettings(ctx context.Context, values settings.Values, people settingviews.People) []statusSetting {
	counts := map[string]bool{}
	for _, s := range settings.Settings(values.Kind()) {
		counts[s.Key] = values.Active(s)
	}
	var shown []statusSetting
	changes := settings.Diff(settings.Defaults(values.Kind()), values)
	for start := 0; start < len(changes); {
		first := changes[start]
		value, byDefault := settingviews.ValueText(ctx, first.New, people), settingviews.ValueText(ctx, first.Old, people)
		parts := []string{}
		for ; start < len(changes); start++ {
			c := changes[start]
			if c.Key != first.Key || settingviews.ValueText(ctx, c.New, people) != value || settingviews.ValueText(ctx, c.Old, people) != byDefault {
				break
			}
			if c.Part != "" {
				parts = append(parts, locales.T(ctx, c.Part))
			}
		}
		if counts[first.Key] {
			shown = append(shown, statusSetting{settingLabel(ctx, first.Label, parts), value, byDefault})
		}
	}
	return shown
}

// settingLabel is the name of a setting with the names of its parts.
func settingLabel(ctx context.Context, id string, parts []string) string {
	if len(parts) == 0 {
		return locales.T(ctx, id)
	}
	return locales.T(ctx, "field.point.parts", "Label", locales.T(ctx, id), "Value", strings.Join(parts, "·"))
}
