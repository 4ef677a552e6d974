package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
)

// AtOnce is up to how many rows a list is written while somebody waits.
const AtOnce = 50_000

// ErrTooLarge says that a list has more rows than AtOnce.
var ErrTooLarge = errors.New("the list is too large to be written at once")

// Write writes a list, what the reader may see of it. Beyond limit rows, if it
// is not 0, it stops with ErrTooLarge. note, if it is given, learns now and then
// how many rows there are so far.
func Write(ctx context.Context, w io.Writer, db *areas.Areas, reader directory.Person, r Request, limit int64, note func(rows int64) error) (rows int64, err error) {
	l, err := newList(ctx, db, reader, r)
	if err != nil {
		return 0, err
	}
	f, err := NewFile(w, r.Format, r.Locale.T("export.sheet."+string(r.Unit)))
	if err != nil {
		return 0, err
	}
	rows = -1 // the heading is none
	err = l.write(ctx, func(cells ...any) (bool, error) {
		rows++
		if limit > 0 && rows > limit {
			return false, ErrTooLarge
		}
		if note != nil && rows > 0 && rows%noteEvery == 0 {
			if err := note(rows); err != nil {
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

// noteEvery is after how many rows progress is noted.
const noteEvery = 5000

// lost is after how long without a sign the process that wrote an export is
// taken for gone.
const lost = 2 * time.Minute

// Run writes the exports that wait, one after the other.
func Run(ctx context.Context, db *areas.Areas) error {
	for {
		now := db.Now()
		e, err := db.Exports.Claim(ctx, export.ClaimParams{Now: &now, Lost: now.Add(-lost)})
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

// writeTimeout is how long one file may take to be written in the background.
const writeTimeout = 15 * time.Minute

func run(ctx context.Context, db *areas.Areas, e export.Export) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return db.Exports.Write(ctx, e, func(w io.Writer) (rows int64, err error) {
		err = queries.Protect(func() error {
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
		return 0, fmt.Errorf("who asked for it: %w", err)
	}
	if err := noteTotal(ctx, db, e, reader, r); err != nil {
		return 0, err
	}
	return Write(ctx, w, db, reader, r, 0, func(rows int64) error {
		now := db.Now()
		return db.Exports.NoteProgress(ctx, export.NoteProgressParams{Rows: rows, Now: &now, CompanyID: e.CompanyID, ID: e.ID})
	})
}

// noteTotal notes how many rows an export will have, where that is counted
// anyway: the records of dates, by department and status.
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

// TotalOf is Request.Total of an export.
func TotalOf(e export.Export) int64 {
	var r Request
	if err := json.Unmarshal(e.Request, &r); err != nil {
		return 0
	}
	return r.Total
}
