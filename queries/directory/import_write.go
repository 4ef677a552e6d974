package directory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/search"
)

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

func importPerson(p importUsersRow) importedPerson {
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

// Write changes the directory as planned, but for the refused rows.
func (im *ImportPlan) Write(ctx context.Context) error {
	if err := im.writeDepartments(ctx); err != nil {
		return explainConflict(err)
	}
	var created, changed []importedPerson
	var named, released []int64 // users whom the file does not change, and those whose email or employee id others get
	for i, row := range im.rows {
		user, accepted := im.match.users[i]
		if !accepted {
			continue
		}
		before := importUsersRow{}
		if user != nil {
			before = *user
		}
		wanted := before
		row.apply(&wanted, im.has)
		if node := im.nodes[i]; node != nil {
			wanted.DepartmentID = node.id
		}
		if err := im.assignTitles(ctx, &wanted, row); err != nil {
			return fmt.Errorf("line %d: %w", row.line, explainConflict(err))
		}
		switch {
		case user == nil:
			created = append(created, importPerson(wanted))
		case wanted != before:
			changed = append(changed, importPerson(wanted))
			im.noteAdministrator(before, wanted)
			if im.match.isWantedByOthers(i) {
				released = append(released, user.ID)
			}
		case !before.Imported:
			im.report.Unchanged++
			named = append(named, user.ID)
		default:
			im.report.Unchanged++
		}
	}
	im.report.Created, im.report.Updated = len(created), len(changed)
	if err := im.writePeople(ctx, created, changed, released); err != nil {
		return explainConflict(err)
	}
	if len(named) > 0 {
		if err := im.markImported(ctx, markImportedParams{im.companyID, named}); err != nil {
			return err
		}
	}
	if !im.report.Changed() {
		return nil
	}
	return im.touchDirectory(ctx, im.companyID)
}

// isWantedByOthers reports whether the user of a row gives up an email or employee id
// that another row gives to its user.
func (m *matcher) isWantedByOthers(i int) bool {
	user := m.users[i]
	return slices.ContainsFunc(keysOf(user.Email, user.EmployeeID), func(key string) bool {
		other, found := m.rowOf[key]
		_, accepted := m.users[other]
		return found && accepted && other != i
	})
}

func (im *ImportPlan) writePeople(ctx context.Context, created, changed []importedPerson, released []int64) error {
	if len(released) > 0 {
		if err := im.releaseKeys(ctx, releaseKeysParams{im.companyID, released}); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(changed, ImportBatch) {
		people, ids, err := encodePeople(some)
		if err != nil {
			return err
		}
		if err := im.importChangedPeople(ctx, importChangedPeopleParams{Now: im.now, CompanyID: im.companyID, People: people}); err != nil {
			return err
		}
		if err := im.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{im.companyID, ids}); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(created, ImportBatch) {
		people, _, err := encodePeople(some)
		if err != nil {
			return err
		}
		administrators, err := im.importNewPeople(ctx, importNewPeopleParams{CompanyID: im.companyID, Now: im.now, People: people})
		if err != nil {
			return err
		}
		for _, a := range administrators {
			im.report.Granted = append(im.report.Granted, ImportedUser{ID: a.ID, Name: a.Name, Email: a.Email, EmployeeID: a.EmployeeID, IsAdmin: true})
		}
	}
	return nil
}

// noteAdministrator adds an existing user to the report if the file makes them an
// administrator, or no longer one.
func (im *ImportPlan) noteAdministrator(before, wanted importUsersRow) {
	switch {
	case wanted.IsAdmin && !before.IsAdmin:
		im.report.Granted = append(im.report.Granted, im.importedUser(wanted))
	case before.IsAdmin && !wanted.IsAdmin:
		im.report.Revoked = append(im.report.Revoked, im.importedUser(wanted))
	}
}

// explainConflict turns a violated constraint into a Conflict: everything was looked
// up before, so only a concurrent change can have taken an email.
func explainConflict(err error) error {
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

func (im *ImportPlan) readTitles(ctx context.Context) error {
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

// assignTitles sets the rank and role of a user, and creates those that do not exist.
func (im *ImportPlan) assignTitles(ctx context.Context, p *importUsersRow, row importRow) (err error) {
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

func (im *ImportPlan) rank(ctx context.Context, name string) (int64, error) {
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

func (im *ImportPlan) role(ctx context.Context, name string) (int64, error) {
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
