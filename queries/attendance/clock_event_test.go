package attendance_test

import (
	"fmt"
	"math"
	"net/netip"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// at parses a date and time in Seoul.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	when, err := time.ParseInLocation("2006-01-02 15:04", text, queriestest.Now.Location())
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// clock returns an event that is stored with the given time, however late it is
// sent.
func clock(id string, user int64, kind workday.Kind, when time.Time) attendance.ClockInput {
	return attendance.ClockInput{EventID: id, UserID: user, Kind: kind, OccurredAt: when, Offline: true, Platform: "pc"}
}

func take(t *testing.T, db *areas.Areas, events ...attendance.ClockInput) []attendance.ClockResult {
	t.Helper()
	results, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, events)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func accepted(t *testing.T, results []attendance.ClockResult) {
	t.Helper()
	for _, r := range results {
		if r.Status != attendance.ClockAccepted {
			t.Fatalf("event %s: %s %s", r.EventID, r.Status, r.Code)
		}
	}
}

// dayOf returns a person's records of a date in one line: status, arrival,
// departure and minutes of work.
func dayOf(t *testing.T, db *areas.Areas, user int64, date string) string {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), `select status, to_char(arrival_at at time zone 'Asia/Seoul', 'HH24:MI'), to_char(departure_at at time zone 'Asia/Seoul', 'HH24:MI'), worked_min, extra
		from day_records where company_id = 1 and user_id = $1 and work_date = $2 order by extra`, user, date)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	line := ""
	for rows.Next() {
		var status string
		var arrival, departure *string
		var worked *int
		var extra bool
		if err := rows.Scan(&status, &arrival, &departure, &worked, &extra); err != nil {
			t.Fatal(err)
		}
		show := func(p *string) string {
			if p == nil {
				return "-"
			}
			return *p
		}
		minutes := "-"
		if worked != nil {
			minutes = fmt.Sprint(*worked)
		}
		line += fmt.Sprintf("[%s %s %s %s]", status, show(arrival), show(departure), minutes)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return line
}

func TestTakeClockEvents(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(10 * time.Hour) // 20:00
	accepted(t, take(t, db,
		clock("a", queriestest.Kim, workday.In, at(t, "2026-11-20 09:12")),
		clock("b", queriestest.Employee, workday.In, at(t, "2026-11-20 08:55")),
		clock("c", queriestest.Employee, workday.Out, at(t, "2026-11-20 18:05")),
	))
	for user, want := range map[int64]string{queriestest.Kim: "[late 09:12 - -]", queriestest.Employee: "[on_time 08:55 18:05 490]"} {
		if got := dayOf(t, db, user, "2026-11-20"); got != want {
			t.Errorf("day of %d is %s, not %s", user, got, want)
		}
	}
	t.Run("a replay changes nothing", func(t *testing.T) {
		again := take(t, db, clock("a", queriestest.Kim, workday.In, at(t, "2026-11-20 09:50")), clock("d", queriestest.Kim, workday.Out, at(t, "2026-11-20 18:00")), clock("d", queriestest.Kim, workday.Out, at(t, "2026-11-20 19:00")))
		for i, want := range []attendance.ClockStatus{attendance.ClockDuplicate, attendance.ClockAccepted, attendance.ClockDuplicate} {
			if again[i].Status != want {
				t.Errorf("event %d: %s, not %s", i, again[i].Status, want)
			}
		}
		if got := dayOf(t, db, queriestest.Kim, "2026-11-20"); got != "[late 09:12 18:00 468]" {
			t.Errorf("day is %s", got)
		}
	})
	t.Run("everybody has ids of their own", func(t *testing.T) {
		accepted(t, take(t, db, clock("a", queriestest.Viewer, workday.In, at(t, "2026-11-20 08:40"))))
		if got := dayOf(t, db, queriestest.Viewer, "2026-11-20"); got != "[working 08:40 - -]" {
			t.Errorf("day is %s", got)
		}
	})
	t.Run("a late one finds its day", func(t *testing.T) {
		accepted(t, take(t, db, clock("e", queriestest.Kim, workday.In, at(t, "2026-11-19 08:50")), clock("f", queriestest.Kim, workday.Out, at(t, "2026-11-19 18:30"))))
		if got := dayOf(t, db, queriestest.Kim, "2026-11-19"); got != "[on_time 08:50 18:30 520]" {
			t.Errorf("day is %s", got)
		}
	})
	t.Run("the order does not matter", func(t *testing.T) {
		accepted(t, take(t, db, clock("g", queriestest.Foreigner, workday.Out, at(t, "2026-11-18 18:00"))))
		if got := dayOf(t, db, queriestest.Foreigner, "2026-11-18"); got != "[missing_arrival - 18:00 -]" {
			t.Errorf("departure alone: %s", got)
		}
		accepted(t, take(t, db, clock("h", queriestest.Foreigner, workday.In, at(t, "2026-11-18 09:00"))))
		if got := dayOf(t, db, queriestest.Foreigner, "2026-11-18"); got != "[on_time 09:00 18:00 480]" {
			t.Errorf("with its arrival: %s", got)
		}
	})
}

