package attendance

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// ImportsPath is the page of the imports.
const ImportsPath = ManagementPath + "/imports"

// ImportPath is the page of an import.
func ImportPath(id int64) string { return ImportsPath + "/" + strconv.FormatInt(id, 10) }

// ImportForm is the form that uploads the files of an import.
type ImportForm struct {
	ReplacesID int64 // the import that it replaces; 0 for none
	Wide       bool  // a file of arrivals and one of departures
	Refused    queries.FieldErrors
}

// ImportList is the list of imports with the form for another one.
type ImportList struct {
	Frame    views.Frame
	Form     ImportForm
	Replaced *attendance.Import // nil for none
	Page     lists.Page[attendance.Import]
}

func (l ImportList) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "import.page.total", func(cursor string) string {
		return views.WithQuery(ImportsPath, map[string][]string{"cursor": {cursor}})
	})
}

// kindURL is the address of the form for one file, or for two.
func (f ImportForm) kindURL(wide bool) string {
	query := map[string][]string{}
	if wide {
		query["wide"] = []string{"1"}
	}
	if f.ReplacesID != 0 {
		query["replace"] = []string{strconv.FormatInt(f.ReplacesID, 10)}
	}
	return views.WithQuery(ImportsPath, query)
}

// Import is the page of an import.
type Import struct {
	attendance.Import
	Frame         views.Frame
	Preview       attendance.ImportPreview
	Reversal      attendance.ReversalReport
	NotRevertible queries.Invalid // why it cannot be reverted; "" if it can
	Asks          bool            // whether to revert it
	Waited        bool            // whether the reader was on the page before: the result then has the focus
}

// title says in the title of the window how far the import is, because the page reloads
// itself.
func (i Import) title(ctx context.Context) string {
	return locales.T(ctx, "import.page.window", "State", locales.T(ctx, "import.page.state."+i.State))
}

// step is the step of the import that the page shows, from 2 on.
func (i Import) step() int {
	switch i.State {
	case attendance.ImportDraft, attendance.ImportFailed:
		return 2
	case attendance.ImportChecking, attendance.ImportChecked:
		return 3
	}
	return 4
}

// isOpen reports whether the import can still be read differently.
func (i Import) isOpen() bool { return i.step() == 2 || i.State == attendance.ImportChecked }

// importable is the number of days that would be imported; 0 for an import that
// was not checked, or is refused as a whole.
func (i Import) importable() int {
	if i.State != attendance.ImportChecked || i.Preview.Refused != nil {
		return 0
	}
	return i.ImportReport().Created
}

// size is the size of all files.
func (i Import) size() (size int64) {
	for _, file := range i.StoredFiles() {
		size += file.Size
	}
	return size
}

// dates are the first and last dates of an import; "" before it was checked.
func dates(ctx context.Context, i attendance.Import) string {
	first, last, known := i.Dates()
	if !known {
		return ""
	}
	return locales.Date(ctx, first.Time()) + " – " + locales.Date(ctx, last.Time())
}

// stateTone is the tone of the badge of a state, and its icon.
func stateTone(state string) (tone, icon string) {
	switch state {
	case attendance.ImportDone:
		return "success", "check"
	case attendance.ImportFailed:
		return "danger", "error"
	case attendance.ImportReverted:
		return "neutral", "undo"
	case attendance.ImportDraft, attendance.ImportChecked:
		return "neutral", "edit"
	}
	return "info", "clock"
}

// encodings are the choices of encodings.
func (i Import) encodings(ctx context.Context) []views.Option {
	all := []views.Option{{Value: "", Text: i.detected(ctx, "import.page.encoding", messageOf(i.read().Encoding))}}
	for _, name := range importfile.Encodings {
		all = append(all, views.Option{Value: name, Text: locales.T(ctx, "import.page.encoding."+messageOf(name))})
	}
	return all
}

// messageOf is the name of an encoding in the id of a message.
func messageOf(encoding string) string { return strings.ReplaceAll(encoding, "-", "_") }

// separators are the choices of separators.
func (i Import) separators(ctx context.Context) []views.Option {
	name := ""
	if s := i.read().Separator; s != 0 {
		name = separatorValue(string(s))
	}
	all := []views.Option{{Value: "", Text: i.detected(ctx, "import.page.separator", name)}}
	for _, s := range importfile.Separators {
		value := separatorValue(string(s))
		all = append(all, views.Option{Value: value, Text: locales.T(ctx, "import.page.separator."+value)})
	}
	return all
}

// separatorNames are the separators by the values of their options.
var separatorNames = map[string]string{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}

// Separator returns the separator of an option; "" for an unknown one.
func Separator(name string) string { return separatorNames[name] }

