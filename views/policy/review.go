package policy

import (
	"context"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	settingviews "officeconsole/views/setting"
)

// Review is what a save would do, shown before it is confirmed.
type Review struct {
	Changes            policy.Differences
	OwnerFrom, OwnerTo string // before and after
	Preview            policy.Preview
	Reason             DraftReason
	Later              bool                    // whether it takes effect at Preview.At, not at once
	NoTargets          bool                    // whether a new policy has no targets
	NoSettings         bool                    // whether a new policy has only default settings
	PlanFrom           time.Time               // when a planned version will replace the saved one; zero for none
	ReplacesPlan       bool                    // the saved version takes the place of the planned one
	Past               *attendance.PastPreview // what it does to records of the past; nil if nothing
	Unconfirmed        bool                    // the form was sent without the required confirmation of a lockout
	Seal               string                  // identifies the reviewed draft; no other draft is saved
}

// Empty reports whether the save would change nothing, for anybody.
func (r Review) Empty() bool {
	return r.Preview.People() == 0 && len(r.Changes.Fields)+len(r.Changes.Settings)+len(r.Preview.Taken) == 0 && r.OwnerFrom == r.OwnerTo
}

// reviewTitle is the heading of the review: what happens and to how many
// people.
func reviewTitle(ctx context.Context, p Edit, r Review) string {
	id, people := "policy.review.apply", r.Preview.People()
	switch {
	case p.Policy == nil && (r.NoTargets || r.NoSettings):
		id = "policy.review.as_is"
	case p.Policy == nil:
		id = "policy.review.create"
	}
	if people == 0 {
		return locales.T(ctx, id, "Policy", p.Form.Name)
	}
	return locales.N(ctx, id+".people", people, "Policy", p.Form.Name)
}

// reviewStart says when the change takes effect.
func reviewStart(ctx context.Context, p Edit, r Review) string {
	at := r.Preview.At.In(p.Frame.Zone())
	isDate := at.Hour() == 0 && at.Minute() == 0
	if p.Kind == settings.WorkingAttitude && (!r.Later || isDate) {
		return locales.T(ctx, "policy.review.now.work_date", "Date", p.firstWorkDate(ctx, at))
	}
	if !r.Later {
		return locales.T(ctx, "policy.review.now")
	}
	return locales.T(ctx, "policy.review.from", "Time", locales.DateTime(ctx, at))
}

// missingText says what a new policy lacks: targets, settings or both.
func missingText(ctx context.Context, r Review) string {
	switch {
	case !r.NoTargets && r.Preview.People() > 0:
		return locales.T(ctx, "policy.review.defaults")
	case !r.NoTargets:
		return locales.T(ctx, "policy.review.no_settings")
	case !r.NoSettings:
		return locales.T(ctx, "policy.review.no_targets")
	}
	return locales.T(ctx, "policy.review.no_targets_no_settings")
}

// reviewButton is the text of the button that saves.
func reviewButton(ctx context.Context, p Edit, r Review) string {
	switch {
	case p.Policy == nil && (r.NoTargets || r.NoSettings):
		return locales.T(ctx, "policy.review.create_as_is")
	case r.Past != nil:
		return locales.T(ctx, "policy.past.save")
	case p.Policy == nil:
		return locales.T(ctx, "policy.create")
	case r.Later:
		return locales.T(ctx, "policy.review.plan")
	}
	return locales.T(ctx, "policy.review.save")
}

// shownEffects is how many departments and settings the review names.
const shownEffects = 5

// withoutDepartments returns how many people of a total are in none of the departments.
func withoutDepartments(departments []policy.AffectedDepartment, total int) int {
	for _, d := range departments {
		total -= d.People
	}
	return total
}

// EffectText counts the people to whom a policy begins or ceases to apply,
// and those whose settings change.
func EffectText(ctx context.Context, e policy.Preview) string {
	var texts []string
	for _, part := range []struct {
		id     string
		people int
	}{{"policy.effect.gain", e.Gain}, {"policy.effect.lose", e.Lose}, {"policy.effect.change", e.Change}} {
		if part.people > 0 {
			texts = append(texts, locales.N(ctx, part.id, part.people))
		}
	}
	return strings.Join(append(texts, lossTexts(ctx, e)...), " · ")
}

// peopleText names people and counts those without a known name.
func peopleText(ctx context.Context, ids []int64, people settingviews.People) string {
	users := make([]settings.Value, len(ids))
	for i, id := range ids {
		users[i] = settings.Value{Shape: settings.ShapeUser, Number: id}
	}
	return settingviews.ValueText(ctx, settings.Value{Shape: settings.ShapeList, Items: users}, people)
}
