package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// RecordCondition is the If-Match condition of a write to a record. It is
// exported because huma ignores unexported embedded structs.
type RecordCondition struct {
	IfMatch string `header:"If-Match" doc:"The ETag of the record as the client has seen it; without it whatever there is is changed."`
}

// lastEdit returns the last edit that the client has seen, or nil if it does
// not send one.
func (c RecordCondition) lastEdit() (*int64, error) {
	if c.IfMatch == "" {
		return nil, nil
	}
	id, err := tagNumber(c.IfMatch)
	if err == nil && id < 0 {
		err = errIfMatch
	}
	return &id, err
}

// newTime is a time to set, or null to remove the time.
type newTime workday.Change

// UnmarshalJSON reads a time or null. It is not called for a field that is left
// out.
func (t *newTime) UnmarshalJSON(text []byte) error {
	t.Edited = true
	return json.Unmarshal(text, &t.To)
}

// Schema describes a time or null.
func (newTime) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true}
}

type editRecordInput struct {
	RecordPath
	RecordCondition
	Body struct {
		ArrivalAt   newTime `json:"arrival_at,omitempty" doc:"Null takes it out. Seconds do not count."`
		DepartureAt newTime `json:"departure_at,omitempty" doc:"Null takes it out."`
		Leave       *string `json:"leave,omitempty" doc:"leave, half_leave_am or half_leave_pm; empty takes it back."`
		OvertimeMin *int    `json:"overtime_min,omitempty" minimum:"0" maximum:"1440" doc:"Approved overtime."`
		Reason      string  `json:"reason" doc:"1 to 200 characters."`
	}
}

func (c *calls) editAttendance(ctx context.Context, in *editRecordInput) (*recordOutput, error) {
	return c.write(ctx, in.RecordPath, in.RecordCondition, func(scope attendance.RecordScope, key attendance.RecordKey, seen *int64) error {
		return c.db.Attendance.EditRecord(ctx, actor(ctx), scope, attendance.RecordEdit{
			Key: key, Arrival: workday.Change(in.Body.ArrivalAt), Departure: workday.Change(in.Body.DepartureAt),
			Leave: (*workday.DayType)(in.Body.Leave), OvertimeMin: in.Body.OvertimeMin, Reason: in.Body.Reason, IfLastEdit: seen,
		})
	})
}

type reasonBody struct {
	Reason string `json:"reason" doc:"1 to 200 characters."`
}

type deleteRecordInput struct {
	RecordPath
	RecordCondition
	Reason string      `query:"reason" doc:"Where there is no body."`
	Body   *reasonBody `required:"false"`
}

func (c *calls) deleteAttendance(ctx context.Context, in *deleteRecordInput) (*struct{}, error) {
	_, err := c.write(ctx, in.RecordPath, in.RecordCondition, func(scope attendance.RecordScope, key attendance.RecordKey, seen *int64) error {
		return c.db.Attendance.DeleteRecord(ctx, actor(ctx), scope, key, in.Body.or(in.Reason), seen)
	})
	return nil, err
}

// or returns the reason of the body, or else that of the query.
func (b *reasonBody) or(query string) string {
	if b == nil {
		return query
	}
	return cmp.Or(b.Reason, query)
}

type restoreRecordInput struct {
	RecordPath
	RecordCondition
	Body reasonBody
}

func (c *calls) restoreAttendance(ctx context.Context, in *restoreRecordInput) (*recordOutput, error) {
	return c.write(ctx, in.RecordPath, in.RecordCondition, func(scope attendance.RecordScope, key attendance.RecordKey, seen *int64) error {
		return c.db.Attendance.RestoreRecord(ctx, actor(ctx), scope, key, in.Body.Reason, seen)
	})
}

// write changes a record and returns its new state.
func (c *calls) write(ctx context.Context, path RecordPath, condition RecordCondition, change func(attendance.RecordScope, attendance.RecordKey, *int64) error) (*recordOutput, error) {
	key, err := attendance.ParseRecordKey(path.RecordID)
	if err != nil {
		return nil, err
	}
	seen, err := condition.lastEdit()
	if err != nil {
		return nil, err
	}
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	if err := change(scope, key, seen); err != nil {
		return nil, c.recordProblem(ctx, c.readOnlyRecord(ctx, scope, key, err), seen)
	}
	return c.attendanceRecord(ctx, &path)
}

// readOnlyRecord returns the error of a change to a record. The rules find no record that
// the caller may not edit; one that the caller sees is not unknown but refused.
func (c *calls) readOnlyRecord(ctx context.Context, scope attendance.RecordScope, key attendance.RecordKey, err error) error {
	if !errors.Is(err, queries.NotFound) || scope.Everybody {
		return err
	}
	departmentID, unknown := c.db.Attendance.RecordDepartment(ctx, callerOf(ctx).CompanyID, key)
	switch {
	case unknown != nil:
		return unknown
	case !scope.Sees(key.UserID, departmentID) || scope.Edits(key.UserID, departmentID):
		return err
	case key.UserID == scope.UserID:
		return refusal{http.StatusForbidden, "api.record.own"}
	}
	return refusal{http.StatusForbidden, "api.record.read_only"}
}

// recordProblem returns the response for the error of a record: its fields
// under the names of the API, and who edited the record in the meantime.
func (c *calls) recordProblem(ctx context.Context, err error, seen *int64) error {
	var fields queries.FieldErrors
	var conflict *attendance.RecordConflict
	switch {
	case errors.As(err, &fields):
		renamed := queries.FieldErrors{}
		for name, refusal := range fields {
			renamed[recordField(name)] = refusal
		}
		return renamed
	case !errors.As(err, &conflict):
		return err
	}
	p := &problem{status: http.StatusConflict, Code: "record.changed", Message: locales.T(ctx, "record.changed")}
	r, err := c.db.Attendance.Record(ctx, callerOf(ctx).Person, conflict.Key)
	if err != nil || len(r.Edits) == 0 {
		return cmp.Or(err, error(p))
	}
	last := r.Edits[0]
	p.ChangedBy = &changedBy{User: changeActor{last.EditorID, last.EditorName}, At: last.At.UTC(), Fields: []string{}, LastEditID: r.LastEditID}
	for _, e := range r.Edits {
		if field := recordField(e.Field); e.ID > *seen && !slices.Contains(p.ChangedBy.Fields, field) {
			p.ChangedBy.Fields = append(p.ChangedBy.Fields, field)
		}
	}
	return p
}
