package policy

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
	"officeconsole/workday"
)

// Edit is the page on which a policy is created, viewed and changed.
type Edit struct {
	Frame    views.Frame
	Kind     settings.Kind
	Policy   *policy.Policy   // nil for a new policy
	Versions []policy.Version // the newest first
	Form     Form
	Fields   queries.FieldErrors // refused fields, by their names in the API
	Settings settings.Errors
	Taken    []policy.TakenTarget  // targets of other policies, because of which the save was refused
	Conflict *Conflict             // the save of another administrator, because of which this one was refused
	Deleted  *policy.DeletedPolicy // the policy, if somebody deleted it in the meantime; nil if not
	Restored bool                  // whether the policy was restored for this form, which is not saved yet
	Review   *Review               // the effects of the save; nil until they are asked for
	Restore  *Restoration          // the question before an earlier version is saved again; nil for none
	Cancel   *policy.Preview       // what cancelling the planned version does, before the confirmation; nil for none
	Move     *PlanMove             // the refused new time of the planned version; nil for none
	Owners   []views.Option        // possible owners of the policy
	Found    []policy.Target       // results of the search for targets without scripts
	People   settingviews.People   // names of the people in the settings
	Address  netip.Addr            // of the reader

	Locked        *policy.LockedMonth       // the locked month because of which the start was refused; nil for none
	EarliestDate  workday.Date              // the first date with which an attendance policy may start; 0 of other policies
	Recomputation *attendance.Recomputation // the latest because of the policy; nil for none

	All bool // whether the whole history is shown
}

// Form is the content of the form of a policy: the values in force, or what
// was typed.
type Form struct {
	Name, Description string
	Owner             string // "user:1", "department:5" or "" for every administrator
	Enabled           bool
	Targets           []FormTarget
	Settings          settings.Form
	When              string // a policy.StartKind
	At                string // the time for policy.StartAt, in the format FormTime
	Reason            string
	Find              string // the search for targets without scripts
	LastNo            int32  // the last version when the form was opened, compared as If-Match is
	BasedOn           int32  // the version whose values the form was filled with; 0 for none
	Typed             bool   // whether it holds unsaved input
}

// FormTarget is a target in the form, with the other policy that holds it; nil for none.
type FormTarget struct {
	policy.Target
	Taken *policy.TakenTarget
}

// Conflict is what another administrator saved after the form was opened.
type Conflict struct {
	By      string
	At      time.Time
	Changes policy.Differences // from the version that the form was filled with to the one in force
	Planned bool               // whether the planned version changed too
}

// PlanMove is a refused new time of a planned version.
type PlanMove struct {
	At      string // as typed
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

// refused reports whether any part of the form was refused.
func (p Edit) refused() bool {
	return len(p.Fields)+len(p.Settings)+len(p.Taken) > 0 || p.Move != nil
}

// planAt is the value of the field for the new time of the planned version.
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

// summary lists the refused fields for views.ErrorSummary.
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
	inputs = append(inputs, views.Input{Name: p.startField(), Error: p.startRefusal(ctx)}, views.Input{Name: "reason", Error: views.Refusal(ctx, p.Fields, "reason")}, views.Input{Name: "plan-at", Error: p.planRefusal(ctx)})
	return inputs
}

// summaryTitle counts the refused fields.
func (p Edit) summaryTitle(ctx context.Context) string {
	fields := slices.DeleteFunc(p.summary(ctx), func(i views.Input) bool { return i.Error == "" })
	return locales.N(ctx, "policy.refused", len(fields))
}

// targetErrors are the errors of the targets together and of each of them.
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

// reader is the context of the form of settings.
func (p Edit) reader() settingviews.Reader {
	reader := settingviews.Reader{Address: p.Address, People: p.People, UsersURL: views.OrganizationURL(p.Frame.Person, "users"), RangesURL: views.UserURL(p.Frame.Person) + "/ip-ranges/check"}
	if p.Policy != nil {
		reader.Before = p.Policy.Version.Values(string(p.Kind))
	}
	return reader
}

func (f Form) targets() []policy.Target {
	targets := make([]policy.Target, len(f.Targets))
	for i, t := range f.Targets {
		targets[i] = t.Target
	}
	return targets
}

// FormTime is the format of <input type="datetime-local">.
const FormTime = "2006-01-02T15:04"

// planNotice is the id of the message that says what the planned version means for the form.
func (p Edit) planNotice() string {
	if p.Form.BasedOn == p.Policy.Planned.No {
		return "policy.form.planned"
	}
	return "policy.plan.replaces"
}

// earliest is the first time that the field for a date and time offers.
func (p Edit) earliest() string { return p.Frame.Now.Add(5 * time.Minute).Format(FormTime) }

// latest is the last time that the field for a date and time offers.
func (p Edit) latest() string { return p.Frame.Now.AddDate(1, 0, 0).Format(FormTime) }

// startOptions are the choices of when a change takes effect. Records follow
// the policy that is in force when their date begins, so for working attitude
// they say from which date on.
func (p Edit) startOptions(ctx context.Context) []views.Option {
	now, at := locales.T(ctx, "policy.when.now"), "policy.when.time"
	if p.Kind == settings.WorkingAttitude {
		now = locales.T(ctx, "policy.when.now.work_date", "Date", p.firstWorkDate(ctx, p.Frame.Now))
		at = "policy.when.past"
	}
	return []views.Option{
		{Value: string(policy.StartNow), Text: now},
		{Value: string(policy.StartNextWorkDate), Text: p.tomorrow(ctx)},
		{Value: string(policy.StartAt), Text: locales.T(ctx, at)},
	}
}

// tomorrow names the next work date. It is not the next working day: every date has
// records, also days off, and whose day off it is differs between people.
func (p Edit) tomorrow(ctx context.Context) string {
	date := p.Frame.Now.In(p.Frame.Zone()).AddDate(0, 0, 1)
	return locales.T(ctx, "policy.when.next_work_date", "Date", locales.ShortDate(ctx, date, p.Frame.Now), "Weekday", locales.ShortWeekday(ctx, date))
}

// firstWorkDate is the first date to which a version applies that takes effect
// at a time.
func (p Edit) firstWorkDate(ctx context.Context, from time.Time) string {
	return locales.ShortDate(ctx, policy.FirstWorkDate(from, p.Frame.Zone()).Time(), p.Frame.Now)
}

// defaultAction is the action of the Enter key. In the review it confirms, unless a check
// stops the save.
func (p Edit) defaultAction() string {
	if p.Review != nil && !isStopped(p.Review.Preview) {
		return "apply"
	}
	return "review"
}
