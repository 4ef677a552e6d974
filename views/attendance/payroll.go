package attendance

import (
	"context"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// PayrollPath is the address of the page of files for payroll, without language prefix.
const PayrollPath = "/logs/workingattitude/month/payroll"

// Payroll is the page on which somebody chooses months and gets them as a file.
type Payroll struct {
	Frame       views.Frame
	Filter      attendance.PayrollFilter
	From, To    string                  // the months as typed
	Departments []attendance.Department // that can be chosen
	Unlocked    []workday.Date          // the months whose records may still change
	Refused     queries.FieldErrors
}

// address is the one of the file in a format.
func (p Payroll) address(format string) string {
	return views.ListURL(PayrollPath+"/export", p.Filter.Values(), "format", format)
}

func (p Payroll) isLocked(month workday.Date) bool { return !slices.Contains(p.Unlocked, month) }

// inputs are the fields of the months.
func (p Payroll) inputs(ctx context.Context) []views.Input {
	inputs := []views.Input{
		{Name: "from", Label: locales.T(ctx, "payroll.from"), Value: p.From},
		{Name: "to", Label: locales.T(ctx, "payroll.to"), Value: p.To},
	}
	for i := range inputs {
		inputs[i].Type, inputs[i].Required, inputs[i].Error = "month", true, views.Refusal(ctx, p.Refused, inputs[i].Name)
	}
	return inputs
}

// payrollURL is the page of files for payroll with the month and department of a list.
func (p Period) payrollURL() string {
	return views.WithQuery(PayrollPath, attendance.PayrollFilter{First: p.First, Last: p.Last, DepartmentID: p.DepartmentIDs.Last()}.Values())
}
