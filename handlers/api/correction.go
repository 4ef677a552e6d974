package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/workday"
)

// registerCorrections registers the operations of requests for corrections.
func (c *calls) registerCorrections(describe func(call) huma.Operation, all string) {
	one := all + "/{correction_id}"
	conflicts := []int{http.StatusConflict, http.StatusUnprocessableEntity, http.StatusPreconditionRequired}
	huma.Register(c.api, describe(call{id: "corrections", path: all, errors: conflicts[1:2], summary: "The requests for corrections that the caller may decide about, the oldest first",
		description: "Nobody decides about their own: those are in the record."}), c.corrections)
	huma.Register(c.api, describe(call{id: "request-correction", method: http.MethodPost, path: all, status: http.StatusCreated, errors: conflicts[1:2],
		summary: "Ask for a correction of one's own record", description: "One request at a time, until the day that the policy's correction_days allow. 403 api.correction.others for a record of somebody else that the caller sees."}), c.requestCorrection)
	huma.Register(c.api, describe(call{id: "decide-correction", method: http.MethodPatch, path: one, status: http.StatusNoContent, errors: conflicts,
		summary: "Approve or refuse a request", description: "Approving edits the record as was asked. 409 where it is decided already or, with If-Match, where the record was edited in between. 403 api.correction.read_only where the caller sees the request but may not decide about it, as about one's own."}), c.decideCorrection)
	huma.Register(c.api, describe(call{id: "withdraw-correction", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts[:1],
		summary: "Take one's own request back", description: "409 where it is decided already. 403 api.correction.others for a request of somebody else that the caller sees."}), c.withdrawCorrection)
}

// correction is a request for a correction.
type correction struct {
	ID          int64      `json:"id"`
	RecordID    string     `json:"record_id"`
	WorkDate    string     `json:"work_date" format:"date"`
	ArrivalAt   *time.Time `json:"arrival_at" doc:"As it should be; null leaves it as it is."`
	DepartureAt *time.Time `json:"departure_at"`
	Reason      string     `json:"reason"`
	Status      string     `json:"status" enum:"pending,approved,refused,withdrawn"`
	CreatedAt   time.Time  `json:"created_at"`
	DecidedAt   *time.Time `json:"decided_at"`
	DecidedBy   string     `json:"decided_by" doc:"A name; empty before."`
	Answer      string     `json:"answer"`
}

func newCorrection(r attendance.Correction) correction {
	return correction{
		ID: r.ID, RecordID: r.Key().String(), WorkDate: workday.DateOf(r.WorkDate).String(), ArrivalAt: inUTC(r.ArrivalAt), DepartureAt: inUTC(r.DepartureAt),
		Reason: r.Reason, Status: r.Status, CreatedAt: r.CreatedAt.UTC(), DecidedAt: inUTC(r.DecidedAt), DecidedBy: r.DeciderName, Answer: r.Answer,
	}
}

// pendingCorrection is a request that waits for a decision, with the current
// record.
type pendingCorrection struct {
	ID          int64           `json:"id"`
	RecordID    string          `json:"record_id"`
	User        userName        `json:"user"`
	Department  departmentName  `json:"department" doc:"Of that day."`
	WorkDate    string          `json:"work_date" format:"date"`
	ArrivalAt   *time.Time      `json:"arrival_at" doc:"As it should be; null leaves it as it is."`
	DepartureAt *time.Time      `json:"departure_at"`
	Reason      string          `json:"reason"`
	CreatedAt   time.Time       `json:"created_at"`
	Record      correctedRecord `json:"record" doc:"As it is."`
}

type correctedRecord struct {
	Status      *string    `json:"status" doc:"Null where the date has no record."`
	ArrivalAt   *time.Time `json:"arrival_at"`
	DepartureAt *time.Time `json:"departure_at"`
	LastEditID  int64      `json:"last_edit_id" doc:"0 where there is none; for If-Match."`
}

type correctionsInput struct {
	OwnPath
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type correctionsOutput struct{ Body list[pendingCorrection] }

func (c *calls) corrections(ctx context.Context, in *correctionsInput) (*correctionsOutput, error) {
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	page, err := c.db.Attendance.PendingCorrections(ctx, in.CompanyID, scope, in.Cursor.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadCorrections, Rows: len(page.Rows)})
	return &correctionsOutput{listed(page, newPendingCorrection)}, nil
}

