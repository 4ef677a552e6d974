package attendance_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// ask gives everybody's working attitude policy a version of other settings.
func ask(t *testing.T, db *areas.Areas, settings string) {
	t.Helper()
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, created_by, created_at)
		select company_id, policy_id, no + 1, effective_from, enabled, name, description, $1, search_text, created_by, created_at
		from policy_versions where company_id = 1 and policy_id = 2 order by no desc limit 1`, settings)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1")
}

// on is an event of now from a device.
func on(id string, user int64, device string) attendance.ClockInput {
	e := clock(id, user, workday.In, queriestest.Now)
	e.DeviceID = device
	return e
}

// outcomes are the codes of refusals, or the statuses, in a line.
func outcomes(results []attendance.ClockResult) string {
	var all []string
	for _, r := range results {
		if r.Code != "" {
			all = append(all, r.Code)
			continue
		}
		all = append(all, string(r.Status))
	}
	return strings.Join(all, " ")
}

func tell(t *testing.T, db *areas.Areas, devices ...attendance.Device) string {
	t.Helper()
	results, err := db.Attendance.TakeDevices(t.Context(), queriestest.Hanbit, devices)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes(results)
}

const (
	devicesOf = "select coalesce(string_agg(device_id, ' ' order by device_id), '') from clock_devices where user_id = $1"
	newOnes   = "select coalesce(string_agg(device_id, ' ' order by device_id), '') from clock_events where user_id = $1 and device_new"
)

func TestRegisteredDevices(t *testing.T) {
	db := queriestest.New(t)
	ask(t, db, `{"device_binding": "registered", "gps_mode": "record", "mock_location": "block"}`)
	web, faked := on("c", queriestest.Kim, "browser"), on("d", queriestest.Kim, "phone")
	web.Platform, faked.GPS = "web", &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 5, Mock: true}
	for _, step := range []struct {
		what    string
		devices []attendance.Device // told before
		events  []attendance.ClockInput
		want    string
		left    string // Kim's devices afterwards
	}{
		{"what names no device proves nothing, not even the first time", nil, []attendance.ClockInput{on("a", queriestest.Kim, "")}, "event.device", ""},
		{"what is refused registers nothing", nil, []attendance.ClockInput{web, faked}, "event.platform event.mock", ""},
		{"the first one registers itself, in the middle of a batch too", nil,
			[]attendance.ClockInput{on("e", queriestest.Kim, "pc"), on("f", queriestest.Kim, "phone"), on("g", queriestest.Kim, "pc"), on("h", queriestest.Kim, "")},
			"accepted event.device accepted event.device", "pc"},
		{"somebody else begins with their own", nil, []attendance.ClockInput{on("i", queriestest.Employee, "phone"), on("j", queriestest.Employee, "pc")}, "accepted event.device", "pc"},
		{"the same event again, once the messenger has registered its device", []attendance.Device{{queriestest.Kim, "phone", true}},
			[]attendance.ClockInput{on("f", queriestest.Kim, "phone")}, "accepted", "pc phone"},
		{"a device that is no longer registered; what it sent before is known", []attendance.Device{{queriestest.Kim, "pc", false}},
			[]attendance.ClockInput{on("k", queriestest.Kim, "pc"), on("e", queriestest.Kim, "pc")}, "event.device duplicate", "phone"},
		{"whoever has none left begins again", []attendance.Device{{queriestest.Kim, "phone", false}},
			[]attendance.ClockInput{on("l", queriestest.Kim, "tablet"), on("m", queriestest.Kim, "phone")}, "accepted event.device", "tablet"},
	} {
		tell(t, db, step.devices...)
		if got := outcomes(take(t, db, step.events...)); got != step.want {
			t.Errorf("%s: %s, not %s", step.what, got, step.want)
		}
		if got := queriestest.LookUp(t, db, devicesOf, queriestest.Kim); got != step.left {
			t.Errorf("%s: devices %q, not %q", step.what, got, step.left)
		}
	}
	if got := queriestest.LookUp(t, db, newOnes, queriestest.Kim); got != "" {
		t.Errorf("%s is marked as new", got)
	}
}

// While every device is allowed, each registers itself, and stays registered
// when the policy changes.
func TestDevicesOfBefore(t *testing.T) {
	db := queriestest.New(t)
	tell(t, db, attendance.Device{UserID: queriestest.Employee, DeviceID: "pc", Registered: true})
	accepted(t, take(t, db, on("a", queriestest.Kim, "pc"), on("b", queriestest.Kim, ""), on("c", queriestest.Kim, "phone"),
		on("d", queriestest.Employee, "phone"), on("e", queriestest.Employee, "pc")))
	for user, want := range map[int64]string{queriestest.Kim: "phone", queriestest.Employee: "phone"} {
		if got := queriestest.LookUp(t, db, newOnes, user); got != want {
			t.Errorf("new devices of %d: %q, not %q", user, got, want)
		}
	}
	ask(t, db, `{"device_binding": "registered"}`)
	got := outcomes(take(t, db, on("f", queriestest.Kim, "phone"), on("g", queriestest.Kim, "tablet"), on("h", queriestest.Kim, "pc")))
	if want := "accepted event.device accepted"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	ask(t, db, `{}`)
	accepted(t, take(t, db, on("g", queriestest.Kim, "tablet")))
	if got := queriestest.LookUp(t, db, devicesOf, queriestest.Kim); got != "pc phone tablet" {
		t.Errorf("devices %q", got)
	}
}

func TestTakeDevices(t *testing.T) {
	db := queriestest.New(t)
	kim := func(device string, registered bool) attendance.Device {
		return attendance.Device{queriestest.Kim, device, registered}
	}
	for _, step := range []struct {
		what    string
		devices []attendance.Device
		want    string
		left    string // Kim's devices afterwards
	}{
		{"registering", []attendance.Device{kim("pc", true), kim("phone", true)}, "accepted accepted", "pc phone"},
		{"registering again, and one that was not there removed", []attendance.Device{kim("pc", true), kim("tablet", false)}, "accepted accepted", "pc phone"},
		{"the last word on a device counts", []attendance.Device{kim("pc", false), kim("tablet", true), kim("pc", true), kim("tablet", false), kim("phone", false)},
			"accepted accepted accepted accepted accepted", "pc"},
		{"somebody else's device of the same id", []attendance.Device{{queriestest.Employee, "pc", true}, {queriestest.Employee, "pc", false}}, "accepted accepted", "pc"},
		{"one that is refused leaves the others",
			[]attendance.Device{{999, "pc", true}, {queriestest.OtherKim, "pc", true}, {queriestest.Bot, "pc", true}, {queriestest.Hidden, "pc", true}, kim("", true),
				kim(strings.Repeat("기", 201), true), kim(strings.Repeat("기", 200), false), kim("phone", true)},
			"event.user event.user event.user accepted event.device_id event.device_id accepted accepted", "pc phone"},
		{"nothing", nil, "", "pc phone"},
	} {
		if got := tell(t, db, step.devices...); got != step.want {
			t.Errorf("%s: %s, not %s", step.what, got, step.want)
		}
		if got := queriestest.LookUp(t, db, devicesOf, queriestest.Kim); got != step.left {
			t.Errorf("%s: devices %q, not %q", step.what, got, step.left)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(distinct user_id::text, ' ') from clock_devices"); got != "5 6" {
		t.Errorf("people with devices: %s, not 5 and 6", got)
	}
	if _, err := db.Attendance.TakeDevices(t.Context(), queriestest.Hanbit, slices.Repeat([]attendance.Device{kim("pc", true)}, 501)); err != queries.Invalid("event.too_many") {
		t.Errorf("501 devices: %v", err)
	}
}

// Who asks whether a person has devices must not be overtaken by the messenger.
func TestDevicesWaitForEvents(t *testing.T) {
	db := queriestest.New(t)
	holder, err := db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Rollback(context.Background()) //nolint:errcheck // it only held the lock
	if _, err := holder.Exec(t.Context(), "select pg_advisory_xact_lock(hashtextextended('attendance', 1))"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := db.Attendance.TakeDevices(ctx, queriestest.Hanbit, []attendance.Device{{queriestest.Kim, "pc", true}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("did not wait: %v", err)
	}
}
