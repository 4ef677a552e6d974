package attendance

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"officeconsole/importfile"
	"officeconsole/queries/attendance"
)

// A remedy is a choice that may accept what was refused for a reason.
type remedy struct{ value, text string }

// The values of remedies. That of a date is followed by its layout.
const (
	remedyDate      = "date "
	remedyOvernight = "overnight"
	remedyMissing   = "missing"
	remedyLeave     = "leave"
)

// dateRemedies are the orders in which dates may be read.
var dateRemedies = []remedy{
	{remedyDate + "02/01/2006", "import.page.remedy.dmy"}, {remedyDate + "01/02/2006", "import.page.remedy.mdy"}, {remedyDate + "06-01-02", "import.page.remedy.ymd"},
}

// remediesOf are the remedies by the reason of a refusal.
var remediesOf = map[string][]remedy{
	"import.attendance.date_order":     dateRemedies,
	"import.attendance.date":           dateRemedies,
	"import.attendance.overnight":      {{remedyOvernight, "import.page.remedy.overnight"}},
	"import.attendance.missing_date":   {{remedyMissing, "import.page.remedy.missing"}},
	"import.attendance.missing_person": {{remedyMissing, "import.page.remedy.missing"}},
	"import.attendance.leave":          {{remedyLeave, "import.page.remedy.leave"}},
	"import.attendance.leave_taken":    {{remedyLeave, "import.page.remedy.leave"}},
	"record.leave.free":                {{remedyLeave, "import.page.remedy.leave"}},
}

// remedies returns what can be done about a reason and was not chosen yet. Only a file
// with rows for days has a column of leave to leave out.
func (i Import) remedies(reason string) []remedy {
	o := i.ImportOptions()
	return slices.DeleteFunc(slices.Clone(remediesOf[reason]), func(r remedy) bool {
		switch r.value {
		case remedyOvernight:
			return o.Overnight
		case remedyMissing:
			return o.AllowMissing
		case remedyLeave:
			return !slices.ContainsFunc(i.Preview.Files, func(f attendance.FilePreview) bool { return leaveHeading(f) != "" })
		}
		layout := strings.TrimPrefix(r.value, remedyDate)
		return layout == o.DateFormat || !i.reads(layout, reason)
	})
}

// reads reports whether a layout reads at least one of the dates that were refused for a
// reason. The headings of a wide file are refused together.
func (i Import) reads(layout, reason string) bool {
	refusals := i.ImportReport().Refused
	if i.Preview.Refused != nil {
		refusals = append(slices.Clone(refusals), *i.Preview.Refused)
	}
	values := importfile.Values{DateLayout: layout}
	return slices.ContainsFunc(refusals, func(r importfile.Refusal) bool {
		return r.Reason == reason && slices.ContainsFunc(strings.Split(cmp.Or(r.Value, r.Column), ", "), func(text string) bool {
			_, err := values.Date(text)
			return err == nil
		})
	})
}

// isLeaveColumn reports whether a column of a file can say that a day is leave.
func isLeaveColumn(name string) bool { return name == "leave" || name == "status" }

// leaveHeading is the heading of the first column of leave; "" without one.
func leaveHeading(file attendance.FilePreview) string {
	for _, column := range file.Columns {
		if isLeaveColumn(column.Name) {
			return column.Heading
		}
	}
	return ""
}

// Remedy returns the options with a remedy, and whether it is one.
func Remedy(o attendance.ImportOptions, value string) (attendance.ImportOptions, bool) {
	layout, isDate := strings.CutPrefix(value, remedyDate)
	switch {
	case isDate && slices.ContainsFunc(dateRemedies, func(r remedy) bool { return r.value == value }):
		o.DateFormat = layout
	case value == remedyOvernight:
		o.Overnight = true
	case value == remedyMissing:
		o.AllowMissing = true
	case value == remedyLeave:
		o.Columns = maps.Clone(o.Columns)
		for heading, name := range o.Columns { // the form has the column of every heading
			if isLeaveColumn(name) {
				o.Columns[heading] = ""
			}
		}
	default:
		return o, false
	}
	return o, true
}