func newPendingCorrection(r attendance.PendingCorrection) pendingCorrection {
	out := pendingCorrection{
		ID: r.ID, RecordID: r.Key().String(), User: userName{r.UserID, r.Name}, Department: departmentName{r.DepartmentID, r.Department},
		WorkDate: workday.DateOf(r.WorkDate).String(), ArrivalAt: inUTC(r.ArrivalAt), DepartureAt: inUTC(r.DepartureAt), Reason: r.Reason, CreatedAt: r.CreatedAt.UTC(),
		Record: correctedRecord{ArrivalAt: inUTC(r.RecordArrivalAt), DepartureAt: inUTC(r.RecordDepartureAt), LastEditID: r.LastEditID},
	}
	if r.Status != "" {
		out.Record.Status = &r.Status
	}
	return out
}

type requestCorrectionInput struct {
	OwnPath
	Body struct {
		RecordID    string     `json:"record_id"`
		ArrivalAt   *time.Time `json:"arrival_at,omitempty" doc:"As it should be; left out, it stays as it is."`
		DepartureAt *time.Time `json:"departure_at,omitempty"`
		Reason      string     `json:"reason" doc:"1 to 200 characters."`
	}
}

type correctionOutput struct{ Body correction }

func (c *calls) requestCorrection(ctx context.Context, in *requestCorrectionInput) (*correctionOutput, error) {
	key, err := attendance.ParseRecordKey(in.Body.RecordID)
	if err != nil {
		return nil, err
	}
	if err := c.checkOwnRecord(ctx, key); err != nil {
		return nil, err
	}
	made, err := c.db.Attendance.RequestCorrection(ctx, actor(ctx), attendance.CorrectionRequest{
		Key: key, Arrival: in.Body.ArrivalAt, Departure: in.Body.DepartureAt, Reason: in.Body.Reason,
	})
	if err != nil {
		return nil, c.recordProblem(ctx, err, nil)
	}
	return &correctionOutput{newCorrection(made)}, nil
}

// checkOwnRecord refuses to ask for a correction of somebody else's record: one that the
// caller sees is not unknown.
func (c *calls) checkOwnRecord(ctx context.Context, key attendance.RecordKey) error {
	who := callerOf(ctx)
	if key.UserID == who.ID {
		return nil
	}
	scope, err := c.db.Attendance.RecordScope(ctx, who.Person)
	if err != nil {
		return err
	}
	departmentID, err := c.db.Attendance.RecordDepartment(ctx, who.CompanyID, key)
	switch {
	case err != nil:
		return err
	case !scope.Sees(key.UserID, departmentID):
		return queries.NotFound
	}
	return refusal{http.StatusForbidden, "api.correction.others"}
}

// CorrectionPath is the path of a request for a correction.
type CorrectionPath struct {
	OwnPath
	CorrectionID int64 `path:"correction_id"`
}

type decideCorrectionInput struct {
	CorrectionPath
	RecordCondition
	Body struct {
		Approve bool   `json:"approve"`
		Answer  string `json:"answer,omitempty" doc:"At most 200 characters. Needed to refuse."`
	}
}

func (c *calls) decideCorrection(ctx context.Context, in *decideCorrectionInput) (*struct{}, error) {
	seen, err := in.lastEdit()
	if err != nil {
		return nil, err
	}
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	_, err = c.db.Attendance.DecideCorrection(ctx, actor(ctx), scope, in.CorrectionID, attendance.CorrectionDecision{Approve: in.Body.Approve, Answer: in.Body.Answer, IfLastEdit: seen})
	if errors.Is(err, queries.NotFound) { // as a request is that the caller may see, but not decide about
		asked, err := c.db.Attendance.Correction(ctx, in.CompanyID, scope, in.CorrectionID)
		if err == nil && !scope.Edits(asked.UserID, asked.DepartmentID) {
			err = refusal{http.StatusForbidden, "api.correction.read_only"}
		}
		return nil, cmp.Or(err, error(queries.NotFound))
	}
	return nil, c.recordProblem(ctx, err, seen)
}

func (c *calls) withdrawCorrection(ctx context.Context, in *CorrectionPath) (*struct{}, error) {
	err := c.db.Attendance.WithdrawCorrection(ctx, actor(ctx), in.CorrectionID)
	if !errors.Is(err, queries.NotFound) {
		return nil, err
	}
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	if _, err := c.db.Attendance.Correction(ctx, in.CompanyID, scope, in.CorrectionID); err != nil {
		return nil, err
	}
	return nil, refusal{http.StatusForbidden, "api.correction.others"}
}
