package attendance_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// worked sends the arrival at 9:00 and the departure of a day.
func worked(t *testing.T, db *areas.Areas, user int64, date, until string) {
	t.Helper()
	accepted(t, take(t, db,
		clock("in "+date, user, workday.In, at(t, date+" 09:00")),
		clock("out "+date, user, workday.Out, at(t, date+" "+until)),
	))
}

// messagesOf returns the payloads of the company's messages of a type.
func messagesOf(t *testing.T, db *areas.Areas, messageType string) []string {
	t.Helper()
	all, err := db.MessagesAfter(t.Context(), queriestest.Hanbit, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	payloads := []string{}
	for _, m := range all {
		if m.Type == messageType {
			payloads = append(payloads, string(m.Payload))
		}
	}
	return payloads
}

func TestBlockedWeek(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(12 * time.Hour)
	setAttitude(t, db, `{"weekly_action": "block", "weekly_cap_min": 1200, "weekly_warn_min": 1200}`)
	arrives := func(id string, user int64, when string) string {
		t.Helper()
		return take(t, db, clock(id, user, workday.In, at(t, when)))[0].Code
	}
	worked(t, db, queriestest.Kim, "2026-11-16", "20:00")
	worked(t, db, queriestest.Kim, "2026-11-17", "19:59")
	if got := arrives("a", queriestest.Kim, "2026-11-18 09:00"); got != "" {
		t.Errorf("a minute before the limit: %q", got)
	}
	accepted(t, take(t, db, clock("b", queriestest.Kim, workday.Out, at(t, "2026-11-18 09:01"))))
	if got := arrives("c", queriestest.Kim, "2026-11-19 09:00"); got != "event.weekly_cap" {
		t.Errorf("at the limit: %q", got)
	}
	accepted(t, take(t, db, clock("d", queriestest.Kim, workday.Out, at(t, "2026-11-19 18:00"))))
	if got := arrives("e", queriestest.Employee, "2026-11-19 09:00"); got != "" {
		t.Errorf("somebody else: %q", got)
	}
	if got := arrives("f", queriestest.Kim, "2026-11-13 09:00"); got != "" {
		t.Errorf("in another week: %q", got)
	}
	setAttitude(t, db, `{"weekly_cap_min": 1200, "weekly_warn_min": 1200}`)
	if got := arrives("g", queriestest.Kim, "2026-11-20 09:00"); got != "" {
		t.Errorf("where it is only told: %q", got)
	}
}

// A blocked week ends within a batch as it does where the events are sent apart.
func TestBlockedWeekWithinBatch(t *testing.T) {
	person := func(user int64, until string) []attendance.ClockInput {
		var events []attendance.ClockInput
		for _, day := range []string{"16", "17", "18", "19", "20"} {
			date := "2026-11-" + day
			events = append(events,
				clock(fmt.Sprint(user, " in ", day), user, workday.In, at(t, date+" 08:00")),
				clock(fmt.Sprint(user, " out ", day), user, workday.Out, at(t, date+" "+until)))
		}
		return append(events, clock(fmt.Sprint(user, " in 21"), user, workday.In, at(t, "2026-11-21 09:00")),
			clock(fmt.Sprint(user, " out 21"), user, workday.Out, at(t, "2026-11-21 18:00")))
	}
	refused := func(results []attendance.ClockResult) (ids []string) {
		for _, r := range results {
			if r.Status == attendance.ClockRefused {
				ids = append(ids, r.EventID+" "+r.Code)
			}
		}
		return ids
	}
	long, exact, short := person(queriestest.Kim, "20:00"), person(queriestest.Employee, "19:24"), person(queriestest.Manager, "19:23")
	want := []string{
		fmt.Sprint(queriestest.Kim, " in 21 event.weekly_cap"), fmt.Sprint(queriestest.Employee, " in 21 event.weekly_cap"),
	}
	batches := map[string][][]attendance.ClockInput{
		"one":             {slices.Concat(long, exact, short)},
		"within a day":    {slices.Concat(long[:1], exact[:1], short[:1]), slices.Concat(long[1:], exact[1:], short[1:])},
		"within the week": {slices.Concat(long[:7], exact[:6], short[:5]), slices.Concat(long[7:], exact[6:], short[5:])},
	}
	for _, e := range slices.Concat(long, exact, short) {
		batches["apart"] = append(batches["apart"], []attendance.ClockInput{e})
	}
	for name, calls := range batches {
		t.Run(name, func(t *testing.T) {
			db, c := queriestest.NewWithClock(t)
			c.Advance(4 * 24 * time.Hour)
			setAttitude(t, db, `{"weekly_action": "block"}`)
			var got []string
			for _, events := range calls {
				got = append(got, refused(take(t, db, events...))...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("refused: %q, want %q", got, want)
			}
		})
	}
}

// Everybody is told once of each limit of a week.
func TestWeeklyLimitsAreTold(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(12 * time.Hour)
	setAttitude(t, db, `{"weekly_warn_min": 600, "weekly_cap_min": 1200}`)
	told := func(what string, want ...string) {
		t.Helper()
		if got := messagesOf(t, db, "attendance.weekly_limit"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	limit := func(user int64, level string, worked, limit int) string {
		return fmt.Sprintf(`{"week": "2026-11-16", "level": "%s", "user_id": %d, "limit_min": %d, "worked_min": %d}`, level, user, limit, worked)
	}
	worked(t, db, queriestest.Kim, "2026-11-16", "19:59")
	told("a minute before")
	worked(t, db, queriestest.Kim, "2026-11-17", "13:00")
	warned := limit(queriestest.Kim, "warn", 779, 600)
	told("the first limit", warned)
	worked(t, db, queriestest.Kim, "2026-11-18", "13:00")
	told("still the first limit", warned)
	worked(t, db, queriestest.Kim, "2026-11-19", "18:00")
	capped := limit(queriestest.Kim, "cap", 1439, 1200)
	told("the second limit", warned, capped)

	var events []string
	for _, day := range []string{"16", "17", "18"} {
		events = append(events, "2026-11-"+day)
	}
	for _, day := range events {
		accepted(t, take(t, db, clock("in "+day, queriestest.Employee, workday.In, at(t, day+" 09:00"))))
	}
	accepted(t, take(t, db,
		clock("out 1", queriestest.Employee, workday.Out, at(t, events[0]+" 18:00")), clock("out 2", queriestest.Employee, workday.Out, at(t, events[1]+" 18:00")),
		clock("out 3", queriestest.Employee, workday.Out, at(t, events[2]+" 18:00")),
	))
	told("both at once", warned, capped, limit(queriestest.Employee, "cap", 1440, 1200))

	worked(t, db, queriestest.Viewer, "2026-11-09", "23:00")
	told("a week of the past", warned, capped, limit(queriestest.Employee, "cap", 1440, 1200))

	setAttitude(t, db, `{"weekly_warn_min": 60, "weekly_cap_min": 60, "weekly_action": "none"}`)
	worked(t, db, queriestest.Viewer, "2026-11-20", "18:00")
	told("where nothing is done", warned, capped, limit(queriestest.Employee, "cap", 1440, 1200))
}

// A week counts as a whole where a month ends within it.
func TestWeekOfTwoMonths(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(12*24*time.Hour + 12*time.Hour)
	setAttitude(t, db, `{"weekly_warn_min": 1200, "weekly_cap_min": 3000}`)
	worked(t, db, queriestest.Kim, "2026-11-30", "20:00")
	worked(t, db, queriestest.Kim, "2026-12-01", "19:59")
	if got := messagesOf(t, db, "attendance.weekly_limit"); len(got) > 0 {
		t.Errorf("a minute before the limit: %q", got)
	}
	worked(t, db, queriestest.Employee, "2026-11-30", "20:00")
	worked(t, db, queriestest.Employee, "2026-12-01", "20:00")
	want := []string{fmt.Sprintf(`{"week": "2026-11-30", "level": "warn", "user_id": %d, "limit_min": 1200, "worked_min": 1200}`, queriestest.Employee)}
	if got := messagesOf(t, db, "attendance.weekly_limit"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
