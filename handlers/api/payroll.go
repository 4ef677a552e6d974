package api

import (
	"context"
	"errors"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
)

// exportOfPayroll validates the request of a file for payroll like its page does.
func (c *calls) exportOfPayroll(ctx context.Context, asked exportRequest) (exports.List, error) {
	first, last, err := givenDates(asked)
	if err != nil {
		return nil, err
	}
	filter, err := attendance.NewPayrollFilter(first, last, asked.DepartmentID)
	var refused queries.FieldErrors
	if errors.As(err, &refused) {
		return nil, queries.FieldErrors{"last": refused["to"]}
	}
	if err != nil {
		return nil, err
	}
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	request := exports.PayrollRequest{PayrollFilter: filter, List: asked.List, Format: asked.Format, Locale: locales.FromContext(ctx)}
	return request, c.checkDepartment(ctx, scope, asked.DepartmentID)
}
