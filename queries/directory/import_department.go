package directory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"officeconsole/search"
)

// Rename says that the department at a path of the directory is the one at another
// path of the file: it was renamed or moved.
type Rename struct{ From, To string }

// importNode is a department of the file.
type importNode struct {
	path, name string
	parent     *importNode // nil for the top department
	depth      int
	code       string
	line       int                   // of the first row that names it or its code
	existing   *importDepartmentsRow // nil if it is created
	column     string                // of the refusal
	refused    string                // the reason why the file cannot have it, "" for none
	needed     bool                  // an accepted row or a change of a department below needs it
	id         int64                 // once it is written
}

// departmentPlan decides which department of the directory each department of a file
// is: that of a Rename, else that with its code, else that at its path below the same
// parent. It reads and writes nothing.
type departmentPlan struct {
	departments []importDepartmentsRow // by path, so parents go before their children
	root        *importDepartmentsRow
	byID        map[int64]*importDepartmentsRow
	children    map[childKey]*importDepartmentsRow
	byCode      map[string]*importDepartmentsRow

	nodes  map[string]*importNode // by path
	order  []*importNode          // parents before children
	coded  map[string]*importNode // by code
	claims map[int64]*importNode  // by department
}

// childKey is a name below a parent.
type childKey struct {
	parentID int64
	name     string
}

func newDepartmentPlan(departments []importDepartmentsRow) *departmentPlan {
	p := &departmentPlan{departments: departments, byID: map[int64]*importDepartmentsRow{}, children: map[childKey]*importDepartmentsRow{},
		byCode: map[string]*importDepartmentsRow{}, nodes: map[string]*importNode{}, coded: map[string]*importNode{}, claims: map[int64]*importNode{}}
	for i := range departments {
		d := &departments[i]
		p.byID[d.ID] = d
		p.children[childKey{d.ParentID, d.Name}] = d
		if d.ParentID == 0 {
			p.root = d
		}
		if d.Code != "" {
			p.byCode[d.Code] = d
		}
	}
	return p
}

// node returns the department of a row: nil for a row without one. A reason refuses
// the row, because of what the row at a line says.
func (p *departmentPlan) node(row importRow) (node *importNode, reason string, line int) {
	for i, name := range row.path {
		path := name
		if node != nil {
			path = node.path + "/" + name
		}
		next := p.nodes[path]
		if next == nil {
			next = &importNode{path: path, name: name, parent: node, depth: i + 1, line: row.line}
			p.nodes[path] = next
			p.order = append(p.order, next)
		}
		node = next
		code := row.codes[i]
		other := p.coded[code]
		switch {
		case code == "" || code == node.code:
		case node.code != "":
			return node, "import.department_code.two", node.line
		case other != nil:
			return node, "import.department_code.twice", other.line
		default:
			node.code, node.line, p.coded[code] = code, row.line, node
		}
	}
	return node, "", 0
}

// resolve decides on the departments of the file. unknown is a rename that
// concerns no department of the directory or of the file.
func (p *departmentPlan) resolve(renames []Rename) (unknown *Rename) {
	slices.SortStableFunc(p.order, func(a, b *importNode) int { return cmp.Compare(a.depth, b.depth) })
	for i, r := range renames {
		at := slices.IndexFunc(p.departments, func(d importDepartmentsRow) bool { return d.Path == r.From })
		node := p.nodes[r.To]
		if at < 0 && slices.ContainsFunc(p.departments, func(d importDepartmentsRow) bool { return d.Path == r.To }) {
			continue // an earlier import did it
		}
		if at < 0 || node == nil || (node.parent == nil) != (p.departments[at].ParentID == 0) || !p.claim(node, &p.departments[at]) {
			unknown = &renames[i]
		}
	}
	for _, n := range p.order {
		if d := p.byCode[n.code]; d != nil && n.existing == nil {
			if (n.parent == nil) != (d.ParentID == 0) || !p.claim(n, d) {
				n.refuse("department_code", "import.department_code.other")
			}
		}
	}
	for _, n := range p.order {
		p.resolvePath(n)
	}
	for p.refuseTaken() {
	}
	return unknown
}

func (p *departmentPlan) claim(n *importNode, d *importDepartmentsRow) bool {
	if p.claims[d.ID] != nil || n.existing != nil {
		return false
	}
	n.existing, p.claims[d.ID] = d, n
	return true
}

