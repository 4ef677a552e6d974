package attendance

import (
	"context"
	"time"

	"officeconsole/workday"
)

// refusalKey identifies a row of clock_refusals.
type refusalKey struct {
	date   workday.Date // in the time zone of the company
	userID int64
	kind   string
	code   string
}

// refusal counts the events of a batch that were refused alike.
type refusal struct {
	attempts int32
	lastAt   time.Time
	platform string
}

// noteRefusal counts an event that the policy of its person refuses. Events that cannot be
// read are the sender's mistake, and are not counted.
func (b *eventBatch) noteRefusal(row *ClockEvent, code string) {
	if b.refusals == nil {
		b.refusals = map[refusalKey]refusal{}
	}
	key := refusalKey{workday.DateOf(row.At.In(b.zone)), row.UserID, row.Kind, code}
	r := b.refusals[key]
	r.attempts++
	if !row.At.Before(r.lastAt) {
		r.lastAt, r.platform = row.At, row.Platform
	}
	b.refusals[key] = r
}

// writeRefusals stores what noteRefusal counted.
func (b *eventBatch) writeRefusals(ctx context.Context) error {
	if len(b.refusals) == 0 {
		return nil
	}
	note := noteRefusalsParams{CompanyID: b.CompanyID}
	for key, r := range b.refusals {
		note.WorkDates, note.UserIds = append(note.WorkDates, key.date.Time()), append(note.UserIds, key.userID)
		note.Kinds, note.Codes = append(note.Kinds, key.kind), append(note.Codes, key.code)
		note.Attempts, note.LastAts, note.Platforms = append(note.Attempts, r.attempts), append(note.LastAts, r.lastAt), append(note.Platforms, r.platform)
	}
	return b.noteRefusals(ctx, note)
}
