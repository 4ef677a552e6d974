package attendance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// The states of a request for a correction.
const (
	CorrectionPending   = "pending"
	CorrectionApproved  = "approved"
	CorrectionRefused   = "refused"
	CorrectionWithdrawn = "withdrawn"
)

// CorrectionRequest is a request of an employee to correct a record. A nil time
// stays as it is.
type CorrectionRequest struct {
	Key                RecordKey
	Arrival, Departure *time.Time
	Reason             string // 1-200 characters
	IfLastEdit         *int64 // see RecordEdit
}

// PendingCorrection is a request that has not been decided, with the current
// values of the record.
type PendingCorrection struct {
	Correction
	Name       string // of the person
	Department string // on that date
	Status     string // of the record; "" without a record

	RecordArrivalAt, RecordDepartureAt *time.Time
	LastEditID                         int64 // of the record; 0 for none
	Locked                             bool  // whether the month is locked
}

// Item returns the request as an item of the desk of somebody who may decide it.
func (c PendingCorrection) Item() DeskItem {
	return DeskItem{
		DeskKey: DeskKey{DeskCorrection, c.Key()}, Name: c.Name, DepartmentID: c.DepartmentID, Department: c.Department, Status: c.Status,
		ArrivalAt: c.RecordArrivalAt, DepartureAt: c.RecordDepartureAt, LastEditID: c.LastEditID, Locked: c.Locked,
		CorrectionID: c.ID, AskedArrivalAt: c.ArrivalAt, AskedDepartureAt: c.DepartureAt, Reason: c.Reason, At: &c.CreatedAt, MayDecide: true,
	}
}

// Key returns the key of the record that the request is about.
func (c Correction) Key() RecordKey {
	return RecordKey{c.UserID, workday.DateOf(c.WorkDate), c.Extra}
}

// RequestCorrection requests a correction of the actor's own record. It is
// possible until correction_days after the work date, one request at a time. It
// refuses with FieldErrors of arrival, departure, reason and record, or with a
// RecordConflict.
func (store *Store) RequestCorrection(ctx context.Context, by queries.Actor, r CorrectionRequest) (Correction, error) {
	none := Correction{}
	if r.Key.UserID != by.UserID {
		return none, fmt.Errorf("record %s: %w", r.Key, queries.NotFound)
	}
	if err := store.checkDate(r.Key); err != nil {
		return none, err
	}
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Correction, error) {
		d, err := store.derivation(ctx, q, by.CompanyID, []int64{by.UserID})
		if err != nil {
			return none, err
		}
		loaded, err := d.loadFacts(ctx, spanOf(r.Key))
		if err != nil {
			return none, err
		}
		s, err := loaded.recordState(r.Key)
		if err != nil {
			return none, err
		}
		refused := queries.FieldErrors{}
		if refusal := checkReason(&r.Reason); refusal != "" {
			refused["reason"] = refusal
		}
		switch {
		case loaded.isLockedMonth(r.Key.Date):
			refused["record"] = refusedEditLocked
		case s.row.DeletedAt != nil:
			refused["record"] = refusedEditDeleted
		case !s.correctable(d.Now):
			refused["record"] = "record.correction.late"
		case r.IfLastEdit != nil && *r.IfLastEdit != s.lastEdit:
			return none, d.conflict(ctx, r.Key, false)
		}
		e := RecordEdit{Key: r.Key, Arrival: wished(r.Arrival), Departure: wished(r.Departure)}
		s.check(e, d.Now, refused)
		var c recordChanges
		if s.changes(e, &c); len(c.fields) == 0 && len(refused) == 0 {
			refused["record"] = refusedEditUnchanged
		}
		if len(refused) > 0 {
			return none, refused
		}
		insert := insertCorrectionParams{
			CompanyID: by.CompanyID, UserID: by.UserID, WorkDate: r.Key.Date.Time(), Extra: r.Key.Extra,
			DepartmentID: s.row.DepartmentID, Reason: r.Reason, CreatedAt: d.Now,
		}
		for _, f := range c.fields {
			if f.Field == string(workday.FieldArrival) {
				insert.ArrivalAt = f.NewAt
			} else {
				insert.DepartureAt = f.NewAt
			}
		}
		made, err := q.insertCorrection(ctx, insert)
		if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "attendance_corrections_pending" {
			return none, queries.FieldErrors{"record": "record.correction.pending"}
		}
		return made, err
	})
}

