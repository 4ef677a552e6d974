package handlers

import (
	"fmt"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/search"
	"officeconsole/settings"
	"officeconsole/views"
	usageviews "officeconsole/views/usage"
)

// people finds people by name, email or employee id. They lead to what is asked
// most: why a policy applies to them, or their week for who sees attendance only.
func (f *finder) people() (foundGroup, error) {
	users, err := f.h.db.Directory.FindUsers(f.r.Context(), directory.UserFilter{
		CompanyID: f.reader.CompanyID, Scope: f.scope, Search: f.search, Limit: mostFoundCount + 1,
	})
	if err != nil {
		return foundGroup{}, err
	}
	rows := make([]rankedRow, len(users))
	for i, u := range users {
		actions := f.personActions(u.ID)
		rows[i] = rankedRow{views.FoundRow{
			Title: f.search.Parts(u.Name), Text: f.detail(u.Department, u.Position, u.Email), Path: actions[0].Path,
			Person: views.FoundPerson{ID: u.ID, Name: u.Name, ImageHash: u.ImageHash}, Actions: actions,
		}, f.search.Rank(u.Name)}
	}
	all := "/logs/workingattitude/day"
	if f.reader.IsAdmin {
		all = "/policies/communication/status"
	}
	return limited("people", f.withQuery(all), rows), nil
}

func (f *finder) personActions(id int64) []views.FoundAction {
	week := views.FoundAction{Label: "search.week", Path: fmt.Sprintf("/logs/workingattitude/week?user_id=%d", id), Icon: "calendar"}
	if !f.reader.IsAdmin {
		return []views.FoundAction{week}
	}
	return []views.FoundAction{
		{Label: "search.why", Path: fmt.Sprintf("/policies/communication/status/%d", id), Icon: "shield"},
		{Label: "search.why.attendance", Path: fmt.Sprintf("/policies/workingattitude/status/%d", id), Icon: "clock"},
		week,
		{Label: "search.access", Path: usageviews.AccessOf(id), Icon: "desktop"},
		{Label: "search.files", Path: fmt.Sprintf("/logs/communication/file?sender_id=%d", id), Icon: "file"},
	}
}

func (f *finder) departments() (foundGroup, error) {
	tree, err := f.h.db.Policies.Tree(f.r.Context(), f.reader.Person)
	if err != nil {
		return foundGroup{}, err
	}
	var rows []rankedRow
	for _, d := range tree.Find(f.search) {
		above := ""
		if n := len(d.Ancestors); n > 1 {
			above = tree.Department(d.Ancestors[n-2]).Name
		}
		path := fmt.Sprintf("/policies/communication/status?department_id=%d", d.ID)
		rows = append(rows, rankedRow{views.FoundRow{
			Title: f.search.Parts(d.Name), Text: f.detail(above, f.locale.N("search.people", int(tree.Headcount(d.ID)))), Path: path, Icon: "building",
			Actions: []views.FoundAction{
				{Label: "search.status", Path: path, Icon: "shield"},
				{Label: "search.today", Path: fmt.Sprintf("/logs/workingattitude/day?department_id=%d", d.ID), Icon: "calendar"},
				{Label: "search.policies", Path: fmt.Sprintf("/policies/communication/management?department_id=%d", d.ID), Icon: "book"},
			},
		}, f.search.Rank(d.Name)})
	}
	return newGroup("departments", f.withQuery("/policies/communication/status")+"&view=departments", rows), nil
}

// policies finds policies of both kinds by their name, description or targets.
func (f *finder) policies() (foundGroup, error) {
	var rows []rankedRow
	all := ""
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		page, err := f.h.db.Policies.List(f.r.Context(), f.reader.Person, string(kind), policy.Filter{Search: f.search, Order: policy.ByName, Limit: mostFoundCount})
		if err != nil {
			return foundGroup{}, err
		}
		for _, p := range page.Rows {
			rows = append(rows, f.policyRow(kind, p))
		}
		if all == "" && len(page.Rows) > 0 {
			all = f.withQuery(fmt.Sprintf("/policies/%s/management", kind))
		}
	}
	return newGroup("policies", all, rows), nil
}

