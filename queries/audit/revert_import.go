package audit

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
)

// attendanceImport reverts an import of attendance. A large one takes longer than a
// request may, so that its own page lets a job do it.
func (r *reversal) attendanceImport(ctx context.Context) error {
	row, err := r.attendance.Imported(ctx, attendance.ImportedParams{CompanyID: r.by.CompanyID, ID: r.change.ObjectID})
	if err != nil {
		return err
	}
	if row.Days > attendance.ImmediateReversal {
		return queries.Invalid("import.revert.large")
	}
	_, err = r.attendance.RevertImport(ctx, r.by, row.ID)
	return err
}
