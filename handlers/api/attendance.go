package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// registerAttendance registers the attendance operations. The caller's
// RecordScope limits the records that they reach, as on the pages (spec §6).
func (c *calls) registerAttendance(own, administrators huma.Middlewares) {
	const all, one = u + "/logs/workingattitude", u + "/logs/workingattitude/{record_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Attendance"
		return d.operation(own)
	}
	refused := []int{http.StatusUnprocessableEntity}
	conflicts := []int{http.StatusConflict, http.StatusUnprocessableEntity, http.StatusPreconditionRequired}
	const readOnlyText = " 403 api.record.read_only, or api.record.own for one's own, where the caller sees the record but may not edit it."
	list := describe(call{id: "attendance", path: all, errors: refused, summary: "Attendance of a day, or of a week or month with totals, by name",
		description: "What the caller may see: their own records, those of people who were in their departments on the day, or everybody's. " +
			"unit=day gives a row for each record, the others a row for each person who has a record in the period. Deleted records are left out. Times are in UTC."})
	list.Middlewares = append(own, c.fromReplica)
	huma.Register(c.api, list, c.attendance)
	huma.Register(c.api, describe(call{id: "attendance-record", path: one, errors: refused, summary: "A record, and how it came to be",
		description: "Opening somebody else's record is noted, for that person to see. ETag is the last edit, for If-Match."}), c.attendanceRecord)
	huma.Register(c.api, describe(call{id: "attendance-events", path: one + "/events", errors: refused, summary: "The clock events of a record and its edits",
		description: "Events never change; edits are laid over them. Opening somebody else's is noted, for that person to see."}), c.attendanceEvents)
	huma.Register(c.api, describe(call{id: "edit-attendance", method: http.MethodPatch, path: one, errors: conflicts, summary: "Edit a record",
		description: "What is left out stays as it is. Needs editing permission and a reason; the person is told." + readOnlyText + " With If-Match, 409 when somebody else edited in between."}), c.editAttendance)
	huma.Register(c.api, describe(call{id: "delete-attendance", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts,
		summary:     "Delete a record",
		description: "It is left out of lists and sums, and can be restored. The reason is in the body or, for clients whose DELETE has none, in the query." + readOnlyText}), c.deleteAttendance)
	huma.Register(c.api, describe(call{id: "restore-attendance", method: http.MethodPost, path: one + "/restore", errors: conflicts,
		summary:     "Restore a deleted record",
		description: "The record is in lists and totals again. Needs editing permission and a reason." + readOnlyText + " With If-Match, 409 when somebody else edited in between."}), c.restoreAttendance)
	c.registerForecasts(describe, all+"/forecast")
	c.registerCorrections(describe, all+"/corrections")
	c.registerDesk(describe, all+"/desk")
	c.registerLocks(all+"/locks", administrators)
	c.registerExports(own)
}

// The range of valid years.
const firstYear, lastYear = 1900, 2200

// dateIn reads the date of a field, or returns fallback for an empty one.
func dateIn(field, text string, fallback workday.Date) (workday.Date, error) {
	if text == "" {
		return fallback, nil
	}
	date, err := workday.ParseDate(text)
	if err != nil || date.Year() < firstYear || date.Year() > lastYear {
		return 0, queries.FieldErrors{field: "api.field.invalid"}
	}
	return date, nil
}

// today returns the current date in the time zone of the caller's company.
func (c *calls) today(ctx context.Context) (workday.Date, error) {
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return 0, err
	}
	return workday.DateOf(c.db.Now().In(zone)), nil
}

// checkDepartment returns NotFound for a department that the caller may not
// see. The id 0 means all departments.
func (c *calls) checkDepartment(ctx context.Context, scope attendance.RecordScope, departmentID int64) error {
	if departmentID == 0 {
		return nil
	}
	_, err := c.db.Attendance.Departments(ctx, callerOf(ctx).Person, scope, departmentID)
	return err
}

// checkDepartments is checkDepartment of a filter of several.
func (c *calls) checkDepartments(ctx context.Context, scope attendance.RecordScope, ids lists.DepartmentIDs) error {
	_, err := c.db.Attendance.DepartmentChoices(ctx, callerOf(ctx).Person, scope, ids)
	return err
}

func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}
