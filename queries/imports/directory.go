// Package imports imports a directory from a file, with what that does to policies and to people who have left.
package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Store runs the rules of the area. It is safe for concurrent use.
type Store struct {
	db        *queries.DB
	directory *directory.Store
	policies  *policy.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store, policies *policy.Store) *Store {
	return &Store{db, directoryStore, policies}
}

// Options say what an import of the directory may do.
type Options struct {
	directory.ImportOptions
	File              string // its name, for the change log
	Reading           importfile.Reading
	Renames           []directory.Rename // departments that the file has at another path
	Confirmed         bool               // although departments look renamed or policies no longer apply because of them
	DeactivateMissing bool               // deactivate the people of earlier imports who are not in the file
	AllowMany         bool               // even if they are more than maxMissing
}

// Report is what an import of the directory did, or would do.
type Report struct {
	directory.ImportReport
	Moves   []policy.Move // people to whom other policies apply
	Touched [][]string    // by ImportReport.Probable: the policies that list the old department
	Leavers Leavers
	Broken  []policy.BrokenCheck // the checks of policies that the import breaks
	Stopped []string             // ids of messages: why nothing is saved, beside refused rows
}

// Import creates and updates departments and users of a company from a CSV file (see
// directory.Store.PlanImport). One refused row refuses the file unless SkipBad is set.
func (s *Store) Import(ctx context.Context, by queries.Actor, file io.Reader, o Options) (Report, error) {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	var r Report
	err := s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		plan, err := s.directory.PlanImport(ctx, tx, by.CompanyID, directory.ImportFile{Content: file, Reading: o.Reading}, o.Renames)
		if err != nil {
			return err
		}
		w := &writer{tx: tx, by: by, now: s.db.Now(), options: o, plan: plan, policies: s.policies}
		err = w.write(ctx)
		if r = w.report; err != nil {
			return err
		}
		if o.DryRun || !plan.Writable(o.SkipBad) || len(r.Stopped) > 0 {
			return directory.ErrNothingWritten
		}
		return w.record(ctx)
	})
	if errors.Is(err, directory.ErrNothingWritten) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("import directory: %w", err)
	}
	r.Written = true
	if r.Created+r.Updated >= directory.ImportBatch {
		err = s.directory.VacuumAnalyze(ctx)
	}
	return r, err
}

// writer changes the directory as planned, in a transaction.
type writer struct {
	tx       queries.Tx
	by       queries.Actor
	now      time.Time
	options  Options
	plan     *directory.ImportPlan
	policies *policy.Store
	report   Report
}

// write changes the directory, and compares which policies apply before and after.
func (w *writer) write(ctx context.Context) error {
	before, err := w.policies.Coverage(ctx, w.tx, w.by.CompanyID)
	if err != nil {
		return err
	}
	administrators, err := directory.New(w.tx).AdministratorIDs(ctx, w.by.CompanyID)
	if err != nil {
		return err
	}
	c := directory.PeopleChange{By: w.by, IsOfAll: true}
	w.report.Broken, err = w.policies.HoldPeople(ctx, w.tx, &c, func(ctx context.Context) error {
		if err := w.plan.Write(ctx); err != nil {
			return err
		}
		w.report.ImportReport = w.plan.Report()
		return w.writeLeavers(ctx, administrators)
	})
	if errors.As(err, new(*policy.CheckRefusal)) {
		w.report.Stopped = append(w.report.Stopped, "import.stopped.checks")
	} else if err != nil {
		return err
	}
	after, err := w.policies.Coverage(ctx, w.tx, w.by.CompanyID)
	if err != nil {
		return err
	}
	w.report.Moves = before.Compare(after, idsOf(w.report.Missing))
	for _, probable := range w.report.Probable {
		w.report.Touched = append(w.report.Touched, before.NamesOf(probable.DepartmentIDs))
	}
	w.stop()
	return nil
}

// stop notes why nothing is saved although the rows are good.
func (w *writer) stop() {
	if w.options.Confirmed {
		return
	}
	r := &w.report
	if len(r.Probable) > 0 {
		r.Stopped = append(r.Stopped, "import.stopped.renames")
	}
	for _, m := range r.Moves {
		if m.Lost > 0 {
			r.Stopped = append(r.Stopped, "import.stopped.policies")
			break
		}
	}
}

// Record is an import in the change log.
type Record struct {
	Rows              int `json:"rows"`
	CreatedPeople     int `json:"created_people,omitempty"`
	UpdatedPeople     int `json:"updated_people,omitempty"`
	DeactivatedPeople int `json:"deactivated_people,omitempty"`
	ReactivatedPeople int `json:"reactivated_people,omitempty"`
	NewDepartments    int `json:"new_departments,omitempty"`
	Renamed           int `json:"renamed_departments,omitempty"`
	Codes             int `json:"department_codes,omitempty"`
	NewRanks          int `json:"new_ranks,omitempty"`
	NewRoles          int `json:"new_roles,omitempty"`
	RefusedRows       int `json:"refused_rows,omitempty"`
}

// record adds an import to the change log unless it changed nothing.
func (w *writer) record(ctx context.Context) error {
	r := w.report
	if !r.Changed() && r.Leavers.Deactivated+len(r.Leavers.Reactivated) == 0 {
		return nil
	}
	if err := w.recordAdministrators(ctx); err != nil {
		return err
	}
	return queries.New(w.tx).RecordChange(ctx, w.by, w.now, queries.Change{
		Action: "directory.imported", ObjectType: "directory", ObjectID: w.by.CompanyID, ObjectName: w.options.File,
		New: Record{
			Rows: r.Rows, CreatedPeople: r.Created, UpdatedPeople: r.Updated, DeactivatedPeople: r.Leavers.Deactivated, ReactivatedPeople: len(r.Leavers.Reactivated),
			NewDepartments: r.Departments, Renamed: len(r.Renamed), Codes: r.Codes, NewRanks: r.Ranks, NewRoles: r.Roles, RefusedRows: r.RefusedRows,
		},
	})
}
