package directory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/search"
)

// ImportOptions say how strict an import is.
type ImportOptions struct {
	DryRun  bool // report everything, write nothing
	SkipBad bool // write the accepted rows although others are refused
}

// ImportReport is the result of an import, or of a dry run.
type ImportReport struct {
	Rows                        int // rows that are not empty, without the heading
	Created, Updated, Unchanged int // people
	Departments, Ranks, Roles   int // created
	RefusedRows                 int
	Refused                     []importfile.Refusal // in the order of the file
	Written                     bool                 // false after a dry run and if everything was refused
}

// Import creates and updates departments and users of a company from a CSV file
// (docs/import.md describes the columns). Existing users are found by their
// employee id or else by their email, so importing a file twice creates nobody
// twice. One refused row refuses the file unless SkipBad is set. What is wrong
// with the file is in the report; an error means that reading or the database
// failed.
func (s *Store) Import(ctx context.Context, companyID int64, file io.Reader, options ImportOptions) (ImportReport, error) {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	im := &importer{companyID: companyID}
	written, err := inTx(ctx, s, func(ctx context.Context, q *Queries) (bool, error) {
		im.Queries, im.now = q, s.db.Now()
		if err := im.run(ctx, file); err != nil {
			return false, err
		}
		if options.DryRun || im.broken || im.report.RefusedRows > 0 && !options.SkipBad {
			return false, ErrNothingWritten
		}
		if !im.report.changed() {
			return true, nil
		}
		return true, q.touchDirectory(ctx, companyID)
	})
	im.report.Written = written && err == nil
	if errors.Is(err, ErrNothingWritten) {
		return im.report, nil
	}
	if err != nil {
		return im.report, fmt.Errorf("import directory: %w", err)
	}
	if im.report.Created+im.report.Updated >= ImportBatch {
		err = s.VacuumAnalyze(ctx)
	}
	return im.report, err
}

// ErrNothingWritten rolls back the transaction of an import that must not
// write.
var ErrNothingWritten = errors.New("nothing is written")

func (r ImportReport) changed() bool {
	return r.Created+r.Updated+r.Departments+r.Ranks+r.Roles > 0
}

// ImportBatch is the number of rows that are looked up and written at once.
const ImportBatch = 1000

