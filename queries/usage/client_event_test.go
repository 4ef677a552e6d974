package usage_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// clientLogin is a login of Kim's on a PC that is accepted.
func clientLogin(id, version string, before time.Duration) usage.ClientEvent {
	return usage.ClientEvent{
		EventID: id, UserID: queriestest.Kim, Platform: usage.PC, Kind: usage.ClientLogin, Version: version, OS: "Windows 11 24H2",
		DeviceID: "d1", DeviceName: "SALES-0412", OccurredAt: queriestest.Now.Add(-before),
	}
}

func takeClients(t testing.TB, db *areas.Areas, events ...usage.ClientEvent) []usage.Result {
	t.Helper()
	results, err := db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, events)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// client writes what is known of somebody's client on a platform.
func client(t testing.TB, db *areas.Areas, userID int64, platform string) string {
	t.Helper()
	return queriestest.LookUp(t, db, `select coalesce((select concat_ws(' ', case when installed then 'installed' else 'removed' end, devices, system, version, os, device_name, push_alive,
		to_char(first_login_at at time zone 'Asia/Seoul', 'MM-DD HH24:MI'), to_char(last_login_at at time zone 'Asia/Seoul', 'MM-DD HH24:MI'))
		from client_people where company_id = 1 and user_id = $1 and platform = $2), '')`, userID, platform)
}

func TestClientEventsAreDecidedOnOneByOne(t *testing.T) {
	db := queriestest.New(t)
	with := func(change func(*usage.ClientEvent)) usage.ClientEvent {
		e := clientLogin("x", "6.4.2", time.Hour)
		change(&e)
		return e
	}
	for _, test := range []struct {
		want   string
		change func(*usage.ClientEvent)
	}{
		{"refused event.id", func(e *usage.ClientEvent) { e.EventID = "" }},
		{"refused event.user", func(e *usage.ClientEvent) { e.UserID = 999 }},
		{"refused event.user", func(e *usage.ClientEvent) { e.UserID = queriestest.OtherKim }},
		{"refused event.user", func(e *usage.ClientEvent) { e.UserID = queriestest.Bot }},
		{"refused usage.client_platform", func(e *usage.ClientEvent) { e.Platform = "web" }},
		{"refused usage.client_platform", func(e *usage.ClientEvent) { e.Platform = "fridge" }},
		{"refused usage.kind", func(e *usage.ClientEvent) { e.Kind = "explode" }},
		{"refused usage.device_id", func(e *usage.ClientEvent) { e.DeviceID = "" }},
		{"refused usage.device_id", func(e *usage.ClientEvent) { e.DeviceID = strings.Repeat("가", 201) }},
		{"refused usage.device", func(e *usage.ClientEvent) { e.DeviceName = strings.Repeat("가", 10_000) }},
		{"refused usage.device", func(e *usage.ClientEvent) { e.OS = strings.Repeat("가", 301) }},
		{"refused usage.character", func(e *usage.ClientEvent) { e.DeviceName = "a\x00b" }},
		{"refused usage.version", func(e *usage.ClientEvent) { e.Version = "" }},
		{"refused usage.version", func(e *usage.ClientEvent) { e.Version = "latest" }},
		{"refused usage.version", func(e *usage.ClientEvent) { e.Version = "6.40000" }},
		{"refused usage.version", func(e *usage.ClientEvent) { e.Version = "1.2.3.4.5" }},
		{"refused event.time", func(e *usage.ClientEvent) { e.OccurredAt = time.Time{} }},
		{"refused event.future", func(e *usage.ClientEvent) { e.OccurredAt = queriestest.Now.Add(2 * time.Minute) }},
		{"refused usage.past", func(e *usage.ClientEvent) { e.OccurredAt = queriestest.Now.AddDate(-1, 0, -2) }},
	} {
		if got := statuses(takeClients(t, db, with(test.change))); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	got := statuses(takeClients(t, db, clientLogin("a", "6.4.2", time.Hour), with(func(e *usage.ClientEvent) { e.UserID = 0 }), clientLogin("a", "6.4.2", time.Hour),
		with(func(e *usage.ClientEvent) { e.EventID, e.UserID = "hidden", queriestest.Hidden }), with(func(e *usage.ClientEvent) { e.EventID, e.Kind, e.Version = "out", usage.ClientLogout, "" })))
	if want := "accepted, refused event.user, duplicate, accepted, accepted"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, make([]usage.ClientEvent, 501)); !errors.Is(err, queries.Invalid("event.too_many")) {
		t.Errorf("501 events: %v", err)
	}
}