func wished(at *time.Time) workday.Change { return workday.Change{Edited: at != nil, To: at} }

// correctable reports whether a correction can still be requested.
func (s *recordState) correctable(now time.Time) bool {
	today := workday.DateOf(now.In(s.policy.Zone))
	return s.policy.correctionDays > 0 && isBetween(s.key.Date, today-workday.Date(s.policy.correctionDays), today)
}

// WithdrawCorrection withdraws the actor's own request. A request that is
// decided is a Conflict.
func (s *Store) WithdrawCorrection(ctx context.Context, by queries.Actor, id int64) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return err
		}
		c, err := q.correction(ctx, correctionParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if c.UserID != by.UserID {
			return fmt.Errorf("correction %d: %w", id, queries.NotFound)
		}
		return q.decide(ctx, by, id, s.db.Now(), CorrectionWithdrawn, "")
	})
}

// CorrectionDecision is the answer of an editor to a request.
type CorrectionDecision struct {
	Approve    bool
	Answer     string // at most 200 characters; required to refuse
	IfLastEdit *int64 // see RecordEdit
	IfUnlocked bool   // see RecordEdit; approving only
}

// DecideCorrection approves a request and edits the record accordingly, or
// refuses it, and returns the set of the decision for UndoReviews. Users cannot
// decide their own requests. It refuses with
// FieldErrors of answer and those of EditRecord, with a RecordConflict or
// MonthLocked, and with a Conflict if the request is decided already.
func (s *Store) DecideCorrection(ctx context.Context, by queries.Actor, scope RecordScope, id int64, decision CorrectionDecision) (set int64, err error) {
	c, err := s.correction(ctx, correctionParams{by.CompanyID, id})
	if err != nil {
		return 0, err
	}
	if !scope.Edits(c.UserID, c.DepartmentID) {
		return 0, fmt.Errorf("correction %d: %w", id, queries.NotFound)
	}
	answer := strings.TrimSpace(decision.Answer)
	switch {
	case utf8.RuneCountInString(answer) > maxReason:
		return 0, queries.FieldErrors{"answer": "record.reason.too_long"}
	case search.IsBlank(answer) && !decision.Approve:
		return 0, queries.FieldErrors{"answer": "record.answer.required"}
	}
	decision.Answer = answer
	err = s.inEditTx(ctx, []RecordEdit{{Key: c.Key()}}, func(ctx context.Context, q *Queries) error {
		// Every rule locks the company's attendance first, so that rules cannot
		// deadlock.
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return err
		}
		r := reviewTx{Store: s, q: q, by: by, scope: scope, ReviewDraft: ReviewDraft{Decision: Approve, Comment: answer}}
		if !decision.Approve {
			r.Decision = Reject
		}
		people, err := q.clockPeople(ctx, clockPeopleParams{by.CompanyID, []int64{c.UserID}})
		if err != nil {
			return err
		}
		if r.lastEdit, err = q.lastEditID(ctx, by.CompanyID); err != nil {
			return err
		}
		if err := s.decideCorrection(ctx, q, by, scope, c.ID, decision); err != nil {
			return err
		}
		item := DeskItem{DeskKey: DeskKey{DeskCorrection, c.Key()}, DepartmentID: c.DepartmentID, CorrectionID: c.ID}
		for _, person := range people {
			item.Name = person.Name
		}
		r.Done = []DeskItem{item}
		err = r.store(ctx)
		set = r.Set
		return err
	})
	return set, err
}

