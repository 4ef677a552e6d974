// Package policy renders the pages of policies and of the policies that apply to
// people and departments.
package policy

import (
	"context"
	"net/netip"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// List is the page with the policies of a kind: the filters in its address
// and the policies found.
type List struct {
	policy.Filter
	Frame      views.Frame
	Kind       settings.Kind
	Refused    string // message id of why the search was refused; "" for none
	Department policy.DepartmentRow
	Page       policy.ListPage
	Gone       lists.Page[lists.Deleted] // instead of Page, if the filter chooses deleted policies
	Delete     *Deletion                 // the question before a deletion; nil for none
	Enable     *Enabling                 // the question before switching on or off; nil for none
	Address    netip.Addr                // of the reader
	Picked     []int64                   // the policies whose boxes are ticked
	PicksAll   bool                      // whether all that match are chosen
}

// url is the address of the list with one more choice; the value "" removes
// a choice.
func (l List) url(name, value string) string {
	return views.ListURL(policiesURL(l.Kind), l.Values(), name, value)
}

// sorted returns the direction in which the list is sorted by a column, ""
// for not at all, and the address that sorts by it or reverses the
// direction.
func (l List) sorted(order policy.Order) (direction, path string) {
	if order == "" {
		return "", ""
	}
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

// isFiltered reports whether a filter may have excluded policies.
func (l List) isFiltered() bool {
	return l.Query != "" || l.Enabled != nil || l.Planned || l.DepartmentID != 0
}

// deleted is the list of deleted policies.
func (l List) deleted(ctx context.Context) views.DeletedList {
	return views.DeletedList{
		Label: locales.T(ctx, "deleted.policies"), Page: l.Gone, Now: l.Frame.Now, RestoreTime: policy.RestoreTime,
		Path: policyURL(l.Kind, 0), Restoration: "restore",
		Address: func(cursor string) string { return l.url("cursor", cursor) },
	}
}

func (l List) tree(ctx context.Context) treeProps {
	return departmentTree(ctx, l.Frame.Person, l.Department.ID, policiesURL(l.Kind), l.Values())
}

// chosenColumns are the entries of the menu of columns.
func chosenColumns() []views.Column {
	var chosen []views.Column
	for _, c := range listColumns[1 : len(listColumns)-1] {
		chosen = append(chosen, views.Column{Key: c.key, Title: c.title, Fixed: c.key == "name"})
	}
	return chosen
}

// A listColumn is a column of the list. On is the attribute that says where it is not
// shown unless the reader chooses it: data-low on narrow screens, data-high on all but wide
// ones, data-off on all.
type listColumn struct {
	key, title string
	order      policy.Order // "" if the list cannot be sorted by it
	on         string
}

var listColumns = []listColumn{
	{"pick", "", "", ""},
	{"name", "policy.column.name", policy.ByName, ""},
	{"state", "policy.column.state", "", ""},
	{"targets", "policy.column.targets", policy.ByTargets, ""},
	{"planned", "policy.column.planned", policy.ByPlanned, "data-low"},
	{"configured", "policy.column.configured", policy.ByConfigured, "data-off"},
	{"modified", "policy.column.modified", policy.ByModified, "data-low"},
	{"changed_by", "policy.column.changed_by", "", "data-high"},
	{"owner", "policy.column.owner", "", "data-high"},
	{"more", "", "", ""},
}

func (c listColumn) attributes() templ.Attributes {
	if c.on == "" {
		return nil
	}
	return templ.Attributes{c.on: true}
}

// departmentName is the department whose policies are shown.
func (l List) departmentName(ctx context.Context) string {
	if l.Department.ID != 0 {
		return l.Department.Name
	}
	return locales.T(ctx, "department.all")
}

// back is the address of the list as shown, to which its actions lead back.
func (l List) back() string { return l.Frame.Path }

// pickedText counts the ticked policies and their people, as the browser does from then
// on; "" without any.
func (l List) pickedText(ctx context.Context) string {
	count, people := 0, 0
	for _, p := range l.Page.Rows {
		if l.isPicked(&p) {
			count, people = count+1, people+p.People
		}
	}
	if count == 0 {
		return ""
	}
	return views.PickedText(ctx, "policy.bulk.picked", count, people)
}

// isPicked reports whether the box of a policy is ticked; the default has none.
func (l List) isPicked(p *policy.Summary) bool {
	return !p.IsDefault && slices.Contains(l.Picked, p.ID)
}

// section is the name under which the browser stores the reader's choice of
// columns.
func (l List) section() string { return "policies-" + string(l.Kind) }

// subtitle is the text below the name of a policy: its description, or else
// a summary of its settings.
func subtitle(ctx context.Context, p *policy.Summary) string {
	if p.Description != "" {
		return p.Description
	}
	return settingviews.SummaryText(ctx, p.Summary, nil)
}

// ListPath is the path of the list of the policies of a kind.
func ListPath(kind settings.Kind) string { return policiesURL(kind) }

// policiesURL is the address of the list of the policies of a kind.
func policiesURL(kind settings.Kind) string { return "/policies/" + string(kind) + "/management" }

// policyURL is the address of a policy; 0 is the page that creates one.
func policyURL(kind settings.Kind, id int64) string {
	if id == 0 {
		return "/policies/" + string(kind)
	}
	return "/policies/" + string(kind) + "/" + strconv.FormatInt(id, 10)
}
