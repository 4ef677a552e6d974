package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/search"
)

// company is a company of one of the sizes that are compared.
type company struct {
	people int
	site   *site
	client *client
}

// question is a request that is sent to every company.
type question struct {
	name string
	ask  func(context.Context, *company) (rows int, err error)
}

const (
	pageSize  = 50
	repeats   = 60
	warmUp    = 8  // PostgreSQL decides on generic plans after five executions
	unchanged = -1 // rows are not counted
)

// searches are directory searches, named after the share of users that they
// find.
var searches = []struct{ name, text string }{
	{"no search", ""},
	{"selective, one person", "admin@hanbit.example"},
	{"selective, nobody", "뷁쀍"},
	{"common, everybody", "hanbit"},
	{"common, one in five", "kim"},
	{"two letters, one in four", "im"},
	{"two initials, one in fifty", "ㄱㅁ"},
	{"two syllables, one in a hundred", "김민"},
	{"given name, one in three hundred", "지훈"},
}

// searchTimes compares companies by size: a request must not take much longer
// because the company is larger.
func searchTimes(ctx context.Context, b *bench) error {
	var companies []*company
	for _, people := range b.sizes() {
		c, err := openCompany(ctx, b, people)
		if err != nil {
			return err
		}
		defer c.site.close()
		companies = append(companies, c)
	}
	statements, err := statementQuestions(ctx, companies)
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("Directory search by statement, at most %d rows a page, against %s people", pageSize, thousands(companies[0].people)))
	if err := compare(ctx, b, companies, statements, searchTarget); err != nil {
		return err
	}
	for _, c := range companies {
		if c.client, err = c.site.dial(ctx); err != nil {
			return err
		}
		defer c.client.conn.Close()
	}
	b.table.head(fmt.Sprintf("Directory search and policy list by HTTP, against %s people", thousands(companies[0].people)))
	paths, err := pathQuestions(ctx, companies)
	if err != nil {
		return err
	}
	return compare(ctx, b, companies, paths, searchTarget)
}

func openCompany(ctx context.Context, b *bench, people int) (*company, error) {
	database, err := b.server.url(ctx, people)
	if err != nil {
		return nil, err
	}
	s, err := newConsole(ctx, database)
	if err != nil {
		return nil, err
	}
	return &company{people: people, site: s}, nil
}

func statementQuestions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	for _, s := range searches {
		search, err := lists.ParseSearch(s.text)
		if err != nil {
			return nil, err
		}
		size, err := sharedSize(ctx, companies[0], search)
		if err != nil {
			return nil, err
		}
		filter := directoryFilter(search)
		filter.Limit = size
		pages := func(c *company, at *lists.Cursor) (int, error) {
			filter := filter
			filter.Cursor = at
			page, err := c.site.db.Directory.Users(ctx, filter)
			return len(page.Rows), err
		}
		questions = append(questions, question{s.name + ", first page", func(_ context.Context, c *company) (int, error) {
			return pages(c, nil)
		}})
		cursors := map[*company]*lists.Cursor{}
		for _, c := range companies {
			if cursors[c], err = lastPage(ctx, c, search); err != nil {
				return nil, err
			}
		}
		if cursors[companies[0]] == nil {
			continue // there is only one page
		}
		questions = append(questions, question{s.name + ", last page", func(_ context.Context, c *company) (int, error) {
			return pages(c, cursors[c])
		}})
	}
	return questions, nil
}

func directoryFilter(search search.Search) directory.UserFilter {
	return directory.UserFilter{CompanyID: 1, Scope: directory.Scope{Everybody: true}, Search: search, Hidden: true}
}

// sharedSize returns the number of rows that a page of a search has in every
// company: what the smallest company can fill, so that the same number is read
// everywhere.
func sharedSize(ctx context.Context, smallest *company, search search.Search) (int, error) {
	filter := directoryFilter(search)
	filter.Limit = pageSize
	page, err := smallest.site.db.Directory.Users(ctx, filter)
	if len(page.Rows) == 0 {
		return pageSize, err
	}
	return len(page.Rows), err
}

