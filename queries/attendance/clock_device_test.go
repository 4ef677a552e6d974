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

// setAttitude saves a new version of the default working attitude policy with
// the given settings.
func setAttitude(t *testing.T, db *areas.Areas, settings string) {
	t.Helper()
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, created_by, created_at)
		select company_id, policy_id, no + 1, effective_from, enabled, name, description, $1, search_text, created_by, created_at
		from policy_versions where company_id = 1 and policy_id = 2 order by no desc limit 1`, settings)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1")
}

// eventFrom returns an arrival at the current time from a device.
func eventFrom(id string, user int64, device string) attendance.ClockInput {
	e := clock(id, user, workday.In, queriestest.Now)
	e.DeviceID = device
	return e
}

// outcomes returns the refusal code of each result, or its status if it was not
// refused, separated by spaces.
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

func registerDevices(t *testing.T, db *areas.Areas, devices ...attendance.Device) string {
	t.Helper()
	results, err := db.Attendance.TakeDevices(t.Context(), queriestest.Hanbit, devices)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes(results)
}

const (
	devicesOf = "select coalesce(string_agg(device_id, ' ' order by device_id), '') from clock_devices where user_id = $1 and removed_at is null"
	newOnes   = "select coalesce(string_agg(device_id, ' ' order by device_id), '') from clock_events where user_id = $1 and device_new"
)

func TestRegisteredDevices(t *testing.T) {
	db := queriestest.New(t)
	setAttitude(t, db, `{"device_binding": "registered", "gps_mode": "record", "mock_location": "block"}`)
	web, faked := eventFrom("c", queriestest.Kim, "browser"), eventFrom("d", queriestest.Kim, "phone")
	web.Platform, faked.GPS = "web", &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 5, Mock: true}
	for _, step := range []struct {
		what    string
		devices []attendance.Device // registered before the events
		events  []attendance.ClockInput
		want    string
		left    string // Kim's devices afterwards
	}{
		{"an event without a device is refused, even as the first one", nil, []attendance.ClockInput{eventFrom("a", queriestest.Kim, "")}, "event.device", ""},
		{"a refused event registers no device", nil, []attendance.ClockInput{web, faked}, "event.platform event.mock", ""},
		{"the first device is registered, also in the middle of a batch", nil,
			[]attendance.ClockInput{eventFrom("e", queriestest.Kim, "pc"), eventFrom("f", queriestest.Kim, "phone"), eventFrom("g", queriestest.Kim, "pc"), eventFrom("h", queriestest.Kim, "")},
			"accepted event.device accepted event.device", "pc"},
		{"the first device of another person", nil, []attendance.ClockInput{eventFrom("i", queriestest.Employee, "phone"), eventFrom("j", queriestest.Employee, "pc")}, "accepted event.device", "pc"},
		{"the same event again, once the messenger has registered its device", []attendance.Device{{queriestest.Kim, "phone", true}},
			[]attendance.ClockInput{eventFrom("f", queriestest.Kim, "phone")}, "accepted", "pc phone"},
		{"a device that is no longer registered; its earlier event is a duplicate", []attendance.Device{{queriestest.Kim, "pc", false}},
			[]attendance.ClockInput{eventFrom("k", queriestest.Kim, "pc"), eventFrom("e", queriestest.Kim, "pc")}, "event.device duplicate", "phone"},
		{"the first device after the last one was removed", []attendance.Device{{queriestest.Kim, "phone", false}},
			[]attendance.ClockInput{eventFrom("l", queriestest.Kim, "tablet"), eventFrom("m", queriestest.Kim, "phone")}, "accepted event.device", "tablet"},
		{"a device that was removed does not register itself again, but the next one does", []attendance.Device{{queriestest.Kim, "tablet", false}, {queriestest.Kim, "lost", false}},
			[]attendance.ClockInput{eventFrom("n", queriestest.Kim, "tablet"), eventFrom("o", queriestest.Kim, "lost"), eventFrom("p", queriestest.Kim, "new")}, "event.device event.device accepted", "new"},
		{"until the messenger registers it", []attendance.Device{{queriestest.Kim, "tablet", true}}, []attendance.ClockInput{eventFrom("n", queriestest.Kim, "tablet")}, "accepted", "new tablet"},
	} {
		registerDevices(t, db, step.devices...)
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

// While the policy allows every device, each device is registered when it is
// used, and stays registered when the policy starts to require registration.
func TestDevicesBeforeRegistrationIsRequired(t *testing.T) {
	db := queriestest.New(t)
	registerDevices(t, db, attendance.Device{UserID: queriestest.Employee, DeviceID: "pc", Registered: true})
	accepted(t, take(t, db, eventFrom("a", queriestest.Kim, "pc"), eventFrom("b", queriestest.Kim, ""), eventFrom("c", queriestest.Kim, "phone"),
		eventFrom("d", queriestest.Employee, "phone"), eventFrom("e", queriestest.Employee, "pc")))
	for user, want := range map[int64]string{queriestest.Kim: "phone", queriestest.Employee: "phone"} {
		if got := queriestest.LookUp(t, db, newOnes, user); got != want {
			t.Errorf("new devices of %d: %q, not %q", user, got, want)
		}
	}
	setAttitude(t, db, `{"device_binding": "registered"}`)
	got := outcomes(take(t, db, eventFrom("f", queriestest.Kim, "phone"), eventFrom("g", queriestest.Kim, "tablet"), eventFrom("h", queriestest.Kim, "pc")))
	if want := "accepted event.device accepted"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	setAttitude(t, db, `{}`)
	accepted(t, take(t, db, eventFrom("g", queriestest.Kim, "tablet")))
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
		{"the last entry for a device counts", []attendance.Device{kim("pc", false), kim("tablet", true), kim("pc", true), kim("tablet", false), kim("phone", false)},
			"accepted accepted accepted accepted accepted", "pc"},
		{"somebody else's device of the same id", []attendance.Device{{queriestest.Employee, "pc", true}, {queriestest.Employee, "pc", false}}, "accepted accepted", "pc"},
		{"one that is refused leaves the others",
			[]attendance.Device{{999, "pc", true}, {queriestest.OtherKim, "pc", true}, {queriestest.Bot, "pc", true}, {queriestest.Hidden, "pc", true}, kim("", true),
				kim(strings.Repeat("기", 201), true), kim(strings.Repeat("기", 200), false), kim("phone", true)},
			"event.user event.user event.user accepted event.device_id event.device_id accepted accepted", "pc phone"},
		{"nothing", nil, "", "pc phone"},
	} {
		if got := registerDevices(t, db, step.devices...); got != step.want {
			t.Errorf("%s: %s, not %s", step.what, got, step.want)
		}
		if got := queriestest.LookUp(t, db, devicesOf, queriestest.Kim); got != step.left {
			t.Errorf("%s: devices %q, not %q", step.what, got, step.left)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(distinct user_id::text, ' ') from clock_devices where removed_at is null"); got != "5 6" {
		t.Errorf("people with devices: %s, not 5 and 6", got)
	}
	if _, err := db.Attendance.TakeDevices(t.Context(), queriestest.Hanbit, slices.Repeat([]attendance.Device{kim("pc", true)}, 501)); err != queries.Invalid("event.too_many") {
		t.Errorf("501 devices: %v", err)
	}
}

// Registering devices waits for the lock that storing clock events holds, so
// that a check of a person's devices cannot be outdated when its event is
// stored.
func TestDevicesWaitForEvents(t *testing.T) {
	db := queriestest.New(t)
	holder, err := db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Rollback(context.Background()) //nolint:errcheck // there is nothing to commit
	if _, err := holder.Exec(t.Context(), "select pg_advisory_xact_lock(hashtextextended('attendance', 1))"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := db.Attendance.TakeDevices(ctx, queriestest.Hanbit, []attendance.Device{{queriestest.Kim, "pc", true}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("did not wait: %v", err)
	}
}