// decideCorrection is DecideCorrection in a transaction, without the review. A refused
// approval changes nothing.
func (s *Store) decideCorrection(ctx context.Context, q *Queries, by queries.Actor, scope RecordScope, id int64, decision CorrectionDecision) error {
	c, err := q.correction(ctx, correctionParams{by.CompanyID, id})
	if err != nil {
		return err
	}
	now := s.db.Now()
	switch {
	case c.Status != CorrectionPending:
		return queries.Conflict("record.correction.decided")
	case !decision.Approve:
		if err := q.decide(ctx, by, c.ID, now, CorrectionRefused, decision.Answer); err != nil {
			return err
		}
		return queries.New(q.db).Publish(ctx, by.CompanyID, now, "attendance.correction_refused", correctionMessage{c.UserID, c.ID, c.Key().String(), workday.DateOf(c.WorkDate), by.Name, decision.Answer})
	}
	edit := RecordEdit{Key: c.Key(), Arrival: wished(c.ArrivalAt), Departure: wished(c.DepartureAt), Reason: c.Reason, IfLastEdit: decision.IfLastEdit, IfUnlocked: decision.IfUnlocked}
	err = ofOne(s.editRecords(ctx, q, by, scope, []RecordEdit{edit}, &c.ID))
	if isUnchanged(err) {
		edit.storesSame = true // somebody has set the time already: it is granted all the same
		err = ofOne(s.editRecords(ctx, q, by, scope, []RecordEdit{edit}, &c.ID))
	}
	if err != nil {
		return err
	}
	return q.decide(ctx, by, c.ID, now, CorrectionApproved, decision.Answer)
}

// correctionMessage is the message that a request was refused.
type correctionMessage struct {
	UserID       int64        `json:"user_id"`
	CorrectionID int64        `json:"correction_id"`
	RecordID     string       `json:"record_id"`
	WorkDate     workday.Date `json:"work_date"`
	DecidedBy    string       `json:"decided_by"`
	Answer       string       `json:"answer"`
}

// decide stores the decision of a pending request; a Conflict if it is not
// pending.
func (q *Queries) decide(ctx context.Context, by queries.Actor, id int64, now time.Time, status, answer string) error {
	n, err := q.decideCorrection(ctx, decideCorrectionParams{
		Status: status, DecidedAt: &now, DecidedBy: queries.OrNil(by.UserID), DeciderName: by.Name, Answer: answer, CompanyID: by.CompanyID, ID: id,
	})
	if err == nil && n == 0 {
		err = queries.Conflict("record.correction.decided")
	}
	return err
}

// CorrectionList is the list name of the cursors of pending corrections.
const CorrectionList = "corrections"

// PendingCorrections returns the requests that a scope may decide, the oldest
// first. The list is only read forward.
func (s *Store) PendingCorrections(ctx context.Context, companyID int64, scope RecordScope, at *lists.Cursor, limit int) (lists.Page[PendingCorrection], error) {
	page := lists.Page[PendingCorrection]{}
	if err := at.CheckForward(CorrectionList); err != nil {
		return page, err
	}
	if !scope.EditsAnybody() {
		return page, nil
	}
	after := int64(0)
	if at != nil {
		after = at.ID
	}
	rows, err := s.pendingCorrections(ctx, pendingCorrectionsParams{
		CompanyID: companyID, After: after, ExceptUserID: scope.UserID, Everybody: scope.Everybody, DepartmentIds: scope.EditIDs, Size: int32(limit) + 1,
	})
	if err != nil {
		return page, fmt.Errorf("pending corrections: %w", err)
	}
	all := make([]PendingCorrection, len(rows))
	for i, r := range rows {
		all[i] = PendingCorrection{r.Correction, r.Name, r.Department, r.RecordStatus, r.RecordArrivalAt, r.RecordDepartureAt, r.LastEditID, r.Locked}
	}
	page = lists.NewPage(all, at, limit, func(c PendingCorrection) lists.Cursor { return lists.Cursor{List: CorrectionList, ID: c.ID} })
	page.ForwardOnly(at, limit)
	return page, nil
}

// maxReason is the maximum number of characters of a reason or an answer.
const maxReason = 200

// checkReason trims a reason and returns its refusal, or "".
func checkReason(reason *string) queries.Invalid {
	*reason = strings.TrimSpace(*reason)
	switch {
	case search.IsBlank(*reason):
		return "record.reason.required"
	case utf8.RuneCountInString(*reason) > maxReason:
		return "record.reason.too_long"
	}
	return ""
}

// pending returns the pending request, or nil.
func pending(all []Correction) *Correction {
	if i := slices.IndexFunc(all, func(c Correction) bool { return c.Status == CorrectionPending }); i >= 0 {
		return &all[i]
	}
	return nil
}
