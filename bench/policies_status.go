package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// statusPage is a set of filters of the application status.
type statusPage struct {
	name   string
	view   string // "departments", or "" for people
	filter policy.StatusFilter
	search string
}

var statusPages = []statusPage{
	{name: "everybody"},
	{name: "applied directly", filter: policy.StatusFilter{Source: policy.Own}},
	{name: "inherited", filter: policy.StatusFilter{Source: policy.Inherited}},
	{name: "default", filter: policy.StatusFilter{Source: policy.Default}},
	{name: "a policy", filter: policy.StatusFilter{PolicyID: 7}},
	{name: "the default policy", filter: policy.StatusFilter{PolicyID: 1}},
	{name: "the root with all below", filter: policy.StatusFilter{DepartmentID: 1}},
	{name: "the root, inherited", filter: policy.StatusFilter{DepartmentID: 1, Source: policy.Inherited}},
	{name: "a department with all below", filter: policy.StatusFilter{DepartmentID: someDepartment}},
	{name: "a department, inherited", filter: policy.StatusFilter{DepartmentID: someDepartment, Source: policy.Inherited}},
	{name: "search, one in a hundred", search: "김민"},
	{name: "search, one in five", search: "kim"},
	{name: "search, inherited", search: "kim", filter: policy.StatusFilter{Source: policy.Inherited}},
	{name: "departments", view: "departments"},
	{name: "departments, default", view: "departments", filter: policy.StatusFilter{Source: policy.Default}},
}

// someDepartment stands for a department whose users fill several pages.
const someDepartment = -1

// spreadOut distributes the users evenly over the departments. In the demo
// company, a thousand users are all in the first tenth of the departments,
// where nearly everybody inherits a policy.
func spreadOut(ctx context.Context, c *company) error {
	_, err := c.site.db.Pool().Exec(ctx, `update users set department_id = d.id
		from (select id, row_number() over (order by id) as place, count(*) over () as departments from departments where company_id = 1) d
		where users.company_id = 1 and users.department_id is not null and d.place = 1 + users.id * 7919 % d.departments`)
	return err
}

// statusQuestions returns requests for the first page, and for the pages after
// and before the middle.
func statusQuestions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	for _, page := range statusPages {
		for _, part := range []struct{ name, position string }{{"first page", ""}, {"from the middle on", "after"}, {"back from the middle", "before"}} {
			question := statusQuestion{view: page.view, paths: map[*company]string{}, filters: map[*company]policy.StatusFilter{}, rows: map[*company]int{}}
			for _, c := range companies {
				f, path, err := page.inCompany(ctx, c, part.position)
				if err != nil {
					return nil, err
				}
				question.paths[c], question.filters[c] = path, f
				if question.rows[c], err = statusRows(ctx, c, page.view, f); err != nil {
					return nil, err
				}
			}
			questions = append(questions, question.byHTTP(page.name+", "+part.name))
		}
	}
	return questions, nil
}

// inCompany returns the filter and path of the page in a company: position is
// "after" or "before" the middle of the list, or "" for the first page.
func (p statusPage) inCompany(ctx context.Context, c *company, position string) (f policy.StatusFilter, path string, err error) {
	f = p.filter
	f.Limit = pageSize
	if f.DepartmentID == someDepartment {
		if f.DepartmentID, err = departmentOf(ctx, c.site.db, 4*pageSize); err != nil {
			return f, "", err
		}
	}
	if f.Search, err = lists.ParseSearch(p.search); err != nil {
		return f, "", err
	}
	query := url.Values{}
	if position != "" {
		middle, err := middleOfStatus(ctx, c, p.view)
		if err != nil {
			return f, "", err
		}
		middle.Backward = position == "before"
		f.Cursor = &middle
		query.Set("cursor", middle.String())
	}
	for name, value := range map[string]string{
		"view": p.view, "q": p.search, "source": string(f.Source), "policy_id": idWord(f.PolicyID), "department_id": idWord(f.DepartmentID),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return f, "/policies/communication/status?" + query.Encode(), nil
}

// statusQuestion is a page in every company, with its number of rows there.
type statusQuestion struct {
	view    string
	paths   map[*company]string
	filters map[*company]policy.StatusFilter
	rows    map[*company]int
}

// byHTTP returns a question that requests the page by HTTP. If one company
// cannot fill the page as the others do, the question calls the rule for the
// number of rows that all have, because the page's size is fixed.
func (q statusQuestion) byHTTP(name string) question {
	rows := slices.Collect(maps.Values(q.rows))
	if shared := slices.Min(rows); shared > 0 && shared < slices.Max(rows) {
		return question{fmt.Sprintf("%s, %d rows by the rule", name, shared), func(ctx context.Context, c *company) (int, error) {
			f := q.filters[c]
			f.Limit = shared
			return statusRows(ctx, c, q.view, f)
		}}
	}
	return question{name, func(_ context.Context, c *company) (int, error) {
		_, err := c.client.get(q.paths[c])
		return q.rows[c], err
	}}
}

func statusRows(ctx context.Context, c *company, view string, f policy.StatusFilter) (int, error) {
	admin, err := c.site.db.Directory.Person(ctx, directory.PersonParams{CompanyID: 1, ID: 1})
	if err != nil {
		return 0, err
	}
	if view == "departments" {
		page, err := c.site.db.Policies.DepartmentStatuses(ctx, admin, "communication", f)
		return len(page.Rows), err
	}
	page, err := c.site.db.Policies.PersonStatuses(ctx, admin, "communication", f)
	return len(page.Rows), err
}

// middleOfStatus returns the cursor in the middle of the list of users, or of
// departments.
func middleOfStatus(ctx context.Context, c *company, view string) (at lists.Cursor, err error) {
	at.List = "status:people"
	from := "users where company_id = 1 order by name, id"
	if view == "departments" {
		at.List = "status:departments"
		from = "departments where company_id = 1 order by path"
	}
	statement := fmt.Sprintf("select name, id from %s offset (select count(*) / 2 from (select from %[1]s) counted) limit 1", from)
	return at, c.site.db.Pool().QueryRow(ctx, statement).Scan(&at.Value, &at.ID)
}

func idWord(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
