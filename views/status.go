package views

import (
	"context"
	"net/url"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/settings"
)

// StatusPageSize is how many people or departments a page shows.
const StatusPageSize = 50

// StatusList is the page that tells which policy of a kind applies to whom: to
// people, or to departments. What was chosen is as it stands in the address.
type StatusList struct {
	Frame       Frame
	Kind        string
	View        string // "departments", or "" for people
	Query       string // what is searched for, as typed
	Refused     string // id of the message why it cannot be; "" for none
	Source      queries.Source
	PolicyID    int64
	Department  queries.BranchRow
	Departments []queries.UpperDepartmentsRow // the root and those right below it
	Policies    []queries.PolicySummary       // to choose from

	People         []queries.PersonStatus
	Paths          map[int64]string // of the people's departments
	DepartmentRows []queries.DepartmentStatus
	Earlier        bool // there are rows before
	Later          bool // there are rows behind
	First          int  // number of the first row, as the address says; 0 when unknown
	Total          int  // of people; 0 when nobody counted
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back. A place in the list does not outlive what it was a place in.
func (l StatusList) url(name, value string) string {
	return statusURL(statusPath(l.Kind), l.chosen(name, value))
}

// exportURL leads to a file of everything that the filters show.
func (l StatusList) exportURL() string {
	return statusURL(statusPath(l.Kind)+"/export", l.chosen("", ""))
}

// followersURL leads to the people whom a policy applies to, and from there to why.
func followersURL(kind settings.Kind, policyID int64) string {
	return StatusList{Kind: string(kind), PolicyID: policyID}.url("", "")
}

func statusURL(path string, chosen url.Values) string {
	if len(chosen) == 0 {
		return path
	}
	return path + "?" + chosen.Encode()
}

func (l StatusList) chosen(name, value string) url.Values {
	chosen := url.Values{}
	set := func(name, value string) {
		chosen.Del(name)
		if value != "" {
			chosen.Set(name, value)
		}
	}
	set("view", l.View)
	set("q", l.Query)
	set("source", string(l.Source))
	set("policy_id", idText(l.PolicyID))
	set("department_id", idText(l.Department.ID))
	set(name, value)
	return chosen
}

// idText is an id in an address; "" for none.
func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

func (l StatusList) ofDepartments() bool { return l.View == "departments" }

// filtered tells whether something was chosen that may have left nothing.
func (l StatusList) filtered() bool {
	return l.Query != "" || l.Source != "" || l.PolicyID != 0 || l.Department.ID != 0
}

// pager leads to the rows before and behind, and takes the number of the first
// one along.
func (l StatusList) pager(ctx context.Context) Pager {
	first, shown := l.First, l.shown()
	if !l.Earlier {
		first = 1
	}
	var p Pager
	if first > 0 {
		p.Text = l.rangeText(ctx, first, first+shown-1)
	}
	if l.Earlier {
		p.Previous = l.placeURL("before", l.id(0), max(1, first-StatusPageSize), first > 0)
	}
	if l.Later {
		p.Next = l.placeURL("after", l.id(shown-1), first+shown, first > 0)
	}
	return p
}

// id is that of a row.
func (l StatusList) id(row int) int64 {
	if l.ofDepartments() {
		return l.DepartmentRows[row].ID
	}
	return l.People[row].UserID
}

// placeURL is the address of the rows after or before one.
func (l StatusList) placeURL(place string, id int64, first int, known bool) string {
	chosen := l.chosen(place, idText(id))
	if known {
		chosen.Set("first", strconv.Itoa(first))
	}
	return statusURL(statusPath(l.Kind), chosen)
}

// rangeText says which rows are shown, and of how many where that is known.
func (l StatusList) rangeText(ctx context.Context, first, last int) string {
	total := l.Total
	if total == 0 && !l.Later {
		total = last
	}
	firstText, lastText := locales.Number(ctx, int64(first)), locales.Number(ctx, int64(last))
	if total == 0 {
		return locales.T(ctx, "status.range.open", "First", firstText, "Last", lastText)
	}
	text := "period.total"
	if l.ofDepartments() {
		text = "status.range"
	}
	return locales.T(ctx, text, "First", firstText, "Last", lastText, "Total", locales.Number(ctx, int64(total)))
}

func (l StatusList) tree(ctx context.Context) treeProps {
	without := l
	without.Department.ID = 0
	chosen := without.chosen("", "").Encode()
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

func (l StatusList) sources(ctx context.Context) []Option {
	return []Option{
		{"", locales.T(ctx, "status.source.any")},
		{string(queries.Own), locales.T(ctx, "status.source.own")},
		{string(queries.Inherited), locales.T(ctx, "status.source.inherited")},
		{string(queries.Default), locales.T(ctx, "status.source.default")},
	}
}

func (l StatusList) policies(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "status.policy.any")}}
	for _, p := range l.Policies {
		options = append(options, Option{idText(p.ID), p.Name})
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
	if l.ofDepartments() {
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
	if l.ofDepartments() {
		return []statusColumn{{"name", "status.column.department", false}, all[2], all[3]}
	}
	return all
}

// deepest is how far departments are indented at most.
const deepest = 6

func (l StatusList) shown() int { return len(l.People) + len(l.DepartmentRows) }

// people is the same list without what only concerns departments.
func (l StatusList) people() StatusList {
	return StatusList{Kind: l.Kind}
}
