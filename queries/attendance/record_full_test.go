package attendance_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Users read the records in their scope. A record outside of it is not found,
// like one that does not exist.
func TestRecordByRole(t *testing.T) {
	db, _ := lateKim(t)
	for _, x := range []struct {
		reader, of int64
		want       string // may edit, may request; "" is not found
	}{
		{queriestest.Kim, queriestest.Kim, "false true"}, {queriestest.Viewer, queriestest.Kim, "false false"}, {queriestest.Manager, queriestest.Kim, "true false"},
		{queriestest.Admin, queriestest.Kim, "true false"}, {queriestest.Employee, queriestest.Kim, ""}, {queriestest.Kim, queriestest.Employee, ""},
		{queriestest.Viewer, queriestest.Employee, ""}, {queriestest.Manager, queriestest.Employee, ""}, {queriestest.Admin, queriestest.Admin, "true true"},
		{queriestest.Manager, queriestest.Manager, "false true"}, {queriestest.Manager, queriestest.Viewer, "true false"}, {queriestest.Admin, queriestest.OtherKim, ""},
		{queriestest.Admin, queriestest.Bot, ""}, {queriestest.Admin, 999, ""}, {queriestest.Admin, queriestest.Hidden, ""},
	} {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, x.reader), keyOf(x.of, friday))
		if x.want == "" && !errors.Is(err, queries.NotFound) || x.want != "" && err != nil {
			t.Errorf("%d reads %d: %v", x.reader, x.of, err)
		} else if got := fmt.Sprint(r.MayEdit, " ", r.MayRequest); err == nil && got != x.want {
			t.Errorf("%d reads %d: %s, not %s", x.reader, x.of, got, x.want)
		}
	}
	r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Kim), keyOf(queriestest.Kim, friday))
	if err != nil {
		t.Fatal(err)
	}
	readers := ""
	for _, v := range r.Views { // ordered by id, because their times are equal
		readers += v.ViewerName + " "
	}
	if readers != "김서연 박지민 최유진 " {
		t.Errorf("read by %s", readers)
	}
	if r.PolicyName != "기본 근태 정책" || r.VersionNo != 1 || r.Department != "국내영업팀" || r.Zone.String() != "Asia/Seoul" || *r.Computed.WorkedMin != 448 || len(r.Computed.Breaks) != 1 {
		t.Errorf("record: %+v", r)
	}
}

func TestWhoOpenedARecord(t *testing.T) {
	db, c := lateKim(t)
	key := keyOf(queriestest.Kim, friday)
	read := func(id int64) attendance.FullRecord {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, id), key)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	read(queriestest.Viewer)
	c.Advance(time.Hour)
	read(queriestest.Viewer)
	if r := read(queriestest.Manager); len(r.Views) > 0 {
		t.Error("a manager sees who else viewed the record")
	}
	read(queriestest.Kim)
	if r := read(queriestest.Kim); len(r.Views) != 2 || r.Views[0].ViewerName != "박지민" || !r.Views[0].At.Equal(c.Now()) {
		t.Errorf("viewed by %+v", r.Views)
	}
}

func TestRecordThatIsNotStored(t *testing.T) {
	db, _ := lateKim(t)
	for date, want := range map[string]string{"2026-11-18": "absent", "2026-11-22": "holiday", "2026-11-25": "not_due"} {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), keyOf(queriestest.Kim, date))
		if err != nil || r.Stored || r.Status != want || r.Person != "김철수" {
			t.Errorf("%s: %s, stored %v, %v", date, r.Status, r.Stored, err)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from day_records where work_date not in ('2026-11-20', '2026-11-21')"); got != "0" {
		t.Errorf("reading stored %s records", got)
	}
}

func TestOldLocationsAreGone(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"gps_mode": "record", "location_keep_days": 2}' where company_id = 1 and policy_id = 2`)
	e := clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00"))
	e.GPS = &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 20}
	accepted(t, take(t, db, e))
	for _, located := range []bool{true, false} {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Kim), keyOf(queriestest.Kim, friday))
		if err != nil || r.Located != located || (r.Events[0].Lat != nil) != located || (r.Events[0].AccuracyM != nil) != located || r.Computed.Arrival.Event.Place.Located != located {
			t.Errorf("at %s: located %v, %+v, %v", c.Now(), r.Located, r.Events, err)
		}
		c.Advance(3 * 24 * time.Hour)
	}
}

// A record opens and can be edited however old it is, as long as the calendars of
// holidays reach that far.
func TestRecordsOfAnyAge(t *testing.T) {
	db := queriestest.New(t)
	importLong(t, db, attendance.ImportOptions{}, "H0006,2010-01-04,09:00,18:00,,", "H0006,2015-05-11,09:00,18:00,,")
	for date, want := range map[string]bool{"2009-12-31": false, "2010-01-04": true, "2015-05-11": true} {
		on, err := workday.ParseDate(date)
		if err != nil {
			t.Fatal(err)
		}
		r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), attendance.RecordKey{UserID: queriestest.Kim, Date: on})
		if want && (err != nil || !r.Stored) || !want && !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: stored %v, %v", date, r.Stored, err)
		}
	}
	by, scope := editor(t, db, queriestest.Admin)
	edit := attendance.RecordEdit{Key: attendance.RecordKey{UserID: queriestest.Kim, Date: workday.NewDate(2015, 5, 11)}, Departure: removedTime, Reason: "기록 확인"}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); err != nil {
		t.Errorf("edit: %v", err)
	}
	if got := dayOf(t, db, queriestest.Kim, "2015-05-11"); got != "[missing_departure 09:00 - -]" {
		t.Errorf("edited to %s", got)
	}
}