func (f *finder) policyRow(kind settings.Kind, p policy.Summary) rankedRow {
	rank, icon := f.search.Rank(p.Name), "shield"
	if kind == settings.WorkingAttitude {
		icon = "clock"
	}
	text := f.plain(f.locale.T(kindTitle(kind)))
	if target := f.targetText(p); rank == search.Elsewhere && target != "" {
		text = append(f.plain(f.locale.T(kindTitle(kind))+" · "), f.search.Parts(target)...)
	}
	path := fmt.Sprintf("/policies/%s/%d", kind, p.ID)
	return rankedRow{views.FoundRow{
		Title: f.search.Parts(p.Name), Text: text, Path: path, Icon: icon,
		Actions: []views.FoundAction{{Label: "search.status", Path: fmt.Sprintf("/policies/%s/status?policy_id=%d", kind, p.ID), Icon: "user"}},
	}, rank}
}

// targetText names the target by which a policy was found; "" if it was found by
// something else.
func (f *finder) targetText(p policy.Summary) string {
	for _, target := range p.Targets {
		switch {
		case f.search.Rank(target.Name) == search.Elsewhere:
		case p.TargetCount == 1:
			return f.locale.T("search.target", "Name", target.Name)
		default:
			return f.locale.T("search.target.more", "Name", target.Name, "Count", locales.Number(f.r.Context(), int64(p.TargetCount-1)))
		}
	}
	return ""
}

// defaultPolicies returns the addresses of the default policies.
func (f *finder) defaultPolicies() (map[settings.Kind]string, error) {
	paths := map[settings.Kind]string{}
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		page, err := f.h.db.Policies.List(f.r.Context(), f.reader.Person, string(kind), policy.Filter{Order: policy.ByName, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(page.Rows) > 0 { // the default policy comes first
			paths[kind] = fmt.Sprintf("/policies/%s/%d", kind, page.Rows[0].ID)
		}
	}
	return paths, nil
}

// latestNotices is the number of notices that are searched.
const latestNotices = 1000

func (f *finder) notices() (foundGroup, error) {
	one, two, three := f.search.ThreePatterns()
	found, err := f.h.db.Notices.FoundTitles(f.r.Context(), notice.FoundTitlesParams{
		CompanyID: f.reader.CompanyID, Latest: latestNotices, Pattern1: one, Pattern2: two, Pattern3: three, Size: mostFoundCount + 1,
	})
	if err != nil {
		return foundGroup{}, err
	}
	var rows []rankedRow
	for _, n := range found {
		rows = append(rows, rankedRow{views.FoundRow{
			Title: f.search.Parts(n.Title), Text: f.plain(f.locale.ShortDateTime(n.PublishAt.In(zone(f.reader)), f.h.db.Now().In(zone(f.reader)))),
			Path: fmt.Sprintf("/manage/notice/%d", n.ID), Icon: "inbox",
		}, f.search.Rank(n.Title)})
	}
	return limited("notices", f.withQuery("/manage/notice"), rows), nil
}

func (f *finder) links() (foundGroup, error) {
	all, err := f.h.db.Links.Links(f.r.Context(), f.reader.CompanyID)
	if err != nil {
		return foundGroup{}, err
	}
	var rows []rankedRow
	for _, l := range (link.Filter{Search: f.search}).Apply(all) {
		rows = append(rows, rankedRow{views.FoundRow{
			Title: f.search.Parts(l.Name), Text: f.detail(l.Description), Path: fmt.Sprintf("/manage/link/common?edit=%d", l.ID), Icon: "external",
		}, f.search.Rank(l.Name)})
	}
	return newGroup("links", f.withQuery("/manage/link/common"), rows), nil
}
