package directory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
)

// ImportOptions say how strict an import is.
type ImportOptions struct {
	DryRun  bool // report everything, write nothing
	SkipBad bool // write the accepted rows although others are refused
}

// ImportFile is a file of departments and users, and how it is read.
type ImportFile struct {
	Content io.Reader
	importfile.Reading
}

// ImportReport is what an import of the directory does, or did.
type ImportReport struct {
	RootName, FileRoot          string // the top department before, and as the file calls it; "" if it has the same name
	Rows                        int    // rows that are not empty, without the heading
	Created, Updated, Unchanged int    // people
	Departments, Ranks, Roles   int    // created
	Codes                       int    // existing departments that got a code
	Renamed                     []Rename
	Probable                    []ProbableRename
	Missing                     []ImportedUser // whom an earlier import has named, and the file does not
	Inactive                    []ImportedUser // whom the file names although they are deactivated
	Granted, Revoked            []ImportedUser // who become administrators, and who no longer are
	RefusedRows                 int
	Refused                     []importfile.Refusal // in the order of the file
	Written                     bool                 // false after a dry run and if everything was refused
}

// Changed reports whether the import changes the directory.
func (r ImportReport) Changed() bool {
	return r.Created+r.Updated+r.Departments+r.Codes+len(r.Renamed)+r.Ranks+r.Roles > 0
}

// ErrNothingWritten rolls back the transaction of an import that must not
// write.
var ErrNothingWritten = errors.New("nothing is written")

// ImportBatch is the number of rows that are written at once.
const ImportBatch = 1000

// ImportPlan is what an import would change, as Store.PlanImport decided. Write
// changes it.
type ImportPlan struct {
	*Queries
	companyID int64
	now       time.Time
	report    ImportReport
	broken    bool // the file cannot be read to its end, or an option is wrong

	has     func(column string) bool
	heading func(column string) string
	rows    []importRow
	nodes   []*importNode // by row
	match   *matcher
	users   []importUsersRow

	departments *departmentPlan
	ranks       titles
	roles       titles

	mentioned []string // the keys in rows that are not valid by themselves
}

// PlanImport reads a file of departments and users (docs/import.md describes the
// columns) in a transaction, decides what it changes, and locks the directory until
// the transaction ends. Existing users are found by two of their employee id, email
// and name, so importing a file twice creates nobody twice. What is wrong with the
// file is in the report; an error means that reading or the database failed.
func (s *Store) PlanImport(ctx context.Context, tx queries.Tx, companyID int64, file ImportFile, renames []Rename) (*ImportPlan, error) {
	im := &ImportPlan{Queries: New(tx), companyID: companyID, now: s.db.Now()}
	if _, err := im.lockCompany(ctx, companyID); err != nil {
		return nil, err
	}
	departments, err := im.importDepartments(ctx, companyID)
	if err != nil {
		return nil, err
	}
	im.departments = newDepartmentPlan(departments)
	if im.users, err = im.importUsers(ctx, companyID); err != nil {
		return nil, err
	}
	if err := im.readTitles(ctx); err != nil {
		return nil, err
	}
	if err := im.readFile(file); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	im.match = newMatcher(im.rows, im.users)
	im.resolveDepartments(renames)
	if err := im.findElsewhere(ctx); err != nil {
		return nil, err
	}
	im.match.match()
	im.refuseRows()
	if !im.broken { // the rest of the file may name everybody
		im.findMissing()
		im.findRenames()
	}
	return im, nil
}

// Report returns what the import changes as far as it is known: the counts are
// complete after Write.
func (im *ImportPlan) Report() ImportReport { return im.report }

// Writable reports whether the import may write, with or without its refused rows.
func (im *ImportPlan) Writable(skipBad bool) bool {
	return !im.broken && (im.report.RefusedRows == 0 || skipBad)
}

// readFile reads the rows that are valid by themselves.
func (im *ImportPlan) readFile(file ImportFile) error {
	im.has, im.heading = func(string) bool { return false }, func(column string) string { return column }
	t, err := importfile.OpenTable(file.Content, file.Reading, directoryColumns)
	if t != nil {
		defer t.Close()
	}
	if err == nil {
		im.has, im.heading = t.Has, t.Heading
	}
	for err == nil {
		var values importfile.Cells
		values, err = t.Next()
		var refused importfile.Refusal
		var broken importfile.Unreadable
		switch {
		case errors.As(err, &broken):
		case errors.As(err, &refused):
			im.report.Rows++
			im.refuse(refused)
			err = nil
		case err == nil:
			im.report.Rows++
			im.readRow(t.Line, values)
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
	return err
}

func (im *ImportPlan) readRow(line int, values importfile.Cells) {
	row, refusals := readRow(line, values)
	if len(refusals) > 0 {
		im.refuse(refusals...)
		im.mentioned = append(im.mentioned, keysOf(row.email, row.employeeID)...)
		return
	}
	im.rows = append(im.rows, row)
}

// refuse adds refusals of one row to the report.
func (im *ImportPlan) refuse(all ...importfile.Refusal) {
	im.report.RefusedRows++
	for _, r := range all {
		r.Column = im.heading(r.Column)
		im.report.Refused = append(im.report.Refused, r)
	}
}

// resolveDepartments finds the departments of the rows, and refuses the rows whose
// departments cannot be as the file says.
func (im *ImportPlan) resolveDepartments(renames []Rename) {
	p := im.departments
	im.nodes = make([]*importNode, len(im.rows))
	for i, row := range im.rows {
		node, reason, line := p.node(row)
		if im.nodes[i] = node; reason != "" {
			im.match.refuse(i, "department_code", reason, line)
		}
	}
	if unknown := p.resolve(renames); unknown != nil {
		im.broken = true
		im.report.Refused = append(im.report.Refused, importfile.Refuse(0, "--rename", unknown.From+"="+unknown.To, "import.rename.unknown"))
	}
	for i := range im.rows {
		if refused := im.nodes[i].refusedNode(); refused != nil && im.match.refused[i] == nil {
			im.match.refuse(i, refused.column, refused.refused, 0)
		}
		if name := im.rows[i].path; len(name) > 0 && name[0] != p.root.Name && im.report.FileRoot == "" {
			im.report.RootName, im.report.FileRoot = p.root.Name, name[0]
		}
	}
}

// findElsewhere finds the emails that users of other companies have.
func (im *ImportPlan) findElsewhere(ctx context.Context) error {
	for rows := range slices.Chunk(im.rows, ImportBatch) {
		arg := emailsElsewhereParams{CompanyID: im.companyID, Emails: make([]string, 0, len(rows))}
		for _, row := range rows {
			if row.email != "" {
				arg.Emails = append(arg.Emails, emailKey(row.email)[1:])
			}
		}
		taken, err := im.emailsElsewhere(ctx, arg)
		if err != nil {
			return err
		}
		for _, email := range taken {
			im.match.elsewhere[emailKey(email)] = true
		}
	}
	return nil
}

// refuseRows adds the refusals of the matcher to the report, in the order of the file,
// and notes which departments the other rows need.
func (im *ImportPlan) refuseRows() {
	for i := range im.rows {
		if refusals := im.match.refused[i]; refusals != nil {
			im.refuse(refusals...)
		} else {
			im.nodes[i].need()
		}
	}
	slices.SortStableFunc(im.report.Refused, func(a, b importfile.Refusal) int { return cmp.Compare(a.Line, b.Line) })
}
