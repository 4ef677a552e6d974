package policy

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// Edit is the page on which a policy is made, looked at and changed.
type Edit struct {
	Frame    views.Frame
	Kind     settings.Kind
	Policy   *policy.Policy   // nil: a new one
	Versions []policy.Version // the newest first
	Form     Form
	Fields   queries.FieldErrors // refused, by the names in the API
	Settings settings.Errors
	Taken    []policy.TakenTarget // targets that other policies hold, which refused the save
	Conflict *Conflict            // somebody else's save, which refused this one
	Review   *Review              // what a save would do; nil while it is not asked for
	Restore  *policy.Version      // the version that is about to be saved again
	Move     *PlanMove            // another time for the planned change, which was refused
	Owners   []views.Option       // who can own the policy
	Found    []policy.Target      // departments and people that the search without scripts found
	People   settingviews.People  // names of those whom settings list
	Address  netip.Addr           // from which the reader reads
	All      bool                 // the whole history is shown
}

// Form is what the form of a policy shows: what is in force, or what was
// typed.
type Form struct {
	Name, Description string
	Owner             string // "user:1", "department:5" or "" for every administrator
	Enabled           bool
	Targets           []FormTarget
	Settings          settings.Form
	When              string // a policy.StartKind
	At                string // of policy.StartAt, as <input type="datetime-local"> has it
	Reason            string
	Find              string // what is searched for without scripts
	LastNo            int32  // that If-Match names
	BasedOn           int32  // the version that the form began with; 0: none
	Typed             bool   // it shows what was typed and never saved
}

// FormTarget is a target in the form, with the policy that it would leave.
type FormTarget struct {
	policy.Target
	TakenID   int64 // 0: no other policy holds it
	TakenName string
}

// Conflict is what somebody else saved in the meantime.
type Conflict struct {
	By      string
	At      time.Time
	Changes policy.Differences // of the version in force
	Planned bool               // the planned change is another one
}

// PlanMove is another time for a planned change.
type PlanMove struct {
	At      string // as it was typed
	Refused queries.FieldErrors
}

func (p Edit) url() string { return policyURL(p.Kind, p.id()) }

func (p Edit) id() int64 {
	if p.Policy == nil {
		return 0
	}
	return p.Policy.ID
}

func (p Edit) isDefault() bool { return p.Policy != nil && p.Policy.IsDefault }

func (p Edit) title(ctx context.Context) string {
	if p.Policy == nil {
		return locales.T(ctx, "policy.create."+string(p.Kind))
	}
	return p.Policy.Version.Name
}

// refused reports whether something of the form is.
func (p Edit) refused() bool {
	return len(p.Fields)+len(p.Settings)+len(p.Taken) > 0 || p.Move != nil
}

// planAt is what the field for another time of the planned change holds.
func (p Edit) planAt() string {
	if p.Move != nil {
		return p.Move.At
	}
	return p.Policy.Planned.EffectiveFrom.In(p.Frame.Zone()).Format(FormTime)
}

func (p Edit) planRefusal(ctx context.Context) string {
	if p.Move == nil {
		return ""
	}
	return views.Refusal(ctx, p.Move.Refused, "effective_from")
}

// summary is what errorSummary lists.
func (p Edit) summary(ctx context.Context) []views.Input {
	var inputs []views.Input
	for _, field := range []struct{ name, id string }{
		{"name", "name"}, {"description", "description"}, {"owner", "owner"}, {"enabled", "enabled"},
	} {
		inputs = append(inputs, views.Input{Name: field.id, Error: views.Refusal(ctx, p.Fields, field.name)})
	}
	for _, text := range p.targetErrors(ctx) {
		inputs = append(inputs, views.Input{Name: "policy-targets", Error: text})
	}
	inputs = append(inputs, settingviews.ErrorInputs(ctx, p.Kind, p.Settings)...)
	inputs = append(inputs, views.Input{Name: "when", Error: views.Refusal(ctx, p.Fields, "effective_from")}, views.Input{Name: "reason", Error: views.Refusal(ctx, p.Fields, "reason")}, views.Input{Name: "plan-at", Error: p.planRefusal(ctx)})
	return inputs
}

// targetErrors are those of the targets as a whole and of each of them.
func (p Edit) targetErrors(ctx context.Context) []string {
	var texts []string
	if text := views.Refusal(ctx, p.Fields, "targets"); text != "" {
		texts = append(texts, text)
	}
	for i, t := range p.Form.Targets {
		text := views.Refusal(ctx, p.Fields, "targets."+strconv.Itoa(i))
		if text != "" && t.Name != "" {
			text = locales.T(ctx, "field.refused", "Label", t.Name, "Text", text)
		}
		if text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(p.Taken) > 0 {
		texts = append(texts, locales.T(ctx, "policy.targets.taken"))
	}
	return texts
}

// reader is whom the form of settings is for.
func (p Edit) reader() settingviews.Reader {
	reader := settingviews.Reader{Address: p.Address, People: p.People, UsersURL: views.OrganizationURL(p.Frame.Person, "users"), RangesURL: views.UserURL(p.Frame.Person) + "/ip-ranges/check"}
	if p.Policy != nil {
		reader.Before = p.Policy.Version.Values(string(p.Kind))
	}
	return reader
}

// changedSettings and changedTargets count what the form would change.
func (p Edit) changedSettings() int {
	if p.Policy == nil || !p.Form.Typed {
		return 0
	}
	return settingviews.ChangedSettings(p.Form.Settings, p.Settings, p.reader())
}

func (p Edit) changedTargets() int {
	if p.Policy == nil {
		return len(p.Form.Targets)
	}
	added, removed := targetChanges(p.Policy.Version.Targets, p.Form.targets())
	return len(added) + len(removed)
}

func (f Form) targets() []policy.Target {
	targets := make([]policy.Target, len(f.Targets))
	for i, t := range f.Targets {
		targets[i] = t.Target
	}
	return targets
}

// targetChanges are the targets that came, and those that went. One with other
// departments below it does both.
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

// FormTime is a time as <input type="datetime-local"> has it.
const FormTime = "2006-01-02T15:04"

// earliest and latest are what the field for a date and time proposes.
func (p Edit) earliest() string { return p.Frame.Now.Add(5 * time.Minute).Format(FormTime) }

func (p Edit) latest() string { return p.Frame.Now.AddDate(1, 0, 0).Format(FormTime) }

// startOptions are the choices of when a change takes effect.
func startOptions(ctx context.Context) []views.Option {
	return []views.Option{
		{Value: string(policy.StartNow), Text: locales.T(ctx, "policy.when.now")},
		{Value: string(policy.StartNextWorkDate), Text: locales.T(ctx, "policy.when.next_work_date")},
		{Value: string(policy.StartAt), Text: locales.T(ctx, "policy.when.time")},
	}
}

// defaultAction is what the Enter key does: in the question it answers yes.
func (p Edit) defaultAction() string {
	if p.Review != nil {
		return "apply"
	}
	return "review"
}
