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
	"officeconsole/search"
)

// company is one of the sizes that are compared.
type company struct {
	people int
	site   *site
	client *client
}

// question is something asked of every company.
type question struct {
	name string
	ask  func(context.Context, *company) (rows int, err error)
}

const (
	pageSize  = 50
	repeats   = 60
	warmUp    = 8  // PostgreSQL reconsiders a plan after five executions
	unchanged = -1 // rows are not counted
)

// searches are what people look for in the directory, with how many find it.
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

// directory compares companies by size: the same question must not take much
// longer because the company is larger.
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
			continue // the first page is the last one
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

// sharedSize is how many rows a page of a search has in every company: what the
// smallest one can fill, so that the same rows are asked for everywhere.
func sharedSize(ctx context.Context, smallest *company, search search.Search) (int, error) {
	filter := directoryFilter(search)
	filter.Limit = pageSize
	page, err := smallest.site.db.Directory.Users(ctx, filter)
	if len(page.Rows) == 0 {
		return pageSize, err
	}
	return len(page.Rows), err
}

// departmentOf is the smallest department that has so many people with all below.
func departmentOf(ctx context.Context, db *areas.Areas, people int) (id int64, err error) {
	return id, db.Pool().QueryRow(ctx, `select branch.id from users u
		join departments d on d.company_id = u.company_id and d.id = u.department_id cross join unnest(d.ancestors) as branch (id)
		where u.company_id = 1 group by branch.id having count(*) >= $1 order by count(*), branch.id limit 1`, people).Scan(&id)
}

// lastPage is where the last page of a search begins; nil when there is only one
// page.
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
	add := func(name, path string) {
		questions = append(questions, question{name, func(_ context.Context, c *company) (int, error) {
			_, err := c.client.get(path)
			return unchanged, err
		}})
	}
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
	add("policy list, last page", policiesPath+"?before="+url.QueryEscape("9223372036854775807_1"))
	add("policy list of a department", policiesPath+"?department_id=2")
	add("policy list, search", policiesPath+"?q="+url.QueryEscape("보안"))
	return questions, nil
}

// compare asks every question of every company in turn and prints the medians
// of the larger ones against that of the first.
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

// searchTarget is how many times longer a search may take than in the smallest company.
func searchTarget(people int) string {
	if people > size {
		return "≤ 5"
	}
	return "≤ 2"
}

func median(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}
