package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"officeconsole/background"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/replica"
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

// List is a list with its filter and the format of its file: a Request of
// attendance or one of another list, such as a FileRequest.
type List interface {
	FileName() string
	form() form

	// open returns what writes the heading and the rows that the reader may see.
	open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error)

	// read is what its file shows, for the log of reads.
	read() audit.Read

	// total returns the number of rows if it is known without reading them, else 0.
	total(ctx context.Context, db *areas.Areas, reader directory.Person) (int64, error)
}

// form is how a list is written.
type form struct {
	format, title string
}

// writer passes the heading and the rows of a list to take until take returns false
// or the list ends.
type writer func(ctx context.Context, take func(cells ...any) (more bool, err error)) error

// Write writes the rows of a list that the reader may see and returns their
// number.
func Write(ctx context.Context, w io.Writer, db *areas.Areas, reader directory.Person, l List, o Options) (rows int64, err error) {
	write, err := l.open(ctx, db, reader)
	if err != nil {
		return 0, err
	}
	f, err := NewFile(w, l.form().format, l.form().title)
	if err != nil {
		return 0, err
	}
	rows = -1 // the heading does not count
	err = write(ctx, func(cells ...any) (bool, error) {
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
		if err := run(ctx, db, e); err != nil && !errors.Is(err, export.ErrCancelled) {
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
	l, err := requestOf(e)
	if err != nil {
		return 0, err
	}
	reader, err := db.Directory.Person(ctx, directory.PersonParams{CompanyID: e.CompanyID, ID: e.UserID})
	if err != nil {
		return 0, fmt.Errorf("requester: %w", err)
	}
	if isOfAdministrators(l) && !reader.IsAdmin {
		return 0, fmt.Errorf("the requester is no administrator any more: %w", queries.NotFound)
	}
	scope, err := db.Attendance.Scope(ctx, reader)
	if err != nil {
		return 0, err
	}
	if err := db.Exports.NoteScope(ctx, export.NoteScopeParams{
		Everybody: scope.Everybody, DepartmentIds: scope.DepartmentIDs, CompanyID: e.CompanyID, ID: e.ID,
	}); err != nil {
		return 0, err
	}
	ctx = db.ReadFromReplica(replica.WithUser(ctx, replica.User{CompanyID: e.CompanyID, ID: e.UserID}))
	total, err := l.total(ctx, db, reader)
	if err != nil {
		return 0, err
	}
	if err := db.Exports.NoteTotal(ctx, export.NoteTotalParams{Total: total, CompanyID: e.CompanyID, ID: e.ID}); err != nil {
		return 0, err
	}
	return Write(ctx, w, db, reader, l, Options{Progress: func(rows int64) error { return db.Exports.Progress(ctx, e, rows) }})
}

// CheckReader returns NotFound if the reader of a finished export may no longer see
// all that it holds.
func CheckReader(ctx context.Context, db *areas.Areas, reader directory.Person, e export.Export) error {
	l, err := requestOf(e)
	if err != nil {
		return err
	}
	scope, err := db.Attendance.Scope(ctx, reader)
	if err != nil {
		return err
	}
	lost := func(id int64) bool { return !scope.Includes(id) }
	if isOfAdministrators(l) && !reader.IsAdmin || e.Everybody && !scope.Everybody || slices.ContainsFunc(e.DepartmentIds, lost) {
		return fmt.Errorf("export %d, of which the reader may no longer see all: %w", e.ID, queries.NotFound)
	}
	return nil
}

// isOfAdministrators reports whether only administrators may read a list.
func isOfAdministrators(l List) bool {
	switch r := l.(type) {
	case Request:
		return r.Unit == attendance.LogUnit
	case PayrollRequest:
		return false
	}
	return true
}

// requestOf returns the list that an export is of.
func requestOf(e export.Export) (List, error) {
	var named struct{ List string }
	if err := json.Unmarshal(e.Request, &named); err != nil {
		return nil, err
	}
	switch named.List {
	case FilesList:
		return decode[FileRequest](e)
	case ReadersList:
		return decode[ReaderRequest](e)
	case ChangesList:
		return decode[ChangeRequest](e)
	case ReadsList:
		return decode[ReadRequest](e)
	case AccessList:
		return decode[AccessRequest](e)
	case ClientsList:
		return decode[ClientRequest](e)
	case PayrollList:
		return decode[PayrollRequest](e)
	case StatusList:
		return decode[StatusRequest](e)
	case PoliciesAtList:
		return decode[PolicyAtRequest](e)
	}
	return decode[Request](e)
}

func decode[L List](e export.Export) (l L, err error) {
	err = json.Unmarshal(e.Request, &l)
	return l, err
}

// ReadOf returns what somebody reads who gets a list as a file, for the log of reads.
func ReadOf(l List, rows int64) audit.Read {
	r := l.read()
	r.Via, r.Rows, r.ObjectName = audit.ViaExport, int(rows), l.FileName()
	return r
}

// ReadOfExport is ReadOf for the file of an export.
func ReadOfExport(e export.Export) (audit.Read, error) {
	l, err := requestOf(e)
	if err != nil {
		return audit.Read{}, err
	}
	return ReadOf(l, e.Rows), nil
}

// TotalOf returns how many rows an export has; 0 if unknown.
func TotalOf(e export.Export) int64 {
	var noted struct{ Total int64 }
	if err := json.Unmarshal(e.Request, &noted); err != nil {
		return 0
	}
	return noted.Total
}
