package policy

import (
	"context"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	"officeconsole/workday"
)

// Recomputations is the page about computing attendance records again because a
// policy was changed for dates of the past.
type Recomputations struct {
	Frame  views.Frame
	Policy policy.Policy
	Rows   []attendance.Recomputation // the newest first
}

// RecomputationsURL is the address of the page.
func RecomputationsURL(kind settings.Kind, id int64) string {
	return policyURL(kind, id) + "/recomputations"
}

// startField is the field that a refusal of the start concerns: the date and time where
// one is asked for.
func (p Edit) startField() string {
	if p.Form.When == string(policy.StartAt) {
		return "at"
	}
	return "when"
}

// startRefusal is the error of the field for the start.
func (p Edit) startRefusal(ctx context.Context) string {
	if p.Locked == nil {
		return views.Refusal(ctx, p.Fields, "effective_from")
	}
	return locales.T(ctx, "policy.effective_from.locked.month", "Month", locales.Month(ctx, p.Locked.Month.Time()), "Date", dateText(ctx, p.Locked.Earliest()))
}

func dateText(ctx context.Context, date workday.Date) string { return locales.Date(ctx, date.Time()) }

// earliestStart is the first time that the field for the start offers: for
// attendance also of the past.
func (p Edit) earliestStart() string {
	if p.EarliestDate == 0 {
		return p.earliest()
	}
	return p.EarliestDate.Time().Format(FormTime)
}

// pastText says with which date a change of the past begins, and with which one an
// existing version goes on.
func pastText(ctx context.Context, p Edit, change *policy.PastChange) string {
	first := dateText(ctx, change.First)
	if change.Until == nil {
		return locales.T(ctx, "policy.past.from", "Date", first)
	}
	return locales.T(ctx, "policy.past.until", "Date", first, "Until", locales.Date(ctx, change.Until.In(p.Frame.Zone())))
}

// changedRecordsText counts the records that differ.
func changedRecordsText(ctx context.Context, s attendance.PastPreview) string {
	people := locales.N(ctx, "policy.effect.people", s.People)
	switch {
	case s.Records == 0 && s.IsExact:
		return locales.T(ctx, "policy.past.none")
	case !s.IsExact:
		return locales.N(ctx, "policy.past.records.more", s.Records, "People", people)
	}
	return locales.N(ctx, "policy.past.records", s.Records, "People", people)
}

// minutesChange is a kind of minutes with the sum by which they change.
type minutesChange struct {
	id      string
	minutes int64
}

// minutesChanges returns the kinds that change.
func minutesChanges(s attendance.RecordSums) []minutesChange {
	var all []minutesChange
	for _, c := range []minutesChange{
		{"policy.past.worked", s.WorkedMin}, {"policy.past.overtime", s.OvertimeMin}, {"policy.past.holiday", s.HolidayMin}, {"policy.past.holiday_over", s.HolidayOverMin},
		{"policy.past.night", s.NightMin}, {"policy.past.late", s.LateMin}, {"policy.past.early", s.EarlyMin},
	} {
		if c.minutes != 0 {
			all = append(all, c)
		}
	}
	return all
}

// text is the sum with its sign.
func (c minutesChange) text(ctx context.Context) string {
	if c.minutes < 0 {
		return "−" + locales.Duration(ctx, int(-c.minutes))
	}
	return "+" + locales.Duration(ctx, int(c.minutes))
}

func sumsOf(r attendance.Recomputation) attendance.RecordSums {
	return attendance.RecordSums{
		Records: int(r.RecordsChanged), People: int(r.PeopleChanged),
		WorkedMin: r.WorkedMin, OvertimeMin: r.OvertimeMin, HolidayMin: r.HolidayMin, HolidayOverMin: r.HolidayOverMin, NightMin: r.NightMin, LateMin: r.LateMin, EarlyMin: r.EarlyMin,
	}
}

// recomputationText says how far a recomputation is, or what it has changed.
func recomputationText(ctx context.Context, r attendance.Recomputation) string {
	switch r.State() {
	case attendance.RecomputationWaiting:
		return locales.T(ctx, "policy.recomputation.waiting")
	case attendance.RecomputationRunning:
		return locales.T(ctx, "policy.recomputation.running", "Done", locales.Number(ctx, int64(r.Done)), "People", locales.Number(ctx, int64(r.People)))
	case attendance.RecomputationRetrying:
		return locales.T(ctx, "policy.recomputation.retrying")
	}
	if r.RecordsChanged == 0 {
		return locales.T(ctx, "policy.recomputation.unchanged")
	}
	people := locales.N(ctx, "policy.effect.people", int(r.PeopleChanged))
	return locales.N(ctx, "policy.recomputation.changed", int(r.RecordsChanged), "People", people)
}

// tone is the tone of the badge of a recomputation, and icon its icon.
func tone(r attendance.Recomputation) (tone, icon string) {
	switch r.State() {
	case attendance.RecomputationFinished:
		return "success", "check"
	case attendance.RecomputationRetrying:
		return "danger", "alert"
	}
	return "info", "clock"
}

// dates are the dates whose records are computed again.
func dates(ctx context.Context, r attendance.Recomputation) string {
	return locales.Date(ctx, r.FirstDate) + " – " + locales.Date(ctx, r.LastDate)
}

// requestText says who saved the version, and when.
func requestText(ctx context.Context, r attendance.Recomputation, zone *time.Location, now time.Time) string {
	parts := []string{locales.T(ctx, "policy.version", "Number", locales.Number(ctx, int64(r.VersionNo)))}
	if r.CreatedByName != "" {
		parts = append(parts, r.CreatedByName)
	}
	return strings.Join(append(parts, locales.ShortDateTime(ctx, r.CreatedAt.In(zone), now)), " · ")
}