func TestAnEarlierEventReplacesNothing(t *testing.T) {
	db := queriestest.New(t)
	takeClients(t, db, clientLogin("now", "6.4.2", time.Minute))
	takeClients(t, db, clientLogin("then", "6.1.0", 48*time.Hour))
	if got, want := client(t, db, queriestest.Kim, usage.PC), "installed 1 windows 6.4.2 Windows 11 24H2 SALES-0412 11-18 10:00 11-20 09:59"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	second := clientLogin("second", "6.3.0", 30*time.Second)
	second.DeviceID, second.DeviceName, second.OS = "d2", "MBP-07", "macOS 15.7"
	removed := clientLogin("removed", "", 10*time.Second)
	removed.Kind = usage.ClientUninstall
	takeClients(t, db, removed, second)
	if got, want := client(t, db, queriestest.Kim, usage.PC), "installed 1 macos 6.3.0 macOS 15.7 MBP-07 11-18 10:00 11-20 09:59"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	removed.EventID, removed.DeviceID = "removed2", "d2"
	takeClients(t, db, removed)
	takeClients(t, db, clientLogin("late", "6.2.0", time.Hour))
	if got, want := client(t, db, queriestest.Kim, usage.PC), "removed 0 macos 6.3.0 macOS 15.7 MBP-07 11-18 10:00 11-20 09:59"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := client(t, db, queriestest.Kim, usage.Mobile); got != "" {
		t.Errorf("a client of the PC is one of the mobile: %s", got)
	}
}

// What is known does not depend on the order of the events, nor on how they are
// cut into calls.
func TestClientEventsInAnyOrder(t *testing.T) {
	db := queriestest.New(t)
	kinds := []usage.ClientEventKind{usage.ClientInstall, usage.ClientLogin, usage.ClientLogout, usage.ClientUninstall}
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		var events []usage.ClientEvent
		for i := range rapid.IntRange(1, 8).Draw(rt, "events") {
			e := clientLogin(fmt.Sprint(round, "-", i), fmt.Sprint("6.", rapid.IntRange(0, 12).Draw(rt, "minor")), time.Duration(rapid.IntRange(0, 3).Draw(rt, "hours"))*time.Hour)
			e.Kind, e.DeviceID = rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.SampledFrom([]string{"d1", "d2"}).Draw(rt, "device")
			if alive := rapid.IntRange(0, 2).Draw(rt, "push"); alive < 2 {
				e.PushAlive = new(bool)
				*e.PushAlive = alive == 1
			}
			events = append(events, e)
		}
		state := func(events []usage.ClientEvent, calls int) string {
			queriestest.Exec(t, db, "delete from installations")
			queriestest.Exec(t, db, "delete from client_people")
			queriestest.Exec(t, db, "delete from client_events")
			for part := range slices.Chunk(events, (len(events)+calls-1)/calls) {
				takeClients(t, db, part...)
			}
			return client(t, db, queriestest.Kim, usage.PC)
		}
		want := state(events, 1)
		mixed := rapid.Permutation(events).Draw(rt, "order")
		if got := state(mixed, rapid.IntRange(1, len(events)).Draw(rt, "calls")); got != want {
			rt.Fatalf("%s in one order, %s in the other", want, got)
		}
	})
}

// Calls with the same events, and with events of the same people, at the same time.
func TestClientEventsOfManyCalls(t *testing.T) {
	db := queriestest.New(t)
	var events []usage.ClientEvent
	for i := range 60 {
		e := clientLogin(fmt.Sprint("e", i), fmt.Sprint("6.", i), time.Duration(60-i)*time.Minute)
		e.UserID, e.DeviceID = []int64{queriestest.Kim, queriestest.Employee, queriestest.Admin}[i%3], fmt.Sprint("d", i%6)
		events = append(events, e)
	}
	var group errgroup.Group
	accepted := make([]int, 6)
	for i := range accepted {
		group.Go(func() error {
			mine := slices.Clone(events[i*8 : i*8+20])
			if i%2 == 1 {
				slices.Reverse(mine)
			}
			results, err := db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, mine)
			for _, r := range results {
				if r.Status == usage.Accepted {
					accepted[i]++
				}
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range accepted {
		total += n
	}
	if total != 60 {
		t.Errorf("%d events are accepted, want 60", total)
	}
	if got, want := client(t, db, queriestest.Admin, usage.PC), "installed 2 windows 6.59 Windows 11 24H2 SALES-0412 11-20 09:02 11-20 09:59"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The platform of an event says which system its client is of: a system of the other
// platform is not known, and counts with none.
func TestSystemOfAnotherPlatform(t *testing.T) {
	db := queriestest.New(t)
	phone := clientLogin("phone", "6.2.4", time.Hour)
	phone.Platform = usage.Mobile
	pc := clientLogin("pc", "6.2.4", time.Hour)
	pc.UserID, pc.OS = queriestest.Employee, "Android 16"
	known := clientLogin("known", "6.2.4", time.Hour)
	known.UserID = queriestest.Admin
	takeClients(t, db, phone, pc, known)
	effect, err := db.Usage.Effect(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), edited(t, db, func(c *usage.ClientRule) { c.Minimum = "6.3" }))
	if err != nil || effect.Systems["windows"] != (usage.SystemEffect{People: 1, Outdated: 1}) || effect.Systems[""].People != 2 || effect.Systems["android"].People != 0 || effect.Releases[usage.Mobile][0].People != 1 {
		t.Errorf("effect %+v, %v", effect, err)
	}
}