func TestRefusedClockEvents(t *testing.T) {
	db := queriestest.New(t)
	good := clock("good", queriestest.Kim, workday.In, queriestest.Now)
	for name, c := range map[string]struct {
		change func(*attendance.ClockInput)
		code   string
	}{
		"without an id":                 {func(e *attendance.ClockInput) { e.EventID = "" }, "event.id"},
		"of nobody":                     {func(e *attendance.ClockInput) { e.UserID = 999 }, "event.user"},
		"of somebody elsewhere":         {func(e *attendance.ClockInput) { e.UserID = queriestest.OtherKim }, "event.user"},
		"of a bot":                      {func(e *attendance.ClockInput) { e.UserID = queriestest.Bot }, "event.user"},
		"of a hidden person":            {func(e *attendance.ClockInput) { e.UserID = queriestest.Hidden }, "event.user_hidden"},
		"with an id of another sort":    {func(e *attendance.ClockInput) { e.EventID = "a\x00" }, "event.character"},
		"with a text of another sort":   {func(e *attendance.ClockInput) { e.Reason = "a\x00" }, "event.character"},
		"of no kind":                    {func(e *attendance.ClockInput) { e.Kind = "lunch" }, "event.kind"},
		"without a time":                {func(e *attendance.ClockInput) { e.OccurredAt = time.Time{} }, "event.time"},
		"of the day after tomorrow":     {func(e *attendance.ClockInput) { e.OccurredAt = queriestest.Now.Add(25 * time.Hour) }, "event.future"},
		"of long ago":                   {func(e *attendance.ClockInput) { e.OccurredAt = queriestest.Now.AddDate(0, 0, -32) }, "event.past"},
		"from an unknown platform":      {func(e *attendance.ClockInput) { e.Platform = "fax" }, "event.platform"},
		"from a platform not allowed":   {func(e *attendance.ClockInput) { e.Platform = "web" }, "event.platform"},
		"from beyond the north pole":    {func(e *attendance.ClockInput) { e.GPS = &attendance.GPS{Lat: 91, Lng: 10} }, "event.position"},
		"from a position of no numbers": {func(e *attendance.ClockInput) { e.GPS = &attendance.GPS{Lat: math.NaN(), Lng: 10} }, "event.position"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := good
			bad.EventID = "bad"
			c.change(&bad)
			results := take(t, db, bad, clock("good of "+name, queriestest.Kim, workday.In, queriestest.Now))
			if results[0].Status != attendance.ClockRefused || results[0].Code != c.code {
				t.Errorf("bad one: %+v", results[0])
			}
			if results[1].Status != attendance.ClockAccepted {
				t.Errorf("good one: %+v", results[1])
			}
		})
	}
	if _, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, make([]attendance.ClockInput, 501)); err != queries.Invalid("event.too_many") {
		t.Errorf("501 events: %v", err)
	}
}

