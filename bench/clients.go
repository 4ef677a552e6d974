package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

const (
	clientsPath  = "/manage/use/agent/pc"
	clientEvents = 10_000 // sign-ins of as many people
)

// clients compares the list of people with their clients in companies of several
// sizes, and storing client events with a bare COPY of the same rows.
func clients(ctx context.Context, b *bench) error {
	var companies []*company
	for _, people := range b.sizes() {
		c, err := openCompany(ctx, b, people)
		if err != nil {
			return err
		}
		defer c.site.close()
		companies = append(companies, c)
	}
	questions, err := clientQuestions(ctx, companies)
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("Clients of people by HTTP, against %s people", thousands(companies[0].people)))
	for _, c := range companies { // now, because the server closes a connection without a request
		if c.client, err = c.site.dial(ctx); err != nil {
			return err
		}
		defer c.client.conn.Close()
	}
	if err := compare(ctx, b, companies, questions, searchTarget); err != nil {
		return err
	}
	return takeClients(ctx, b, companies[1].site.db)
}

// clientQuestions are the first and the second page of every filter, as the page and
// as the statements of the list alone.
func clientQuestions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	for _, f := range []struct{ name, query string }{
		{"everybody", ""},
		{"not installed", "state=never"},
		{"outdated", "state=outdated"},
		{"idle", "state=idle"},
		{"system too old", "state=unable"},
		{"a release", "release=6.2"},
		{"a department", "department_id=2"},
		{"outdated in a department", "state=outdated&department_id=2"},
		{"a name", "q=" + url.QueryEscape("김민")},
		{"outdated of a name", "state=outdated&q=" + url.QueryEscape("김민")},
	} {
		later := map[*company]string{}
		for _, c := range companies {
			list, err := clientList(ctx, c.site.db, f.query)
			if err != nil {
				return nil, err
			}
			if list.Next != nil {
				later[c] = clientsPath + "?" + f.query + "&cursor=" + list.Next.String()
			}
		}
		path := clientsPath + "?" + f.query
		questions = append(questions, question{f.name, func(_ context.Context, c *company) (int, error) {
			_, err := c.client.get(path)
			return unchanged, err
		}})
		if len(later) == len(companies) {
			questions = append(questions, question{f.name + ", second page", func(_ context.Context, c *company) (int, error) {
				_, err := c.client.get(later[c])
				return unchanged, err
			}})
		}
		questions = append(questions, question{f.name + ", the list alone", func(ctx context.Context, c *company) (int, error) {
			list, err := clientList(ctx, c.site.db, f.query)
			return len(list.Rows), err
		}})
	}
	return append(questions, question{"the rules with their effect", func(_ context.Context, c *company) (int, error) {
		_, err := c.client.get("/manage/use/install")
		return unchanged, err
	}}), nil
}

func clientList(ctx context.Context, db *areas.Areas, query string) (lists.Page[usage.ClientPersonRow], error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return lists.Page[usage.ClientPersonRow]{}, err
	}
	filter, err := usage.ReadClientFilter(values, usage.PC)
	if err != nil {
		return lists.Page[usage.ClientPersonRow]{}, err
	}
	rules, err := db.Usage.InstallationRules(ctx, 1)
	if err != nil {
		return lists.Page[usage.ClientPersonRow]{}, err
	}
	filter.Limit = pageSize
	return db.Usage.Clients(ctx, 1, rules.Rules, filter)
}

// takeClients compares storing sign-ins of people with a bare COPY of the rows that
// they leave in the three tables.
func takeClients(ctx context.Context, b *bench, db *areas.Areas) error {
	e := eventBench{db: db}
	rows, err := db.Pool().Query(ctx, "select user_id from client_people where company_id = 1 and platform = 'pc' and installed order by user_id limit $1", clientEvents)
	if err != nil {
		return err
	}
	if e.users, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
		return err
	}
	if len(e.users) < clientEvents {
		return fmt.Errorf("cannot measure client events: %d people have a client", len(e.users))
	}
	var ratio, taken, copied spread
	for range attempts {
		began := time.Now().Truncate(time.Microsecond)
		for from := 0; from < len(e.users); from += usage.MaxEvents {
			var events []usage.ClientEvent
			for _, user := range e.users[from:min(from+usage.MaxEvents, len(e.users))] {
				events = append(events, usage.ClientEvent{
					EventID: fmt.Sprint("bench-", began.UnixNano(), "-", user), UserID: user, Platform: usage.PC, Kind: usage.ClientLogin, Version: "6.4.2", OS: "Windows 11 25H2",
					DeviceID: fmt.Sprintf("pc-%06d", user), DeviceName: "HB-1", OccurredAt: began,
				})
			}
			results, err := db.Usage.TakeClientEvents(ctx, 1, events)
			if err != nil {
				return err
			}
			for _, r := range results {
				if r.Status != usage.Accepted {
					return fmt.Errorf("event %s: %s %s", r.EventID, r.Status, r.Code)
				}
			}
		}
		ours := time.Since(began)
		bare, err := e.copyClients(ctx, began)
		if err != nil {
			return err
		}
		ratio, taken, copied = append(ratio, bare.Seconds()/ours.Seconds()), append(taken, clientEvents/ours.Seconds()), append(copied, clientEvents/bare.Seconds())
	}
	b.table.row("client events per second, relative to a bare COPY", "≥ 0.30", ratio.String())
	b.table.row("client events per second, as events and by COPY", "", fmt.Sprintf("%.0f, %.0f", taken.median(), copied.median()))
	return nil
}

// copyClients deletes what the events of a time left behind, and writes the rows again
// by COPY.
func (e *eventBench) copyClients(ctx context.Context, at time.Time) (time.Duration, error) {
	var all []deletedRows
	for _, table := range []struct{ name, where string }{
		{"client_events", "occurred_at = $1"}, {"installations", "last_login_at = $1"}, {"client_people", "last_login_at = $1"},
	} {
		deleted, err := e.deleteRows(ctx, table.name, "order by user_id", table.where, at)
		if err != nil {
			return 0, err
		}
		all = append(all, deleted)
	}
	if _, err := e.db.Pool().Exec(ctx, "vacuum client_events, installations, client_people"); err != nil {
		return 0, err
	}
	began := time.Now()
	for from := 0; from < len(e.users); from += usage.MaxEvents {
		for _, c := range all {
			some := c.rows[from:min(from+usage.MaxEvents, len(c.rows))]
			if _, err := e.db.Pool().CopyFrom(ctx, pgx.Identifier{c.table}, c.columns, pgx.CopyFromRows(some)); err != nil {
				return 0, err
			}
		}
	}
	return time.Since(began), nil
}