// resolvePath looks for a department by its name below its parent.
func (p *departmentPlan) resolvePath(n *importNode) {
	if n.existing != nil || n.refused != "" {
		return
	}
	if n.parent == nil {
		if n.name != p.root.Name || !p.claim(n, p.root) {
			n.refuse("department_path", "import.department_path.root")
		}
		return
	}
	if n.parent.existing == nil {
		return
	}
	d := p.children[childKey{n.parent.existing.ID, n.name}]
	if d == nil || p.claims[d.ID] != nil {
		return
	}
	if n.code != "" && d.Code != "" && n.code != d.Code {
		n.refuse("department_code", "import.department_code.other")
		return
	}
	p.claim(n, d)
}

// refuseTaken refuses departments whose path another one keeps, and reports whether
// there were any.
func (p *departmentPlan) refuseTaken() (any bool) {
	for _, n := range p.order {
		if n.refused != "" || n.parent == nil || n.parent.existing == nil {
			continue
		}
		d := p.children[childKey{n.parent.existing.ID, n.name}]
		if d == nil || d == n.existing {
			continue
		}
		if by := p.claims[d.ID]; by == nil || by.reason() != "" {
			n.refuse("department_path", "import.department_path.taken")
			any = true
		}
	}
	return any
}

func (n *importNode) refuse(column, reason string) { n.column, n.refused = column, reason }

// reason returns why a department or one above it is refused; "" if none is.
func (n *importNode) reason() string {
	for ; n != nil; n = n.parent {
		if n.refused != "" {
			return n.refused
		}
	}
	return ""
}

// refusedNode returns the department above n, or n itself, that is refused; nil for none.
func (n *importNode) refusedNode() *importNode {
	for ; n != nil; n = n.parent {
		if n.refused != "" {
			return n
		}
	}
	return nil
}

// changed reports whether an existing department is renamed, moved or gets a code.
func (n *importNode) changed() bool {
	return n.existing != nil && (n.name != n.existing.Name || n.isMoved() || n.code != "" && n.code != n.existing.Code)
}

func (n *importNode) isMoved() bool {
	return n.existing != nil && n.parent != nil && (n.parent.existing == nil || n.parent.existing.ID != n.existing.ParentID)
}

// need notes that a department and those above it are needed.
func (n *importNode) need() {
	for ; n != nil && !n.needed; n = n.parent {
		n.needed = true
	}
}

// writeDepartments creates, renames and moves departments, parents before children.
func (im *ImportPlan) writeDepartments(ctx context.Context) error {
	p := im.departments
	for _, n := range p.order {
		if n.reason() == "" && n.changed() {
			n.need()
		}
	}
	for _, n := range p.order {
		if n.reason() != "" || !n.changed() || n.parent == nil || !im.isInTheWay(n) {
			continue
		}
		name := fmt.Sprint("\u0001", n.existing.ID) // no file has such a name
		if err := im.releaseDepartment(ctx, releaseDepartmentParams{Root: &p.root.ID, Name: name, CompanyID: im.companyID, ID: n.existing.ID}); err != nil {
			return err
		}
	}
	for _, n := range p.order {
		if !n.needed || n.reason() != "" {
			continue
		}
		if err := im.writeDepartment(ctx, n); err != nil {
			return fmt.Errorf("department %q: %w", n.path, err)
		}
	}
	return nil
}

// isInTheWay reports whether the department of a node has to give up its path or code
// before others can have theirs: a moved one could be above its new parent.
func (im *ImportPlan) isInTheWay(n *importNode) bool {
	p, d := im.departments, n.existing
	if n.isMoved() || d.Code != "" && n.code != "" && p.coded[d.Code] != nil && p.coded[d.Code] != n {
		return true
	}
	parent := p.claims[d.ParentID]
	return n.name != d.Name && parent != nil && p.nodes[parent.path+"/"+d.Name] != nil
}

func (im *ImportPlan) writeDepartment(ctx context.Context, n *importNode) (err error) {
	text, _ := search.Key(n.name)
	if n.existing == nil {
		n.id, err = im.insertCodedDepartment(ctx, insertCodedDepartmentParams{CompanyID: im.companyID, ParentID: &n.parent.id, Name: n.name, SearchText: text, Code: n.code})
		im.report.Departments++
		return err
	}
	n.id = n.existing.ID
	if !n.changed() {
		return nil
	}
	if n.name != n.existing.Name || n.isMoved() {
		im.report.Renamed = append(im.report.Renamed, Rename{n.existing.Path, n.path})
	}
	if n.code != "" && n.code != n.existing.Code {
		im.report.Codes++
	}
	arg := updateDepartmentParams{CompanyID: im.companyID, ID: n.id, Name: n.name, SearchText: text, Code: cmp.Or(n.code, n.existing.Code)}
	if n.parent != nil {
		arg.ParentID = n.parent.id
	}
	return im.updateDepartment(ctx, arg)
}