func (im *importer) run(ctx context.Context, file io.Reader) error {
	if err := im.begin(ctx); err != nil {
		return err
	}
	t, err := importfile.OpenTable(file, directoryColumns, []string{"name", "email", "department_path"})
	for err == nil {
		var rows []importRow
		if rows, err = im.read(t); len(rows) > 0 {
			if failed := im.batch(ctx, rows); failed != nil {
				return failed
			}
		}
	}
	var broken importfile.Unreadable
	if errors.As(err, &broken) {
		im.broken = true
		im.refuse(broken.Refusal)
		return nil
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("read: %w", err)
}

// read returns the next rows that are valid by themselves. After the last ones
// it also returns io.EOF or unreadable.
func (im *importer) read(t *importfile.Table) ([]importRow, error) {
	im.has = t.Has
	rows := make([]importRow, 0, ImportBatch)
	for len(rows) < cap(rows) {
		values, err := t.Next()
		var refused importfile.Refusal
		var broken importfile.Unreadable
		if err != nil && (errors.As(err, &broken) || !errors.As(err, &refused)) {
			return rows, err
		}
		im.report.Rows++
		if err != nil {
			im.refuse(refused)
			continue
		}
		row, refusals := readRow(t.Line, values)
		if len(refusals) > 0 {
			im.refuse(refusals...)
			continue
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// refuse adds refusals of one row to the report.
func (im *importer) refuse(all ...importfile.Refusal) {
	im.report.RefusedRows++
	im.report.Refused = append(im.report.Refused, all...)
}

// batch finds the users that rows name, and writes what differs.
func (im *importer) batch(ctx context.Context, rows []importRow) error {
	if err := im.recognise(ctx, rows); err != nil {
		return err
	}
	for _, row := range rows {
		refused, err := im.row(ctx, row)
		if err != nil {
			return fmt.Errorf("line %d: %w", row.line, err)
		}
		if refused != nil {
			im.refuse(*refused)
		}
	}
	return im.write(ctx)
}

func (im *importer) row(ctx context.Context, row importRow) (*importfile.Refusal, error) {
	person, refused := im.match(row)
	if refused != nil {
		return refused, nil
	}
	path, refused := im.departmentPath(row)
	if refused != nil {
		return refused, nil
	}
	if im.freed[emailKey(row.email)] || im.freed[employeeKey(row.employeeID)] {
		if err := im.write(ctx); err != nil {
			return nil, err
		}
	}
	wanted := person
	row.apply(&wanted, im.has)
	if err := im.assign(ctx, &wanted, row, path); err != nil {
		return nil, im.explain(err)
	}
	im.note(row, person, wanted)
	return nil, nil
}

// match returns the user that a row names; a user without an id is new.
func (im *importer) match(row importRow) (importMatchesRow, *importfile.Refusal) {
	byEmployee, byEmail := im.known[employeeKey(row.employeeID)], im.known[emailKey(row.email)]
	person := byEmployee
	if person == nil {
		person = byEmail
	}
	var refused importfile.Refusal
	switch {
	case im.seen[emailKey(row.email)]:
		refused = importfile.Refuse(row.line, "email", row.email, "import.email.twice")
	case im.seen[employeeKey(row.employeeID)]:
		refused = importfile.Refuse(row.line, "employee_id", row.employeeID, "import.employee_id.twice")
	case person == nil:
		return importMatchesRow{CompanyID: im.companyID}, nil
	// Another user has the email address: in another company, or with another
	// employee id.
	case byEmail != nil && (byEmail != person || byEmail.CompanyID != im.companyID),
		byEmployee == nil && row.employeeID != "" && person.EmployeeID != "":
		refused = importfile.Refuse(row.line, "email", row.email, "import.email.taken")
	case im.taken[person.ID]:
		refused = importfile.Refuse(row.line, "name", row.name, "import.person.twice")
	default:
		return *person, nil
	}
	return importMatchesRow{}, &refused
}

// note stores the decision about a row for later rows and for write.
func (im *importer) note(row importRow, before, wanted importMatchesRow) {
	for _, key := range []string{emailKey(row.email), employeeKey(row.employeeID)} {
		if key != "" {
			im.seen[key] = true
		}
	}
	if before.ID == 0 {
		im.report.Created++
		im.created = append(im.created, importPerson(wanted))
		return
	}
	im.taken[before.ID] = true
	if wanted == before {
		im.report.Unchanged++
		return
	}
	im.report.Updated++
	im.changed = append(im.changed, importPerson(wanted))
	im.free(emailKey(before.Email), emailKey(wanted.Email))
	im.free(employeeKey(before.EmployeeID), employeeKey(wanted.EmployeeID))
}

// free makes the email or employee id that a user gives up available to later
// rows, once the change is written.
func (im *importer) free(before, wanted string) {
	if before != "" && before != wanted {
		delete(im.known, before)
		im.freed[before] = true
	}
}

// write writes the decisions so far.
func (im *importer) write(ctx context.Context) error {
	if len(im.changed) > 0 {
		people, ids, err := encodePeople(im.changed)
		if err != nil {
			return err
		}
		if err := im.importChangedPeople(ctx, importChangedPeopleParams{Now: im.now, CompanyID: im.companyID, People: people}); err != nil {
			return im.explain(err)
		}
		if err := im.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{im.companyID, ids}); err != nil {
			return err
		}
	}
	if len(im.created) > 0 {
		people, _, err := encodePeople(im.created)
		if err != nil {
			return err
		}
		if err := im.importNewPeople(ctx, importNewPeopleParams{CompanyID: im.companyID, Now: im.now, People: people}); err != nil {
			return im.explain(err)
		}
	}
	im.changed, im.created = im.changed[:0], im.created[:0]
	clear(im.freed)
	return nil
}

// explain turns a violated constraint into a Conflict: all rows were looked up
// before, so only a concurrent change can have taken an address.
func (im *importer) explain(err error) error {
	if _, ok := queries.ViolatedConstraint(err); ok {
		return fmt.Errorf("%w: %w", queries.Conflict("import.conflict"), err)
	}
	return err
}

func encodePeople(people []importedPerson) (encoded []byte, ids []int64, err error) {
	for i := range people {
		p := &people[i]
		p.SearchText, p.SearchGrams = search.Key(p.Name, p.Email, p.EmployeeID)
		if p.SearchGrams == nil {
			p.SearchGrams = []string{}
		}
		ids = append(ids, p.ID)
	}
	encoded, err = json.Marshal(people)
	return encoded, ids, err
}

func emailKey(email string) string {
	if email == "" {
		return ""
	}
	return "@" + strings.ToLower(email)
}

func employeeKey(id string) string {
	if id == "" {
		return ""
	}
	return "#" + id
}
