package views

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// PolicyList is the page of a list of policies: what was chosen, as it stands
// in the address, and what there is.
type PolicyList struct {
	policy.Filter
	Frame      Frame
	Kind       settings.Kind
	Refused    string // id of the message why the search cannot be; "" for none
	Department policy.DepartmentRow
	Page       policy.ListPage
	Delete     *PolicyDeletion // what is about to be deleted; nil for nothing
	Enable     *PolicyEnabling // what is about to be switched on or off; nil for nothing
}

func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (l PolicyList) url(name, value string) string {
	return chosenOtherwise(policiesURL(l.Kind), l.Values(), name, value)
}

// departmentURL is the address to which the id of a department is appended.
func (l PolicyList) departmentURL(ctx context.Context) string {
	l.DepartmentID = 0
	without := l.url("", "")
	if without == policiesURL(l.Kind) {
		return locales.FromContext(ctx).Path(without + "?department_id=")
	}
	return locales.FromContext(ctx).Path(without + "&department_id=")
}

// sorted tells the direction of a column and where its head leads.
func (l PolicyList) sorted(order policy.Order) (direction, path string) {
	switch l.Sort() {
	case string(order):
		return "ascending", l.url("sort", "-"+string(order))
	case "-" + string(order):
		return "descending", l.url("sort", string(order))
	}
	if order == policy.ByName {
		return "", l.url("sort", string(order))
	}
	return "", l.url("sort", "-"+string(order))
}

func (l PolicyList) pager(ctx context.Context) Pager {
	return pagerOf(ctx, l.Page.Page, "policy.range", func(cursor string) string { return l.url("cursor", cursor) })
}

// filtered reports whether something was chosen that may have left nothing.
func (l PolicyList) filtered() bool {
	return l.Query != "" || l.Enabled != nil || l.Planned || l.DepartmentID != 0
}

func (l PolicyList) tree(ctx context.Context) treeProps {
	return departmentTree(ctx, l.Frame.Person, l.Department.ID, l.departmentURL(ctx))
}

// A policyColumn is a column of the list; low ones are left out on a narrow page.
type policyColumn struct {
	key, title string
	order      policy.Order // "" when it cannot be sorted by
	low        bool
}

var policyColumns = []policyColumn{
	{"pick", "", "", false},
	{"name", "policy.column.name", policy.ByName, false},
	{"state", "policy.column.state", "", false},
	{"targets", "policy.column.targets", policy.ByTargets, false},
	{"planned", "policy.column.planned", policy.ByPlanned, false},
	{"configured", "policy.column.configured", policy.ByConfigured, true},
	{"modified", "policy.column.modified", policy.ByModified, true},
	{"owner", "policy.column.owner", "", true},
	{"more", "", "", false},
}

// branchName is the department whose policies are shown.
func (l PolicyList) branchName(ctx context.Context) string {
	if l.Department.ID != 0 {
		return l.Department.Name
	}
	return locales.T(ctx, "department.all")
}

// back is the page of the list as it is shown, where its actions lead back to.
func (l PolicyList) back() string { return l.Frame.Path }

// PolicyDeletion asks before policies are deleted, and says what follows.
type PolicyDeletion struct {
	Policies    []policy.Policy
	Preview     policy.Preview
	Back        string // where the question leads back to
	Unconfirmed bool   // somebody may be locked out, which was not confirmed
	People      People // names of those whom warnings are about
}

func (d PolicyDeletion) title(ctx context.Context) string {
	if len(d.Policies) == 1 {
		return locales.T(ctx, "policy.delete.title", "Policy", d.Policies[0].Version.Name)
	}
	return locales.N(ctx, "policy.delete.title.several", len(d.Policies))
}

// action is where the yes is sent.
func (d PolicyDeletion) action(kind settings.Kind) string {
	if len(d.Policies) == 1 {
		return policyURL(kind, d.Policies[0].ID) + "/delete"
	}
	return policyURL(kind, 0) + "/bulk"
}

// people counts whom the deletion concerns.
func (d PolicyDeletion) people() int { return d.Preview.Gain + d.Preview.Lose + d.Preview.Change }

// shownFalls is how many targets the question names.
const shownFalls = 8

func deleteButton(ctx context.Context, d PolicyDeletion) string {
	if len(d.Policies) == 1 {
		return locales.T(ctx, "policy.delete.button")
	}
	return locales.N(ctx, "policy.delete.button.several", len(d.Policies))
}

// PolicyEnabling asks before policies are switched on or off together, which may
// lock somebody out.
type PolicyEnabling struct {
	Policies    []policy.Policy
	Enabled     bool // on
	Warnings    []policy.Warning
	People      People // names of those whom they are about
	Back        string // where the question leads back to
	Unconfirmed bool   // it was answered, but the risk was not confirmed
}

func (e PolicyEnabling) title(ctx context.Context) string {
	return locales.N(ctx, "policy."+e.action()+".title", len(e.Policies))
}

// action is the name of what is done, as the form sends it.
func (e PolicyEnabling) action() string {
	if e.Enabled {
		return "enable"
	}
	return "disable"
}

// section is under which name the columns of the list are remembered.
func (l PolicyList) section() string { return "policies-" + string(l.Kind) }

// subtitle is what the list tells of a policy below its name: its description,
// else its most telling settings.
func subtitle(ctx context.Context, p *policy.Summary) string {
	if p.Description != "" {
		return p.Description
	}
	return summaryText(ctx, p.Summary, nil)
}
