package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"officeconsole/background"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
)

// MaxImmediateRows is the maximum number of rows in a list that is written
// while the reader waits.
const MaxImmediateRows = 50_000

// ErrTooLarge is returned for a list with more rows than Options.MaxRows.
var ErrTooLarge = errors.New("the list is too large to be written at once")

// Options are the limit and the progress of a Write. The zero value has neither.
type Options struct {
	MaxRows  int64                  // 0 for no limit
	Progress func(rows int64) error // called after every progressInterval rows; an error stops the Write
}

// Write writes the rows of a list that the reader may see and returns their
// number.
func Write(ctx context.Context, w io.Writer, db *areas.Areas, reader directory.Person, r Request, o Options) (rows int64, err error) {
	l, err := newList(ctx, db, reader, r)
	if err != nil {
		return 0, err
	}
	f, err := NewFile(w, r.Format, r.Locale.T("export.sheet."+string(r.Unit)))
	if err != nil {
		return 0, err
	}
	rows = -1 // the heading does not count
	err = l.write(ctx, func(cells ...any) (bool, error) {
		rows++
		if o.MaxRows > 0 && rows > o.MaxRows {
			return false, ErrTooLarge
		}
		if o.Progress != nil && rows > 0 && rows%progressInterval == 0 {
			if err := o.Progress(rows); err != nil {
				return false, err
			}
		}
		return true, f.Row(cells...)
	})
	if err != nil {
		return rows, err
	}
	return rows, f.Finish()
}

// progressInterval is the number of rows between two reports of progress.
const progressInterval = 5000

// staleAfter is the time without progress after which the process that wrote an
// export is considered dead.
const staleAfter = 2 * time.Minute

// Run writes the waiting exports, one after the other.
func Run(ctx context.Context, db *areas.Areas) error {
	for {
		now := db.Now()
		e, err := db.Exports.Claim(ctx, export.ClaimParams{Now: &now, Lost: now.Add(-staleAfter)})
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := run(ctx, db, e); err != nil {
			slog.ErrorContext(ctx, "export failed", "export", e.ID, "err", err)
		}
	}
}

// writeTimeout is the maximum time to write a file in the background.
const writeTimeout = 15 * time.Minute

func run(ctx context.Context, db *areas.Areas, e export.Export) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	ctx = attendance.RememberScope(ctx)
	return db.Exports.Write(ctx, e, func(w io.Writer) (rows int64, err error) {
		err = background.Protect(func() error {
			rows, err = writeRequested(ctx, w, db, e)
			return err
		})
		return rows, err
	})
}

func writeRequested(ctx context.Context, w io.Writer, db *areas.Areas, e export.Export) (int64, error) {
	var r Request
	if err := json.Unmarshal(e.Request, &r); err != nil {
		return 0, err
	}
	reader, err := db.Directory.Person(ctx, directory.PersonParams{CompanyID: e.CompanyID, ID: e.UserID})
	if err != nil {
		return 0, fmt.Errorf("requester: %w", err)
	}
	if err := noteTotal(ctx, db, e, reader, r); err != nil {
		return 0, err
	}
	return Write(ctx, w, db, reader, r, Options{Progress: func(rows int64) error {
		now := db.Now()
		return db.Exports.NoteProgress(ctx, export.NoteProgressParams{Rows: rows, Now: &now, CompanyID: e.CompanyID, ID: e.ID})
	}})
}

// noteTotal stores how many rows an export will have, if the status counts say
// so: for records of dates, by department and status.
func noteTotal(ctx context.Context, db *areas.Areas, e export.Export, reader directory.Person, r Request) error {
	if r.Unit.OfPeople() || r.Device != "" || r.Edited || r.Deleted || r.Query != "" {
		return nil
	}
	scope, err := db.Attendance.RecordScope(ctx, reader)
	if err != nil {
		return err
	}
	var total int
	for date := r.First; date <= r.Last; date++ {
		counts, err := db.Attendance.StatusCounts(ctx, reader.CompanyID, scope, date, r.DepartmentID)
		if err != nil {
			return err
		}
		if r.Status == "" {
			total += counts.Total
		} else {
			total += counts.ByStatus[r.Status]
		}
	}
	return db.Exports.NoteTotal(ctx, export.NoteTotalParams{Total: int64(total), CompanyID: e.CompanyID, ID: e.ID})
}

// TotalOf returns Request.Total of an export.
func TotalOf(e export.Export) int64 {
	var r Request
	if err := json.Unmarshal(e.Request, &r); err != nil {
		return 0
	}
	return r.Total
}
