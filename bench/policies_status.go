package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"officeconsole/queries"
)

// statusPages are what can be chosen on the application status.
var statusPages = []struct {
	name   string
	view   string // "departments", or "" for people
	filter queries.StatusFilter
	search string
}{
	{name: "everybody"},
	{name: "applied directly", filter: queries.StatusFilter{Source: queries.Own}},
	{name: "inherited", filter: queries.StatusFilter{Source: queries.Inherited}},
	{name: "default", filter: queries.StatusFilter{Source: queries.Default}},
	{name: "a policy", filter: queries.StatusFilter{PolicyID: 7}},
	{name: "the default policy", filter: queries.StatusFilter{PolicyID: 1}},
	{name: "a department with all below", filter: queries.StatusFilter{DepartmentID: 2}},
	{name: "a department, inherited", filter: queries.StatusFilter{DepartmentID: 2, Source: queries.Inherited}},
	{name: "search", search: "김민"},
	{name: "search, inherited", search: "kim", filter: queries.StatusFilter{Source: queries.Inherited}},
	{name: "departments", view: "departments"},
	{name: "departments, default", view: "departments", filter: queries.StatusFilter{Source: queries.Default}},
}

// statusQuestions ask for the first page, for one in the middle, forth and back.
func statusQuestions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	for _, page := range statusPages {
		for _, part := range []struct{ name, place string }{{"first page", ""}, {"from the middle on", "after"}, {"back from the middle", "before"}} {
			paths, rows := map[*company]string{}, map[*company]int{}
			for _, c := range companies {
				f, query := page.filter, url.Values{}
				f.Limit = pageSize
				var err error
				if f.Search, err = queries.ParseSearch(page.search); err != nil {
					return nil, err
				}
				if part.place != "" {
					place, err := middleOfStatus(ctx, c, page.view)
					if err != nil {
						return nil, err
					}
					query.Set(part.place, strconv.FormatInt(place.ID, 10))
					if part.place == "after" {
						f.After = place
					} else {
						f.Before = place
					}
				}
				for name, value := range map[string]string{
					"view": page.view, "q": page.search, "source": string(f.Source), "policy_id": idWord(f.PolicyID), "department_id": idWord(f.DepartmentID),
				} {
					if value != "" {
						query.Set(name, value)
					}
				}
				paths[c] = "/policies/communication/status?" + query.Encode()
				if rows[c], err = statusRows(ctx, c, page.view, f); err != nil {
					return nil, err
				}
			}
			questions = append(questions, question{page.name + ", " + part.name, func(_ context.Context, c *company) (int, error) {
				_, err := c.client.get(paths[c])
				return rows[c], err
			}})
		}
	}
	return questions, nil
}

func statusRows(ctx context.Context, c *company, view string, f queries.StatusFilter) (int, error) {
	admin, err := c.site.db.Person(ctx, queries.PersonParams{CompanyID: 1, ID: 1})
	if err != nil {
		return 0, err
	}
	if view == "departments" {
		page, err := c.site.db.DepartmentStatuses(ctx, admin, "communication", f)
		return len(page.Rows), err
	}
	page, err := c.site.db.PolicyStatus(ctx, admin, "communication", f)
	return len(page.Rows), err
}

// middleOfStatus is who stands in the middle of all people, or of the departments.
func middleOfStatus(ctx context.Context, c *company, view string) (place queries.DirectoryPlace, err error) {
	from := "users where company_id = 1 order by name, id"
	if view == "departments" {
		from = "departments where company_id = 1 order by path"
	}
	statement := fmt.Sprintf("select name, id from %s offset (select count(*) / 2 from (select from %[1]s) counted) limit 1", from)
	return place, c.site.db.Pool().QueryRow(ctx, statement).Scan(&place.Name, &place.ID)
}

func idWord(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
