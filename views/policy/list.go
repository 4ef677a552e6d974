package policy

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// List is the page of a list of policies: what was chosen, as it stands
// in the address, and what there is.
type List struct {
	policy.Filter
	Frame      views.Frame
	Kind       settings.Kind
	Refused    string // id of the message why the search cannot be; "" for none
	Department policy.DepartmentRow
	Page       policy.ListPage
	Delete     *Deletion // what is about to be deleted; nil for nothing
	Enable     *Enabling // what is about to be switched on or off; nil for nothing
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (l List) url(name, value string) string {
	return views.WithChoice(policiesURL(l.Kind), l.Values(), name, value)
}

// departmentURL is the address to which the id of a department is appended.
func (l List) departmentURL(ctx context.Context) string {
	l.DepartmentID = 0
	without := l.url("", "")
	if without == policiesURL(l.Kind) {
		return locales.FromContext(ctx).Path(without + "?department_id=")
	}
	return locales.FromContext(ctx).Path(without + "&department_id=")
}

// sorted tells the direction of a column and where its head leads.
func (l List) sorted(order policy.Order) (direction, path string) {
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

func (l List) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page.Page, "policy.range", func(cursor string) string { return l.url("cursor", cursor) })
}

// filtered reports whether something was chosen that may have left nothing.
func (l List) filtered() bool {
	return l.Query != "" || l.Enabled != nil || l.Planned || l.DepartmentID != 0
}

func (l List) tree(ctx context.Context) treeProps {
	return departmentTree(ctx, l.Frame.Person, l.Department.ID, l.departmentURL(ctx))
}

// A listColumn is a column of the list; low ones are left out on a narrow page.
type listColumn struct {
	key, title string
	order      policy.Order // "" when it cannot be sorted by
	low        bool
}

var listColumns = []listColumn{
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
func (l List) branchName(ctx context.Context) string {
	if l.Department.ID != 0 {
		return l.Department.Name
	}
	return locales.T(ctx, "department.all")
}

// back is the page of the list as it is shown, where its actions lead back to.
func (l List) back() string { return l.Frame.Path }

// section is under which name the columns of the list are remembered.
func (l List) section() string { return "policies-" + string(l.Kind) }

// subtitle is what the list tells of a policy below its name: its description,
// else its most telling settings.
func subtitle(ctx context.Context, p *policy.Summary) string {
	if p.Description != "" {
		return p.Description
	}
	return settingviews.SummaryText(ctx, p.Summary, nil)
}

// policiesURL is the address of the list of a kind, policyURL that of a policy.
// The page that makes one has the id 0.
func policiesURL(kind settings.Kind) string { return "/policies/" + string(kind) + "/management" }

func policyURL(kind settings.Kind, id int64) string {
	if id == 0 {
		return "/policies/" + string(kind)
	}
	return "/policies/" + string(kind) + "/" + strconv.FormatInt(id, 10)
}
