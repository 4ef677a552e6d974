package attendance

import (
	"context"
	"slices"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// PageSize is the number of records on a page.
const PageSize = 50

// Choice is the filters of an attendance list and the departments that they
// offer.
type Choice struct {
	attendance.Filter
	Refused     string // message id of why a filter was refused; "" for none
	Departments attendance.DepartmentChoices
}

// url is the address of the list with one more choice; the value "" removes
// a choice.
func (c Choice) url(name, value string) string {
	return views.ListURL(unitPath(c.Unit), c.Values(), name, value)
}

// pageURL is the address of the list at a cursor.
func (c Choice) pageURL(cursor string) string { return c.url("cursor", cursor) }

// isFiltered reports whether a filter may have excluded records.
func (c Choice) isFiltered() bool {
	return c.isNarrowed() || c.Status != "" || len(c.DepartmentIDs) > 0
}

// isNarrowed reports whether there are filters that the counts by status do
// not consider.
func (c Choice) isNarrowed() bool { return c.Query != "" || c.Device != "" || c.Edited }

func (c Choice) devices(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "attendance.device.any")}}
	for _, d := range attendance.Devices {
		options = append(options, views.Option{Value: d, Text: platformWord(ctx, d)})
	}
	return options
}

func (c Choice) statuses(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "attendance.status.any")}}
	for _, s := range attendance.Statuses {
		options = append(options, views.Option{Value: string(s), Text: locales.T(ctx, "record.status."+string(s))})
	}
	return options
}

// departmentOptions are the options of a select box of departments, below each other.
func departmentOptions(ctx context.Context, departments []attendance.Department) []views.Option {
	return append([]views.Option{{Value: "", Text: locales.T(ctx, "department.all")}}, indented(departments)...)
}

func indented(departments []attendance.Department) []views.Option {
	options := make([]views.Option, len(departments))
	for i, d := range departments {
		options[i] = views.Option{Value: views.IDText(d.ID), Text: strings.Repeat("\u2003", d.Depth) + d.Name}
	}
	return options
}

// departmentFilter is the field of several departments; label is a message id.
func (c Choice) departmentFilter(ctx context.Context, label string) views.DepartmentFilter {
	return views.DepartmentFilter{
		Label: locales.T(ctx, label), Chosen: c.DepartmentIDs, Earlier: indented(c.Departments.Earlier),
		Options: departmentOptions(ctx, c.Departments.Near), Further: indented(c.Departments.Further),
		Without: func(ids lists.DepartmentIDs) string {
			c.DepartmentIDs = ids
			return c.url("", "")
		},
	}
}

// chosenColumns are the entries of the menu of columns; fixed names those that cannot be
// hidden.
func chosenColumns(columns []column, fixed ...string) []views.Column {
	chosen := make([]views.Column, len(columns))
	for i, c := range columns {
		chosen[i] = views.Column{Key: c.key, Title: c.title, Fixed: slices.Contains(fixed, c.key)}
	}
	return chosen
}

// A column is a column of a list of records. Low columns are hidden on
// narrow screens, high ones on all but wide screens, which the record, one's own
// day and the file always have; the list can be sorted by columns with an order.
type column struct {
	key, title     string
	low, high, end bool
	order          attendance.Order
}