// departmentOf returns the smallest department with at least that many users in
// its subtree.
func departmentOf(ctx context.Context, db *areas.Areas, people int) (id int64, err error) {
	return id, db.Pool().QueryRow(ctx, `select subtree.root_id from users u
		join departments d on d.company_id = u.company_id and d.id = u.department_id cross join unnest(d.ancestors) as subtree (root_id)
		where u.company_id = 1 group by subtree.root_id having count(*) >= $1 order by count(*), subtree.root_id limit 1`, people).Scan(&id)
}

// lastPage returns the cursor of the last page of a search, or nil if there is
// only one page.
func lastPage(ctx context.Context, c *company, search search.Search) (at *lists.Cursor, err error) {
	one, two, three := search.ThreePatterns()
	rows, err := c.site.db.Pool().Query(ctx, `select name, id from users
		where company_id = 1 and search_text like $1 and search_text like $2 and search_text like $3
		order by name desc, id desc offset $4 limit 1`, one, two, three, pageSize)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if rows.Next() {
		at = &lists.Cursor{List: directory.UserList}
		err = rows.Scan(&at.Value, &at.ID)
	}
	if err == nil {
		err = rows.Err()
	}
	return at, err
}

func pathQuestions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	addEach := func(name string, pathIn func(*company) string) {
		questions = append(questions, question{name, func(_ context.Context, c *company) (int, error) {
			_, err := c.client.get(pathIn(c))
			return unchanged, err
		}})
	}
	add := func(name, path string) { addEach(name, func(*company) string { return path }) }
	for _, s := range searches {
		search, err := lists.ParseSearch(s.text)
		if err != nil {
			return nil, err
		}
		size, err := sharedSize(ctx, companies[0], search)
		if err != nil {
			return nil, err
		}
		query := url.Values{"limit": {fmt.Sprint(size)}}
		if s.text != "" {
			query.Set("q", s.text)
		}
		add(s.name, "/api/v1/companies/1/users/1/organizations/users?"+query.Encode())
	}
	add("policy list", policiesPath)
	lastPages := map[*company]string{}
	for _, c := range companies {
		var err error
		if lastPages[c], err = lastPolicyPage(ctx, c); err != nil {
			return nil, err
		}
	}
	addEach("policy list, last page", func(c *company) string { return lastPages[c] })
	add("policy list of a department", policiesPath+"?department_id=2")
	add("policy list, search", policiesPath+"?q="+url.QueryEscape("보안"))
	return questions, nil
}

// lastPolicyPage returns the path of the last page of the policy list.
func lastPolicyPage(ctx context.Context, c *company) (string, error) {
	admin, err := c.site.db.Directory.Person(ctx, directory.PersonParams{CompanyID: 1, ID: 1})
	if err != nil {
		return "", err
	}
	filter, err := policy.ReadFilter(nil)
	if err != nil {
		return "", err
	}
	filter.Limit = pageSize
	for {
		page, err := c.site.db.Policies.List(ctx, admin, "communication", filter)
		if err != nil {
			return "", err
		}
		if page.Next == nil {
			return policiesPath + "?cursor=" + filter.Cursor.String(), nil
		}
		filter.Cursor = page.Next
	}
}

// compare sends every question to every company in turn and prints the median
// of each larger company relative to that of the first.
func compare(ctx context.Context, b *bench, companies []*company, questions []question, target func(people int) string) error {
	for _, q := range questions {
		took, found := make([][]time.Duration, len(companies)), make([]int, len(companies))
		for range warmUp + repeats {
			for i, c := range companies {
				began := time.Now()
				rows, err := q.ask(ctx, c)
				if err != nil {
					return fmt.Errorf("%s, %d people: %w", q.name, c.people, err)
				}
				took[i], found[i] = append(took[i], time.Since(began)), rows
			}
		}
		base := milliseconds(median(took[0][warmUp:]))
		for i, c := range companies[1:] {
			here := milliseconds(median(took[i+1][warmUp:]))
			text := fmt.Sprintf("%.2f (%.2f ms, %.2f ms)", here/base, here, base)
			if found[0] != found[i+1] {
				text += fmt.Sprintf("; rows %d, %d", found[i+1], found[0])
			}
			b.table.row(q.name+", "+thousands(c.people), target(c.people), text)
		}
	}
	return nil
}

// searchTarget returns how many times longer a search may take than in the
// smallest company.
func searchTarget(people int) string {
	if people > size {
		return "≤ 5"
	}
	return "≤ 2"
}

func median(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}
