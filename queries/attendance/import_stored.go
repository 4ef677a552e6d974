package attendance

import (
	"context"
	"encoding/json"
	"errors"
	"math"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// The states of an Import. A draft waits for somebody to look at it; a job works on it
// while it is being checked, which is a dry run, or is importing or reverting.
const (
	ImportDraft     = "draft"
	ImportChecking  = "checking"
	ImportChecked   = "checked"
	ImportImporting = "importing"
	ImportDone      = "done"
	ImportFailed    = "failed" // the program could not read or write it
	ImportReverting = "reverting"
	ImportReverted  = "reverted"
)

// StoredFile is a file of an import: the only one, or first that of arrivals and then
// that of departures.
type StoredFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Key    string `json:"key,omitempty"` // of its content, until it was imported
}

// StoredFiles returns the files.
func (i Import) StoredFiles() (files []StoredFile) {
	_ = json.Unmarshal(i.Files, &files) // nil of a broken row
	return files
}

// FileNames returns the names of the files.
func (i Import) FileNames() string { return fileNames(i.StoredFiles()) }

// ImportOptions returns how the import is read.
func (i Import) ImportOptions() (o ImportOptions) {
	_ = json.Unmarshal(i.Options, &o)
	if i.ReplacesID != nil {
		o.ReplacesID = *i.ReplacesID
	}
	return o
}

// ImportReport returns the report of the last run; the zero value before it.
func (i Import) ImportReport() (r ImportReport) {
	_ = json.Unmarshal(i.Report, &r)
	return r
}

// IsWide reports whether the import has a file of arrivals and one of departures.
func (i Import) IsWide() bool { return len(i.StoredFiles()) == 2 }

// IsRunning reports whether a job works on the import, or will.
func (i Import) IsRunning() bool {
	return i.State == ImportChecking || i.State == ImportImporting || i.State == ImportReverting
}

// Dates returns the first and the last date of its days; false before it was checked.
func (i Import) Dates() (first, last workday.Date, known bool) {
	if i.FirstDate == nil || i.LastDate == nil {
		return 0, 0, false
	}
	return workday.DateOf(*i.FirstDate), workday.DateOf(*i.LastDate), true
}

// importsList is the list name of the cursors of imports.
const importsList = "attendance_imports"

// ImportFilter is a page of the list of imports.
type ImportFilter struct {
	Cursor *lists.Cursor
	Limit  int
}

// ReadImportCursor reads the cursor of the list from a URL.
func ReadImportCursor(query map[string][]string) (*lists.Cursor, error) {
	r := lists.AddressReader{Query: query}
	cursor := r.Cursor(importsList)
	return cursor, r.Err()
}

// Imports returns the imports of a company, the latest first.
func (s *Store) Imports(ctx context.Context, companyID int64, f ImportFilter) (lists.Page[Import], error) {
	if err := f.Cursor.Check(importsList); err != nil {
		return lists.Page[Import]{}, err
	}
	var rows []Import
	var err error
	switch size := int32(f.Limit + 1); {
	case f.Cursor.IsBackward():
		rows, err = s.importsAfter(ctx, importsAfterParams{companyID, f.Cursor.ID, size})
	case f.Cursor.IsStart():
		rows, err = s.importsBefore(ctx, importsBeforeParams{companyID, math.MaxInt64, size})
	default:
		rows, err = s.importsBefore(ctx, importsBeforeParams{companyID, f.Cursor.ID, size})
	}
	if err != nil {
		return lists.Page[Import]{}, err
	}
	return lists.NewPage(rows, f.Cursor, f.Limit, func(i Import) lists.Cursor { return lists.Cursor{List: importsList, ID: i.ID} }), nil
}

// Refusals of imports that are stored.
const (
	refusedImportState = queries.Invalid("import.state")
	refusedImportFiles = queries.Invalid("import.files")
)

// CreateImport stores an import of uploaded files. begin is ImportDraft, or ImportChecking
// or ImportImporting for a job to begin at once. It is Invalid for another number of files
// than one or two, and if ReplacesID is not an import that can be reverted.
func (s *Store) CreateImport(ctx context.Context, by queries.Actor, files []StoredFile, options ImportOptions, begin string) (int64, error) {
	if len(files) < 1 || len(files) > 2 {
		return 0, refusedImportFiles
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (int64, error) {
		if options.ReplacesID != 0 {
			row, err := q.lockImport(ctx, lockImportParams{by.CompanyID, options.ReplacesID})
			if err != nil {
				return 0, err
			}
			if err := q.checkRevertible(ctx, by, row); err != nil {
				return 0, err
			}
		}
		return q.insertNewImport(ctx, by, begin, s.db.Now(), files, options)
	})
}

// BeginImport lets a job check an import, or import it, as begin says, with the options.
// It is NotFound for an unknown import, and Invalid for one in another state than a draft,
// checked or failed.
func (s *Store) BeginImport(ctx context.Context, by queries.Actor, id int64, options ImportOptions, begin string) error {
	how, err := json.Marshal(options)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if _, err := q.lockImport(ctx, lockImportParams{by.CompanyID, id}); err != nil {
			return err
		}
		found, err := q.setImport(ctx, setImportParams{State: begin, Options: how, CompanyID: by.CompanyID, ID: id})
		if err == nil && found == 0 {
			err = refusedImportState
		}
		return err
	})
}

// DeleteImport deletes an import that was not imported. It is Invalid for another one.
func (s *Store) DeleteImport(ctx context.Context, by queries.Actor, id int64) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if _, err := q.lockImport(ctx, lockImportParams{by.CompanyID, id}); err != nil {
			return err
		}
		found, err := q.deleteImport(ctx, deleteImportParams{by.CompanyID, id})
		if err == nil && found == 0 {
			err = refusedImportState
		}
		return err
	})
}

// RequestReversal reverts an import at once if it is small, and otherwise lets a job do
// it; isDone says which. The refusals are those of RevertImport.
func (s *Store) RequestReversal(ctx context.Context, by queries.Actor, id int64) (done ReversalReport, isDone bool, err error) {
	row, err := s.Imported(ctx, ImportedParams{by.CompanyID, id})
	if err != nil {
		return done, false, err
	}
	if row.Days <= ImmediateReversal {
		done, err = s.RevertImport(ctx, by, id)
		return done, err == nil, err
	}
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		row, err := q.lockImport(ctx, lockImportParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if row.State != ImportDone {
			return refusedRevertState
		}
		if err := q.checkRevertible(ctx, by, row); err != nil {
			return err
		}
		return q.startReversal(ctx, startReversalParams{queries.OrNil(by.UserID), by.Name, by.CompanyID, id})
	})
	return done, false, err
}

// PreviewReversal returns how many days reverting an import affects, and which of their
// records were edited since. The refusals are those of RevertImport.
func (s *Store) PreviewReversal(ctx context.Context, by queries.Actor, id int64) (Import, ReversalReport, error) {
	row, err := s.Imported(ctx, ImportedParams{by.CompanyID, id})
	if err != nil {
		return row, ReversalReport{}, err
	}
	r := ReversalReport{ID: id, Days: int(row.Days), People: int(row.People)}
	if r.Edited, r.Total, err = s.editedDays(ctx, row); err != nil {
		return row, r, err
	}
	return row, r, s.checkRevertible(ctx, by, row)
}

// IsImportRefusal reports whether reverting was refused rather than failed.
func IsImportRefusal(err error) bool { return errors.As(err, new(queries.Invalid)) }
