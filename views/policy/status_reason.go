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
	Department string           // the person's default department, by its path
	At         time.Time        // in the zone of the company
	Chosen     bool             // whether somebody chose At; else it is now
	Applies    bool             // false when the company had no policy yet
	Effective  policy.Effective // if one applies
	Draft      bool             // of a draft, from whose page nothing leads away
}

func statusPath(kind string) string { return "/policies/" + kind + "/status" }

func statusReasonPath(kind string, userID int64) string {
	return statusPath(kind) + "/" + strconv.FormatInt(userID, 10)
}

// nodeName names a step: the person, a department, or the default.
func (v StatusReason) nodeName(ctx context.Context, s policy.Step) string {
	switch s.Type {
	case policy.UserTarget:
		return v.Person.Name
	case policy.DepartmentTarget:
		return s.Name
	}
	return locales.T(ctx, "status.step.default")
}

// why says in a sentence what a step contributes.
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

// A statusSetting is a setting of the policy, or parts of it, whose value is
// not the default. All its texts are translated.
type statusSetting struct{ label, value, standard string }

// differing are the settings that count and are not as the defaults. Parts with
// the same value are told together: "파일 저장 (모바일·모바일 웹)".
func (v StatusReason) differing(ctx context.Context) []statusSetting {
	values := v.Effective.Settings
	counts := map[string]bool{}
	for _, s := range settings.Settings(values.Kind()) {
		counts[s.Key] = values.Active(s)
	}
	people := settingviews.People{v.Person.ID: v.Person.Name}
	var told []statusSetting
	changes := settings.Diff(settings.Defaults(values.Kind()), values)
	for start := 0; start < len(changes); {
		first := changes[start]
		value, standard := settingviews.ValueText(ctx, first.New, people), settingviews.ValueText(ctx, first.Old, people)
		parts := []string{}
		for ; start < len(changes); start++ {
			c := changes[start]
			if c.Key != first.Key || settingviews.ValueText(ctx, c.New, people) != value || settingviews.ValueText(ctx, c.Old, people) != standard {
				break
			}
			if c.Part != "" {
				parts = append(parts, locales.T(ctx, c.Part))
			}
		}
		if counts[first.Key] {
			told = append(told, statusSetting{settingLabel(ctx, first.Label, parts), value, standard})
		}
	}
	return told
}

func settingLabel(ctx context.Context, id string, parts []string) string {
	if len(parts) == 0 {
		return locales.T(ctx, id)
	}
	return locales.T(ctx, "field.point.parts", "Label", locales.T(ctx, id), "Value", strings.Join(parts, "·"))
}
