package directory

// ImportedUser is a user whom the report of an import names.
type ImportedUser struct {
	ID                int64
	Name              string
	Email, EmployeeID string
	Department        string // its path
	IsAdmin           bool
	Hidden, Bot       bool
	DeactivatedBy     string // the source of a deactivation (hiding.Source), "" for none
}

// ProbableRename is a department that the file does not have, and a new one with the
// same parent and nearly the same people.
type ProbableRename struct {
	Rename
	People, Of    int     // how many of the old department's people in the file are in the new one
	DepartmentIDs []int64 // the old department and those below it
}

// findMissing finds the users of earlier imports whom no row names, not even a
// refused one, and the deactivated users whom a row names.
func (im *ImportPlan) findMissing() {
	named := make(map[int64]bool, len(im.rows))
	for id := range im.match.claims {
		named[id] = true
	}
	keys := im.mentioned
	for i := range im.match.refused {
		keys = append(keys, keysOf(im.rows[i].email, im.rows[i].employeeID)...)
	}
	for _, key := range keys {
		if user := im.match.holders[key]; user != nil {
			named[user.ID] = true
		}
	}
	for _, u := range im.users {
		i, accepted := im.match.claims[u.ID]
		switch {
		case u.DeactivatedBy == "" && u.Imported && !named[u.ID]:
			im.report.Missing = append(im.report.Missing, im.importedUser(u))
		case u.DeactivatedBy != "" && accepted && im.match.refused[i] == nil:
			im.report.Inactive = append(im.report.Inactive, im.importedUser(u))
		}
	}
}

func (im *ImportPlan) importedUser(u importUsersRow) ImportedUser {
	user := ImportedUser{
		ID: u.ID, Name: u.Name, Email: u.Email, EmployeeID: u.EmployeeID, IsAdmin: u.IsAdmin, Hidden: u.Hidden, Bot: u.Bot, DeactivatedBy: u.DeactivatedBy,
	}
	if d := im.departments.byID[u.DepartmentID]; d != nil {
		user.Department = d.Path
	}
	return user
}

// ImportedPeople counts the people whom imports have named and who are not hidden.
func (im *ImportPlan) ImportedPeople() (count int) {
	for _, u := range im.users {
		if u.Imported && !u.Hidden && !u.Bot {
			count++
		}
	}
	return count
}

// renamePair is a department that the file does not have, and one that it adds.
type renamePair struct {
	old *importDepartmentsRow
	new *importNode
}

// findRenames finds departments that the file probably renames without saying so: at
// least four of five people of the old one are in the new one, and at least half of
// the new one's people come from it.
func (im *ImportPlan) findRenames() {
	p := im.departments
	moved, before, after := map[renamePair]int{}, map[*importDepartmentsRow]int{}, map[*importNode]int{}
	var pairs []renamePair
	for i := range im.rows {
		user := im.match.users[i]
		if user == nil {
			continue
		}
		added, gone := im.nodes[i].topmostNew(), p.topmostGone(user.DepartmentID)
		if gone != nil {
			before[gone]++
		}
		if added != nil {
			after[added]++
		}
		if gone == nil || added == nil || added.parent.existing.ID != gone.ParentID {
			continue
		}
		pair := renamePair{gone, added}
		if moved[pair]++; moved[pair] == 1 {
			pairs = append(pairs, pair)
		}
	}
	for _, pair := range pairs {
		people := moved[pair]
		if people*5 < before[pair.old]*4 || people*2 < after[pair.new] {
			continue
		}
		found := ProbableRename{Rename: Rename{pair.old.Path, pair.new.path}, People: people, Of: before[pair.old]}
		for _, d := range p.departments {
			if p.isBelow(&d, pair.old) {
				found.DepartmentIDs = append(found.DepartmentIDs, d.ID)
			}
		}
		im.report.Probable = append(im.report.Probable, found)
	}
}

// topmostNew returns the new department above n, or n itself, whose parent exists.
func (n *importNode) topmostNew() *importNode {
	for ; n != nil && n.existing == nil; n = n.parent {
		if n.parent != nil && n.parent.existing != nil {
			return n
		}
	}
	return nil
}

// topmostGone returns the department above one, or itself, that the file does not
// have, but whose parent it has.
func (p *departmentPlan) topmostGone(id int64) *importDepartmentsRow {
	for d := p.byID[id]; d != nil && p.claims[d.ID] == nil; d = p.byID[d.ParentID] {
		if p.claims[d.ParentID] != nil {
			return d
		}
	}
	return nil
}

// isBelow reports whether a department is another one or below it.
func (p *departmentPlan) isBelow(d, above *importDepartmentsRow) bool {
	for ; d != nil; d = p.byID[d.ParentID] {
		if d.ID == above.ID {
			return true
		}
	}
	return false
}
