package attendance_test

import (
	"net/url"
	"reflect"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// An address with every filter is read for each kind of list. Each keeps the
// filters that it has, names the others in Foreign, and writes its own filters
// back to an address.
func TestReadFilter(t *testing.T) {
	calendar := attendance.Calendar{Today: workday.NewDate(2026, 11, 20), WeekStart: time.Monday}
	const everything = "department_id=2&status=late&q=kim&device=pc&edited=1&deleted=1&over=48&sort=-worked"
	for unit, want := range map[attendance.Unit]struct {
		address string
		foreign []string
	}{
		attendance.DayUnit:   {"date=2026-11-20&department_id=2&device=pc&edited=1&q=kim&sort=-worked&status=late", []string{"deleted", "over"}},
		attendance.WeekUnit:  {"date=2026-11-16&department_id=2&edited=1&over=48&q=kim&sort=-worked&status=late", []string{"device", "deleted"}},
		attendance.MonthUnit: {"department_id=2&edited=1&month=2026-11&q=kim&sort=-worked&status=late", []string{"device", "deleted", "over"}},
		attendance.LogUnit:   {"deleted=1&department_id=2&device=pc&edited=1&from=2026-11-14&q=kim&status=late&to=2026-11-20", []string{"over", "sort"}},
	} {
		query, err := url.ParseQuery(everything)
		if err != nil {
			t.Fatal(err)
		}
		f, err := attendance.ReadFilter(query, unit, calendar)
		if err != nil || f.Values().Encode() != want.address || !slices.Equal(f.Foreign, want.foreign) {
			t.Errorf("%s: %s without %q, %v", unit, f.Values().Encode(), f.Foreign, err)
		}
		again, err := attendance.ReadFilter(f.Values(), unit, calendar)
		if f.Foreign = nil; err != nil || !reflect.DeepEqual(again, f) {
			t.Errorf("%s: read again as %+v, not %+v: %v", unit, again, f, err)
		}
	}
}

func TestRefusedAttendanceFilter(t *testing.T) {
	calendar := attendance.Calendar{Today: workday.NewDate(2026, 11, 20), WeekStart: time.Monday}
	cursor := func(c lists.Cursor) string { return "cursor=" + (&c).String() }
	for _, c := range []struct {
		unit  attendance.Unit
		query string
		field string // with the error; "" for none
	}{
		{"day", "date=2026-02-30", "date"}, {"month", "month=2026-13", "month"}, {"management", "from=x", "from"}, {"week", "date=0001-01-01", "date"},
		{"day", "status=sleepy", "status"}, {"week", "status=working", "status"}, {"day", "status=working", ""},
		{"week", "over=41", "over"}, {"week", "over=x", "over"}, {"day", "device=fax", "device"}, {"day", "department_id=-1", "department_id"},
		{"day", "sort=late", "sort"}, {"day", "sort=-", "sort"}, {"week", "sort=-name", "sort"}, {"week", "sort=name", ""}, {"month", "sort=-late", ""}, {"day", "q=a", "q"},
		{"day", "cursor=6-2026-11-20", "cursor"},
		{"day", cursor(lists.Cursor{List: "day", Value: "6-2026-11-20"}), ""},
		{"day", cursor(lists.Cursor{List: "day", Value: "6-2026-11-19"}), "cursor"},
		{"day", "sort=arrival&" + cursor(lists.Cursor{List: "day", Value: "6-2026-11-20"}), "cursor"},
		{"management", cursor(lists.Cursor{List: "day", Value: "6-2026-11-20"}), "cursor"},
		{"week", cursor(lists.Cursor{List: "month", Value: "김철수", ID: 6}), "cursor"},
		{"week", cursor(lists.Cursor{List: "week", Value: "김철수", ID: 6}), ""},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = attendance.ReadFilter(query, c.unit, calendar)
		refused, _ := err.(queries.FieldErrors)
		if _, is := refused[c.field]; c.field == "" && err != nil || c.field != "" && (!is || len(refused) != 1) {
			t.Errorf("%s?%s: refused are %v", c.unit, c.query, err)
		}
	}
}
