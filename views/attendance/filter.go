package attendance

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/views"
)

// PageSize is how many records a page shows.
const PageSize = 50

// Choice is what was chosen for a list of attendance, and what there is
// to choose from.
type Choice struct {
	attendance.Filter
	Refused     string                  // id of the message why the search cannot be; "" for none
	Departments []attendance.Department // to choose from
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (c Choice) url(name, value string) string {
	return views.ListURL(unitPath(c.Unit), c.Values(), name, value)
}

// pageURL is the address of the list at a cursor.
func (c Choice) pageURL(cursor string) string { return c.url("cursor", cursor) }

func (c Choice) isFiltered() bool { return c.isNarrowed() || c.Status != "" || c.DepartmentID != 0 }

// narrow reports whether more was chosen than what is counted by.
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

func (c Choice) departments(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "department.all")}}
	for _, d := range c.Departments {
		options = append(options, views.Option{Value: views.IDText(d.ID), Text: strings.Repeat("\u2003", d.Depth) + d.Name})
	}
	return options
}

// An column is a column of a list of records; low ones are left out on
// a narrow page, those with an order can be sorted by.
type column struct {
	key, title string
	low, end   bool
	order      attendance.Order
}
