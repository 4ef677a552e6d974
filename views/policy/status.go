package policy

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
)

// StatusPageSize is how many people or departments a page shows.
const StatusPageSize = 50

// StatusList is the page that tells which policy of a kind applies to whom: to
// people, or to departments. What was chosen is as it stands in the address.
type StatusList struct {
	Frame views.Frame
	Kind  string
	policy.StatusFilter
	Refused     string // id of the message why the search cannot be; "" for none
	Department  policy.DepartmentRow
	Departments []policy.UpperDepartment // the root and those right below it
	Policies    []policy.Summary         // to choose from

	People         queries.Page[policy.PersonStatus]
	Paths          map[int64]string // of the people's departments
	DepartmentRows queries.Page[policy.DepartmentStatus]
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (l StatusList) url(name, value string) string {
	return views.WithChoice(statusPath(l.Kind), l.Values(), name, value)
}

// exportURL leads to a file of everything that the filters show.
func (l StatusList) exportURL() string {
	return views.WithQuery(statusPath(l.Kind)+"/export", l.Values())
}

// followersURL leads to the people whom a policy applies to, and from there to why.
func followersURL(kind settings.Kind, policyID int64) string {
	return StatusList{Kind: string(kind), StatusFilter: policy.StatusFilter{PolicyID: policyID}}.url("", "")
}

// filtered reports whether something was chosen that may have left nothing.
func (l StatusList) filtered() bool {
	return l.Query != "" || l.Source != "" || l.PolicyID != 0 || l.DepartmentID != 0
}

// view is the choice of the list, as an address has it: of departments, or "".
func (l StatusList) view() string { return l.Values().Get("view") }

func (l StatusList) pager(ctx context.Context) views.Pager {
	address := func(cursor string) string { return l.url("cursor", cursor) }
	if l.OfDepartments {
		return views.NewPager(ctx, l.DepartmentRows, "status.range", address)
	}
	return views.NewPager(ctx, l.People, "period.total", address)
}

func (l StatusList) tree(ctx context.Context) treeProps {
	values := l.Values()
	values.Del("department_id")
	chosen := values.Encode()
	if chosen != "" {
		chosen += "&"
	}
	return departmentTree(ctx, l.Frame.Person, l.Department.ID, locales.FromContext(ctx).Path(statusPath(l.Kind)+"?"+chosen+"department_id="))
}

func (l StatusList) branchName(ctx context.Context) string {
	if l.Department.ID != 0 {
		return l.Department.Name
	}
	return locales.T(ctx, "department.all")
}

func (l StatusList) sources(ctx context.Context) []views.Option {
	return []views.Option{
		{Value: "", Text: locales.T(ctx, "status.source.any")},
		{Value: string(policy.Own), Text: locales.T(ctx, "status.source.own")},
		{Value: string(policy.Inherited), Text: locales.T(ctx, "status.source.inherited")},
		{Value: string(policy.Default), Text: locales.T(ctx, "status.source.default")},
	}
}

func (l StatusList) policies(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "status.policy.any")}}
	for _, p := range l.Policies {
		options = append(options, views.Option{Value: views.IDText(p.ID), Text: p.Name})
	}
	return options
}

// A statusColumn is a column of the list; low ones are left out on a narrow page.
type statusColumn struct {
	key, title string
	low        bool
}

// StatusHeads are the heads of the columns of a file.
func StatusHeads(ctx context.Context, l StatusList) []string {
	ids := []string{"status.column.name", "status.export.employee_id", "status.column.department", "status.export.path", "status.column.policy", "status.column.source", "status.export.source_department"}
	if l.OfDepartments {
		ids = append(ids[2:4:4], ids[4:]...)
	}
	heads := make([]string, len(ids))
	for i, id := range ids {
		heads[i] = locales.T(ctx, id)
	}
	return heads
}

// columns are those of people. A department's own column says all of its path.
func (l StatusList) columns() []statusColumn {
	all := []statusColumn{
		{"name", "status.column.name", false},
		{"department", "status.column.department", false},
		{"policy", "status.column.policy", false},
		{"source", "status.column.source", false},
		{"why", "status.column.why", true},
	}
	if l.OfDepartments {
		return []statusColumn{{"name", "status.column.department", false}, all[2], all[3]}
	}
	return all
}

// deepest is how far departments are indented at most.
const deepest = 6

func (l StatusList) shown() int { return len(l.People.Rows) + len(l.DepartmentRows.Rows) }

// people is the same list without what only concerns departments.
func (l StatusList) people() StatusList {
	return StatusList{Kind: l.Kind}
}
