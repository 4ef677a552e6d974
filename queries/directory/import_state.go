package directory

import (
	"context"
	"strings"
	"time"

	"officeconsole/importfile"
	"officeconsole/search"
)

// importer reads and writes one file. The keys of known, seen and freed are
// those of emailKey and employeeKey.
type importer struct {
	*Queries
	companyID int64
	now       time.Time
	report    ImportReport
	broken    bool // the file cannot be read to its end
	has       func(column string) bool

	root        directoryRootRow
	departments map[string]int64 // by path
	ranks       titles
	roles       titles

	known map[string]*importMatchesRow // the users whom rows of this batch may name
	seen  map[string]bool              // keys in earlier rows
	taken map[int64]bool               // users whom earlier rows have named
	freed map[string]bool              // keys that unwritten changes give up

	created, changed []importedPerson // not written yet
}

// importedPerson is passed to statements as JSON, with the columns as keys.
type importedPerson struct {
	ID            int64    `json:"id"`
	DepartmentID  int64    `json:"department_id"`
	RankID        int64    `json:"rank_id"`
	RoleID        int64    `json:"role_id"`
	Name          string   `json:"name"`
	Email         string   `json:"email"`
	EmployeeID    string   `json:"employee_id"`
	CompanyPhone  string   `json:"company_phone"`
	PersonalPhone string   `json:"personal_phone"`
	Bot           bool     `json:"bot"`
	IsAdmin       bool     `json:"is_admin"`
	SearchText    string   `json:"search_text"`
	SearchGrams   []string `json:"search_grams"`
}

func importPerson(p importMatchesRow) importedPerson {
	return importedPerson{
		ID: p.ID, DepartmentID: p.DepartmentID, RankID: p.RankID, RoleID: p.RoleID, Name: p.Name, Email: p.Email, EmployeeID: p.EmployeeID,
		CompanyPhone: p.CompanyPhone, PersonalPhone: p.PersonalPhone, Bot: p.Bot, IsAdmin: p.IsAdmin,
	}
}

// titles are ranks or roles by name, and the highest position so far.
type titles struct {
	ids  map[string]int64
	last int32
}

func (im *importer) begin(ctx context.Context) error {
	if _, err := im.lockCompany(ctx, im.companyID); err != nil {
		return err
	}
	im.known, im.seen, im.taken, im.freed = map[string]*importMatchesRow{}, map[string]bool{}, map[int64]bool{}, map[string]bool{}
	var err error
	if im.root, err = im.directoryRoot(ctx, im.companyID); err != nil {
		return err
	}
	paths, err := im.departmentPaths(ctx, im.companyID)
	if err != nil {
		return err
	}
	im.departments = make(map[string]int64, len(paths))
	for _, p := range paths {
		im.departments[p.Path] = p.ID
	}
	return im.readTitles(ctx)
}

func (im *importer) readTitles(ctx context.Context) error {
	im.ranks, im.roles = titles{ids: map[string]int64{}}, titles{ids: map[string]int64{}}
	ranks, err := im.rankNames(ctx, im.companyID)
	if err != nil {
		return err
	}
	for _, r := range ranks {
		im.ranks.ids[r.Name], im.ranks.last = r.ID, r.Position
	}
	roles, err := im.roleNames(ctx, im.companyID)
	if err != nil {
		return err
	}
	for _, r := range roles {
		im.roles.ids[r.Name], im.roles.last = r.ID, r.Position
	}
	return nil
}

// recognise reads the users that a batch of rows may name.
func (im *importer) recognise(ctx context.Context, rows []importRow) error {
	arg := importMatchesParams{CompanyID: im.companyID, EmployeeIds: []string{}, Emails: []string{}}
	for _, r := range rows {
		if r.employeeID != "" {
			arg.EmployeeIds = append(arg.EmployeeIds, r.employeeID)
		}
		if r.email != "" {
			arg.Emails = append(arg.Emails, strings.ToLower(r.email))
		}
	}
	people, err := im.importMatches(ctx, arg)
	if err != nil {
		return err
	}
	clear(im.known)
	for i := range people {
		p := &people[i]
		if key := emailKey(p.Email); key != "" {
			im.known[key] = p
		}
		if key := employeeKey(p.EmployeeID); key != "" && p.CompanyID == im.companyID {
			im.known[key] = p
		}
	}
	return nil
}

// departmentPath returns the path of a row's department, or its refusal. Every
// path begins with the root department, which is renamed after the file's first
// row if the company is empty.
func (im *importer) departmentPath(row importRow) (path []string, refused *importfile.Refusal) {
	if len(row.path) == 0 || row.path[0] == im.root.Name || im.root.Free {
		return row.path, nil
	}
	r := importfile.Refuse(row.line, "department_path", strings.Join(row.path, "/"), "import.department_path.root")
	return nil, &r
}

// assign sets the department, rank and role of a user, and creates those that
// do not exist.
func (im *importer) assign(ctx context.Context, p *importMatchesRow, row importRow, path []string) (err error) {
	if len(path) > 0 {
		if p.DepartmentID, err = im.department(ctx, path); err != nil {
			return err
		}
	}
	if im.has("position") {
		if p.RankID, err = im.rank(ctx, row.position); err != nil {
			return err
		}
	}
	if im.has("role") {
		p.RoleID, err = im.role(ctx, row.role)
	}
	return err
}

func (im *importer) department(ctx context.Context, path []string) (int64, error) {
	if path[0] != im.root.Name {
		if err := im.nameRoot(ctx, path[0]); err != nil {
			return 0, err
		}
	}
	im.root.Free = false
	parent := im.root.ID
	for depth := 2; depth <= len(path); depth++ {
		at := strings.Join(path[:depth], "/")
		id, ok := im.departments[at]
		if !ok {
			name := path[depth-1]
			text, _ := search.Key(name)
			var err error
			id, err = im.insertDepartment(ctx, insertDepartmentParams{CompanyID: im.companyID, ParentID: &parent, Name: name, SearchText: text})
			if err != nil {
				return 0, err
			}
			im.departments[at] = id
			im.report.Departments++
		}
		parent = id
	}
	return parent, nil
}

func (im *importer) nameRoot(ctx context.Context, name string) error {
	text, _ := search.Key(name)
	err := im.renameDepartment(ctx, renameDepartmentParams{Name: name, SearchText: text, CompanyID: im.companyID, ID: im.root.ID})
	im.root.Name = name
	return err
}

func (im *importer) rank(ctx context.Context, name string) (int64, error) {
	id, known := im.ranks.ids[name]
	if known || name == "" {
		return id, nil
	}
	id, err := im.insertRank(ctx, insertRankParams{im.companyID, name, im.ranks.last + 1})
	if err != nil {
		return 0, err
	}
	im.ranks.ids[name] = id
	im.ranks.last++
	im.report.Ranks++
	return id, nil
}

func (im *importer) role(ctx context.Context, name string) (int64, error) {
	id, known := im.roles.ids[name]
	if known || name == "" {
		return id, nil
	}
	id, err := im.insertRole(ctx, insertRoleParams{im.companyID, name, im.roles.last + 1})
	if err != nil {
		return 0, err
	}
	im.roles.ids[name] = id
	im.roles.last++
	im.report.Roles++
	return id, nil
}