// What somebody did before they were hidden or deactivated counts, although it arrives later.
func TestEventsBeforeHiding(t *testing.T) {
	db := queriestest.New(t)
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-19 09:00"))))
	queriestest.Exec(t, db, "update users set hidden_at = $1 where company_id = 1 and id = $2", at(t, "2026-11-19 18:30"), queriestest.Kim)
	out, late := clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-19 18:00")), clock("late", queriestest.Kim, workday.Out, at(t, "2026-11-19 18:30"))
	if got := outcomes(take(t, db, out, late)); got != "accepted event.user_hidden" {
		t.Error(got)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-19"); got != "[on_time 09:00 18:00 480]" {
		t.Error(got)
	}
}

func TestClockProof(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"ip_mode": "listed", "ip_ranges": [{"location_name": "본사망", "range": "203.0.113.0/24"}],
		"gps_mode": "require", "places": [{"name": "판교", "lat": 37.4, "lng": 127.1, "radius_m": 100}], "outside_work": "reason"}' where company_id = 1 and policy_id = 2`)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1")
	here, far := &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 20}, &attendance.GPS{Lat: 37.5, Lng: 127.1, AccuracyM: 20}
	listed, other := netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("198.51.100.7")
	for i, c := range []struct {
		user    int64
		from    netip.Addr
		gps     *attendance.GPS
		reason  string
		want    string // proof, place, latitude kept, outside, mock
		refused string
	}{
		{queriestest.Kim, listed, nil, "", "ip 본사망 false false false", ""},
		{queriestest.Kim, other, here, "", "gps 판교 true false false", ""},
		{queriestest.Kim, other, far, "", "", "event.reason"},
		{queriestest.Kim, other, far, "고객사", "none  true true false", ""},
		{queriestest.Kim, other, &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 500}, "고객사", "none  true true false", ""},
		{queriestest.Kim, other, &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 5, Mock: true}, "", "none 판교 true false true", ""},
		{queriestest.Kim, other, &attendance.GPS{Lat: 37.5, Lng: 127.1, AccuracyM: 5, Mock: true}, "", "", "event.reason"},
		{queriestest.Kim, other, &attendance.GPS{}, "고객사", "none  false true false", ""},
		{queriestest.Employee, listed, here, "", "ip 본사망 false false false", ""}, // without consent to location data
	} {
		e := clock(fmt.Sprint("e", i), c.user, workday.In, queriestest.Now)
		e.Address, e.GPS, e.Reason = c.from, c.gps, c.reason
		result := take(t, db, e)[0]
		if result.Code != c.refused {
			t.Errorf("case %d: %+v, not refused with %q", i, result, c.refused)
			continue
		}
		if c.refused != "" {
			continue
		}
		var proof, place string
		var located, outside, mock bool
		err := db.Pool().QueryRow(t.Context(), "select proof, place, lat is not null, outside, mock from clock_events where event_id = $1", e.EventID).Scan(&proof, &place, &located, &outside, &mock)
		if got := fmt.Sprint(proof, " ", place, " ", located, " ", outside, " ", mock); err != nil || got != c.want {
			t.Errorf("case %d: %s, not %s (%v)", i, got, c.want, err)
		}
	}
}

// Each platform is allowed by itself.
func TestClockPlatforms(t *testing.T) {
	db := queriestest.New(t)
	setAttitude(t, db, `{"clock_platforms": ["web"]}`)
	for platform, want := range map[string]string{"web": "", "mobile_web": "event.platform", "pc": "event.platform", "": ""} {
		e := clock("by "+platform, queriestest.Kim, workday.In, queriestest.Now)
		e.Platform = platform
		if got := take(t, db, e)[0].Code; got != want {
			t.Errorf("by %q: %q, want %q", platform, got, want)
		}
	}
	setAttitude(t, db, `{"clock_platforms": ["mobile_web"]}`)
	e := clock("again", queriestest.Kim, workday.In, queriestest.Now)
	e.Platform = "mobile_web"
	accepted(t, take(t, db, e))
}
