package views

import (
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// hostile is a value that would end a text or an attribute if it were not escaped.
const hostile = `<i>"김'&amp;`

func TestRowsEscapeEveryValue(t *testing.T) {
	worked, arrival, longest := int32(481), now, []attendance.PeriodWeek{{WorkedMin: limitWeek + 1}}
	record := attendance.Row{
		Record: attendance.Record{
			UserID: 8, WorkDate: now.AddDate(0, 0, -1), Extra: true, Name: hostile, Status: hostile, Flags: int32(workday.FlagEdited | workday.FlagOvertime),
			ArrivalAt: &arrival, WorkedMin: &worked, Device: hostile, Place: hostile,
		},
		EmployeeID: hostile, DepartmentName: hostile,
	}
	f := frame(func(f *Frame) { f.Path = "/logs/workingattitude/day?q=" + hostile })
	targets := []policy.ListedTarget{{DepartmentID: 1, Name: hostile}, {UserID: 2, Name: hostile}, {UserID: 3, Name: hostile}}
	for _, test := range []struct {
		name  string
		rows  templ.Component
		times int // that the value is a name or a title
	}{
		{"day", dayRows(AttendanceDayList{Frame: f, Page: lists.Page[attendance.Row]{Rows: []attendance.Row{record}}}), 6},
		{"status", statusRows(StatusList{Kind: hostile, Paths: map[int64]string{3: hostile}, People: lists.Page[policy.PersonStatus]{Rows: []policy.PersonStatus{{Name: hostile, EmployeeID: hostile, DepartmentID: 3, DepartmentName: hostile, PolicyID: 4, PolicyName: hostile, Source: policy.Inherited, SourceDepartmentName: hostile}}}}), 6},
		{"hidden", statusRows(StatusList{People: lists.Page[policy.PersonStatus]{Rows: []policy.PersonStatus{{Name: hostile, EmployeeID: hostile, Hidden: true}}}}), 3},
		{"status of departments", statusDepartmentRows(StatusList{Kind: hostile, DepartmentRows: lists.Page[policy.DepartmentStatus]{Rows: []policy.DepartmentStatus{{Name: hostile, Path: hostile, PolicyName: hostile}}}}), 4},
		{"policies", policyRows(PolicyList{Frame: f, Kind: hostile, Page: policy.ListPage{Page: lists.Page[policy.Summary]{Rows: []policy.Summary{{ID: 5, Name: hostile, Description: hostile, OwnerName: hostile, InForce: true, PlannedAt: now, Targets: targets, TargetCount: 4}}}}}), 9},
		{"month", monthRows(Period{Frame: f, AttendanceChoice: AttendanceChoice{Filter: attendance.Filter{Unit: attendance.MonthUnit}}, Page: lists.Page[attendance.PersonPeriod]{Rows: []attendance.PersonPeriod{{Name: hostile, DepartmentName: hostile, Weeks: longest}}}}), 4},
	} {
		for _, l := range locales.All() {
			p, out := render(t, l, templ.Join(templ.Raw("<table>"), test.rows, templ.Raw("</table>")))
			if strings.Contains(out, "<i>") || strings.Contains(out, `김'`) {
				t.Errorf("%s %s: a value is not escaped: %s", test.name, l, out)
			}
			shown := 0
			for _, e := range p {
				if e.name == "bdi" && e.text == hostile || e.attr["title"] == hostile {
					shown++
				}
				if href := e.attr["href"]; href != "" && !strings.HasPrefix(href, l.Prefix()+"/") && !strings.HasPrefix(href, "#") {
					t.Errorf("%s %s: a link leads to %q", test.name, l, href)
				}
			}
			if shown != test.times {
				t.Errorf("%s %s: the value is shown %d times, want %d", test.name, l, shown, test.times)
			}
		}
	}
}

func TestMomentsSayTheExactTime(t *testing.T) {
	seoul := time.FixedZone("KST", 9*60*60)
	times := []time.Time{
		time.Date(2026, 11, 20, 0, 5, 7, 0, seoul), time.Date(2026, 11, 20, 23, 59, 0, 0, seoul),
		time.Date(2026, 11, 21, 9, 0, 0, 0, seoul), time.Date(2025, 11, 21, 10, 30, 0, 0, seoul), time.Date(2026, 1, 1, 1, 1, 1, 0, time.UTC),
	}
	for _, l := range locales.All() {
		var got, want []string
		p, _ := render(t, l, written(func(m *markup) {
			for _, at := range times {
				m.moment(at, func() { m.clock(at) })
			}
		}))
		for i, e := range p {
			got = append(got, e.attr["datetime"]+" "+e.attr["title"]+" "+e.text)
			want = append(want, times[i].Format(time.RFC3339)+" "+l.DateTime(times[i])+" "+times[i].Format("15:04"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", l, got, want)
		}
	}
}

// A component that was rendered leaves nothing behind for the next one.
func TestMarkupIsRenderedAnew(t *testing.T) {
	for _, text := range []string{"a longer text & more", "short"} {
		for _, l := range locales.All() {
			if got, want := rendered(t, l, textCell(text)), html.EscapeString(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := rendered(t, l, nothing()); !strings.Contains(got, l.T("frame.none")) {
				t.Errorf("%s: %q", l, got)
			}
		}
	}
}

func TestOnceIsRenderedInEachLanguage(t *testing.T) {
	view := once(nothing())
	for range 2 {
		for _, l := range locales.All() {
			if got, want := rendered(t, l, view), rendered(t, l, nothing()); got != want {
				t.Errorf("%s: %q, want %q", l, got, want)
			}
		}
	}
}
