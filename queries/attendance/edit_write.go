package attendance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// write stores the edits, derives the records and publishes messages.
func (w *editTx) write(ctx context.Context) error {
	for _, c := range w.done {
		if err := w.store(ctx, c); err != nil {
			return fmt.Errorf("edit %s: %w", c.key, err)
		}
	}
	edited := make(map[RecordKey]bool, len(w.done))
	for _, c := range w.done {
		edited[c.key] = true
	}
	if err := w.deriveEdited(ctx, edited); err != nil {
		return fmt.Errorf("derive edited records: %w", err)
	}
	for _, c := range w.done {
		if err := queries.New(w.db).Publish(ctx, w.CompanyID, w.Now, "attendance.edited", w.message(c)); err != nil {
			return err
		}
	}
	return nil
}

func (w *editTx) store(ctx context.Context, c recordChanges) error {
	for _, f := range c.fields {
		err := w.insertEdit(ctx, insertEditParams{
			CompanyID: w.CompanyID, UserID: c.key.UserID, WorkDate: c.key.Date.Time(), Extra: c.key.Extra, At: w.Now,
			EditorID: queries.OrNil(w.by.UserID), EditorName: w.by.Name, Field: f.Field, OldAt: f.OldAt, NewAt: f.NewAt,
			OldText: f.OldText, NewText: f.NewText, Reason: c.reason, CorrectionID: w.correctionID,
		})
		if err != nil {
			return err
		}
	}
	if c.grant != nil {
		if err := w.putGrant(ctx, putGrantParams{w.CompanyID, c.key.UserID, c.key.Date.Time(), c.grant.Leave, c.grant.OvertimeMin}); err != nil {
			return err
		}
	}
	if c.hide != nil {
		var at *time.Time
		if *c.hide {
			at = &w.Now
		}
		row, err := w.hideRecord(ctx, hideRecordParams{DeletedAt: at, CompanyID: w.CompanyID, UserID: c.key.UserID, WorkDate: c.key.Date.Time(), Extra: c.key.Extra})
		if err != nil {
			return err
		}
		if err := w.patchMonths(ctx, []Record{row}); err != nil {
			return err
		}
	}
	return queries.New(w.db).RecordChange(ctx, w.by, w.Now, c.change())
}

// change returns the entry of the change log.
func (c recordChanges) change() queries.Change {
	before, after := map[string]any{"record_id": c.key.String()}, map[string]any{"record_id": c.key.String(), "reason": c.reason}
	for _, f := range c.fields {
		before[f.Field], after[f.Field] = f.values()
	}
	return queries.Change{Action: c.action(), ObjectType: "attendance", ObjectID: c.key.UserID, ObjectName: c.name + " " + c.key.Date.String(), Old: before, New: after}
}

// action returns the action of the entry in the change log.
func (c recordChanges) action() string {
	switch {
	case c.hide == nil:
		return "attendance.edited"
	case *c.hide:
		return "attendance.deleted"
	}
	return "attendance.restored"
}

func (f fieldChange) values() (old, new any) {
	if f.OldAt != nil || f.NewAt != nil {
		return f.OldAt, f.NewAt
	}
	return f.OldText, f.NewText
}

// recordMessage is the message that a record was edited.
type recordMessage struct {
	UserID       int64         `json:"user_id"`
	RecordID     string        `json:"record_id"`
	WorkDate     workday.Date  `json:"work_date"`
	Editor       string        `json:"editor_name"`
	EditorID     int64         `json:"editor_id,omitempty"`
	Reason       string        `json:"reason"`
	CorrectionID *int64        `json:"correction_id,omitempty"`
	Changes      []fieldValues `json:"changes"`
}

type fieldValues struct {
	Field string `json:"field"`
	Old   any    `json:"old"`
	New   any    `json:"new"`
}

func (w *editTx) message(c recordChanges) recordMessage {
	m := recordMessage{
		UserID: c.key.UserID, RecordID: c.key.String(), WorkDate: c.key.Date, Editor: w.by.Name, EditorID: w.by.UserID,
		Reason: c.reason, CorrectionID: w.correctionID,
	}
	for _, f := range c.fields {
		old, new := f.values()
		m.Changes = append(m.Changes, fieldValues{f.Field, old, new})
	}
	slices.SortFunc(m.Changes, func(a, b fieldValues) int { return cmp.Compare(a.Field, b.Field) })
	return m
}
