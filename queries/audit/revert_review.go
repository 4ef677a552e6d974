package audit

import (
	"context"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
)

// attendanceReview undoes a decision about an item of the desk.
func (r *reversal) attendanceReview(ctx context.Context) error {
	scope := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: r.by.UserID}
	_, err := r.attendance.UndoReview(ctx, r.by, scope, r.change.ObjectID, "")
	return err
}
