package policy

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
)

// StatusPageSize is the number of people or departments on a page.
const StatusPageSize = 50

// StatusList is the page that shows which policy of a kind applies to
// people, or to departments: the filters in its address and what was found.
type StatusList struct {
	Frame views.Frame
	Kind  string
	policy.StatusFilter
	Refused     string // message id of why the search was refused; "" for none
	Department  policy.DepartmentRow
	Departments []policy.UpperDepartment // the root and its direct children
	Policies    []policy.Summary         // that can be chosen as a filter

	Inherit *Inheritance // the question before a target inherits again; nil for none

	People         lists.Page[policy.PersonStatus]
	DepartmentRows lists.Page[policy.DepartmentStatus]
}

// url is the address of the list with one more choice; the value "" removes
// a choice.
func (l StatusList) url(name, value string) string {
	return views.ListURL(StatusPath(l.Kind), l.Values(), name, value)
}

// sentence explains the page: what applies now, or at a date.
func (l StatusList) sentence(ctx context.Context) string {
	if l.Date == 0 {
		return locales.T(ctx, "status.text."+l.Kind)
	}
	return asOfText(ctx, l.at(), l.Frame.Now)
}

// at is the midnight of the date of the list.
func (l StatusList) at() time.Time { return l.Date.At(0, l.Frame.Zone()) }

// followersURL is the list of the people to whom a policy applies.
func followersURL(kind settings.Kind, policyID int64) string {
	return StatusList{Kind: string(kind), StatusFilter: policy.StatusFilter{PolicyID: policyID}}.url("", "")
}

// isFiltered reports whether a filter may have excluded people or
// departments.
func (l StatusList) isFiltered() bool {
	return l.Query != "" || l.Differing || l.Source != "" || l.PolicyID != 0 || l.DepartmentID != 0
}

// view is the parameter of the address that selects departments; "" selects
// people.
func (l StatusList) view() string { return l.Values().Get("view") }

func (l StatusList) pager(ctx context.Context) views.Pager {
	address := func(cursor string) string { return l.url("cursor", cursor) }
	if l.OfDepartments {
		return views.NewPager(ctx, l.DepartmentRows, "status.range", address).Exported()
	}
	return views.NewPager(ctx, l.People, "period.total", address).Exported()
}

func (l StatusList) tree(ctx context.Context) treeProps {
	return departmentTree(ctx, l.Frame.Person, l.Department.ID, StatusPath(l.Kind), l.Values())
}

// departmentName is the department whose people or departments are shown.
func (l StatusList) departmentName(ctx context.Context) string {
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

// A statusColumn is a column of the list. Low columns are hidden on narrow
// screens.
type statusColumn struct {
	key, title string
	low        bool
}

// columns are the columns of people or of departments. A department needs no
// column for its path.
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

// chosenColumns are the entries of the menu of columns.
func (l StatusList) chosenColumns() []views.Column {
	var chosen []views.Column
	for i, c := range l.columns() {
		chosen = append(chosen, views.Column{Key: c.key, Title: c.title, Fixed: i == 0})
	}
	return chosen
}

// maxIndent is the greatest depth to which departments are indented.
const maxIndent = 6

func (l StatusList) shown() int { return len(l.People.Rows) + len(l.DepartmentRows.Rows) }

// people is the list of people of the same kind without filters.
func (l StatusList) people() StatusList {
	return StatusList{Kind: l.Kind}
}