func separatorValue(separator string) string {
	for name, s := range separatorNames {
		if s == separator {
			return name
		}
	}
	return ""
}

// detected is the text of the choice that recognizes a value by itself.
func (i Import) detected(ctx context.Context, message, name string) string {
	if name == "" {
		return locales.T(ctx, "import.page.detect")
	}
	return locales.T(ctx, "import.page.detected", "Value", locales.T(ctx, message+"."+name))
}

// read is how the first file was read.
func (i Import) read() importfile.Reading {
	if len(i.Preview.Files) == 0 {
		return importfile.Reading{}
	}
	return i.Preview.Files[0].Reading
}

// isBook reports whether the first file is a workbook.
func (i Import) isBook() bool { return len(i.Preview.Sheets) > 0 }

// dateLayouts are the choices of the order of dates, with their messages.
var dateLayouts = [][2]string{
	{"", "import.page.detect"}, {"02/01/2006", "import.page.date.dmy"}, {"01/02/2006", "import.page.date.mdy"}, {"02.01.2006", "import.page.date.dmy_dots"},
	{"02-01-2006", "import.page.date.dmy_hyphens"}, {"06-01-02", "import.page.date.ymd"}, {"06. 1. 2.", "import.page.date.ymd_dots"},
}

// dateFormats are the choices of the order of dates.
func (i Import) dateFormats(ctx context.Context) []views.Option {
	var all []views.Option
	for _, layout := range dateLayouts {
		all = append(all, views.Option{Value: layout[0], Text: locales.T(ctx, layout[1])})
	}
	if chosen := i.ImportOptions().DateFormat; !slices.ContainsFunc(all, func(o views.Option) bool { return o.Value == chosen }) {
		all = append(all, views.Option{Value: chosen, Text: chosen}) // of the API or the command
	}
	return all
}

// sheets are the choices of sheets.
func (i Import) sheets() []views.Option {
	var all []views.Option
	for _, name := range i.Preview.Sheets {
		all = append(all, views.Option{Value: name, Text: name})
	}
	return all
}

// columns are the choices of what a column is.
func columnChoices(ctx context.Context) []views.Option {
	all := []views.Option{{Value: "", Text: locales.T(ctx, "import.page.column.none")}}
	for _, name := range attendance.ImportColumns {
		all = append(all, views.Option{Value: name, Text: locales.T(ctx, "import.page.column."+name)})
	}
	return all
}

// unknownColumns are the headings of columns that nobody chose anything for.
func (i Import) unknownColumns() (headings []string) {
	for _, file := range i.Preview.Files {
		for _, column := range file.Columns {
			if !column.Known && column.Heading != "" {
				headings = append(headings, column.Heading)
			}
		}
	}
	return headings
}

// SameReading reports whether two options read the same files in the same way. What was
// chosen for a column as it was recognized is no difference.
func SameReading(a, b attendance.ImportOptions) bool {
	return a.Encoding == b.Encoding && a.Separator == b.Separator && a.Sheet == b.Sheet && a.DateFormat == b.DateFormat && a.TimeFormat == b.TimeFormat &&
		a.AllowMissing == b.AllowMissing && a.Overnight == b.Overnight && a.FillDays == b.FillDays && (maps.Equal(a.Columns, b.Columns) || len(b.Columns) == 0)
}

// refusedOf are the first refusals for a reason, and how many more there are.
func refusedOf(r attendance.ImportReport, reason importfile.Reason) (first []importfile.Refusal, more int) {
	for _, refused := range r.Refused {
		if refused.Reason == reason.ID && len(first) < shownRefusals {
			first = append(first, refused)
		}
	}
	return first, reason.Count - len(first)
}

// shownRefusals is the number of refusals for a reason that the page lists.
const shownRefusals = 5

// refusalText is a refusal without its reason.
func refusalText(ctx context.Context, r importfile.Refusal) string {
	var parts []string
	if r.File != "" {
		parts = append(parts, r.File)
	}
	if r.Line > 0 {
		parts = append(parts, locales.T(ctx, "import.page.line", "Line", locales.Number(ctx, int64(r.Line))))
	}
	if r.Column != "" {
		parts = append(parts, r.Column)
	}
	if r.Value != "" {
		parts = append(parts, locales.T(ctx, "import.page.value", "Value", r.Value))
	}
	if r.Other != 0 {
		parts = append(parts, locales.T(ctx, "import.report.other", "Line", r.Other))
	}
	return strings.Join(parts, " · ")
}

// recordsURL is the list of the records of the days of an import.
func recordsURL(i attendance.Import) string {
	first, last, _ := i.Dates()
	return views.WithQuery(ManagementPath, map[string][]string{"from": {first.String()}, "to": {min(last, first+30).String()}})
}
