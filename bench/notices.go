package main

import (
	"context"
	"fmt"

	"officeconsole/queries"
	"officeconsole/queries/notice"
)

// noticesOfSize is how many notices the larger company has; the smaller one has as
// many as a page shows.
const (
	noticesOfSize  = 10_000
	noticesOfSmall = 10
)

// notices compares the list of a company with thousands of notices, ten of which
// everybody has read, with that of a company with ten notices and no readers.
func notices(ctx context.Context, b *bench) error {
	var companies []*company
	for _, c := range []struct{ people, notices int }{{smallPeople, noticesOfSmall}, {size, noticesOfSize}} {
		database, err := b.server.url(ctx, c.people)
		if err != nil {
			return err
		}
		s, err := newConsole(ctx, database)
		if err != nil {
			return err
		}
		defer s.close()
		if err := fillNotices(ctx, s, c.notices, c.people == size); err != nil {
			return err
		}
		companies = append(companies, &company{people: c.people, site: s})
	}
	for _, c := range companies { // after filling, because the server waits for a first request only briefly
		var err error
		if c.client, err = c.site.dial(ctx); err != nil {
			return err
		}
		defer c.client.conn.Close()
	}
	b.table.head(fmt.Sprintf("Notices by HTTP: %s, the newest read by everybody, against %d notices without readers", thousands(noticesOfSize), noticesOfSmall))
	list := question{"list of notices", func(_ context.Context, c *company) (int, error) {
		_, err := c.client.get("/manage/notice")
		return unchanged, err
	}}
	if err := compare(ctx, b, companies, []question{list}, func(int) string { return "≤ 1.3" }); err != nil {
		return err
	}
	rows := make([]int, len(companies))
	for i, c := range companies {
		var err error
		if rows[i], err = rowsOfPublishing(ctx, c.site); err != nil {
			return err
		}
	}
	b.table.row(fmt.Sprintf("rows written by publishing to %s people, and to %s", thousands(size), thousands(smallPeople)), "equal", fmt.Sprintf("%d, %d", rows[1], rows[0]))
	return nil
}

// rowsOfPublishing publishes a notice for everybody, and returns how many rows its
// transaction has written in all tables.
func rowsOfPublishing(ctx context.Context, s *site) (rows int, err error) {
	pool := s.db.Pool()
	by := queries.Actor{CompanyID: 1}
	if err := pool.QueryRow(ctx, "select min(id) from users where company_id = 1 and is_admin").Scan(&by.UserID); err != nil {
		return 0, err
	}
	published, err := s.db.Notices.Create(ctx, by, notice.Draft{Title: "Notice", Body: "Text", Targets: notice.Targets{Everyone: true}})
	if err != nil {
		return 0, err
	}
	var statement string
	err = pool.QueryRow(ctx, `select 'select sum(n) from (' || string_agg(format('select count(*) as n from %s where xmin = (select xmin from notices where company_id = 1 and id = $1)', oid::regclass), ' union all ') || ') x'
		from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`).Scan(&statement)
	if err != nil {
		return 0, err
	}
	return rows, pool.QueryRow(ctx, statement, published.ID).Scan(&rows)
}

// fillNotices replaces the notices of a company by published ones for everybody.
// With read, everybody has read the newest ten.
func fillNotices(ctx context.Context, s *site, count int, read bool) error {
	pool := s.db.Pool()
	if _, err := pool.Exec(ctx, "delete from notices where company_id = 1"); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, `insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at, announced_at)
		select 1, 'Notice ' || i, repeat('A sentence of the notice. ', 40), 'notice ' || i, true, now() - i * interval '1 hour', u.id, now(), now(), now()
		from generate_series(1, $1) i, (select min(id) as id from users where company_id = 1 and is_admin) u`, count)
	if err != nil {
		return err
	}
	if read {
		for _, statement := range []string{
			`insert into notice_reads (company_id, notice_id, user_id, read_at)
			select 1, n.id, u.id, now() from (select id from notices where company_id = 1 order by publish_at desc limit 10) n, users u where u.company_id = 1 and not u.bot`,
			`insert into notice_read_counts (company_id, notice_id, shard, readers)
			select company_id, notice_id, user_id % 32, count(*) from notice_reads where company_id = 1 group by 1, 2, 3`,
		} {
			if _, err := pool.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	_, err = pool.Exec(ctx, "vacuum (analyze) notices, notice_reads, notice_read_counts")
	return err
}
