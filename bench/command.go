package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"officeconsole/demo"
)

// commandTexts are what people type into the search of the whole console.
var commandTexts = []struct{ name, text string }{
	{"a beginning, 김민", "김민"},
	{"initials, ㄱㅁ", "ㄱㅁ"},
	{"one person, admin@hanbit", "admin@hanbit"},
	{"common, hanbit", "hanbit"},
	{"nobody, 뷁쀍", "뷁쀍"},
	{"a setting, 세션 유지", "세션 유지"},
}

// command compares the results of the search of the whole console with a request
// of the same handlers that reads nothing but the session, and a select by primary
// key through the same pool.
func command(ctx context.Context, b *bench) error {
	for _, people := range []int{1_200, size} {
		database, err := b.commandDatabase(ctx, people)
		if err != nil {
			return err
		}
		if err := commandOf(ctx, b, people, database); err != nil {
			return err
		}
	}
	return nil
}

// commandDatabase returns the demo company, or the usual company of a size.
func (b *bench) commandDatabase(ctx context.Context, people int) (string, error) {
	if people == size {
		return b.server.url(ctx, people)
	}
	return b.server.companyDatabase(ctx, demo.Options{Employees: people, Days: 90})
}

func commandOf(ctx context.Context, b *bench, people int, database string) error {
	s, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer s.close()
	c, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	c.header = "HX-Request: true\r\nAccept: text/html\r\n"
	b.table.head(fmt.Sprintf("Search of the whole console, %s people, against a session and a select by primary key", thousands(people)))
	for _, t := range commandTexts {
		path := "/search?" + url.Values{"q": {t.text}}.Encode()
		var here, there []time.Duration
		for range warmUp + 4*repeats {
			began := time.Now()
			if _, err := c.get("/session"); err != nil {
				return err
			}
			var name string
			if err := s.db.Pool().QueryRow(ctx, "select name from users where company_id = $1 and id = $2", 1, 1).Scan(&name); err != nil {
				return err
			}
			there = append(there, time.Since(began))
			began = time.Now()
			if _, err := c.get(path); err != nil {
				return err
			}
			here = append(here, time.Since(began))
		}
		answer, floor := milliseconds(median(here[warmUp:])), milliseconds(median(there[warmUp:]))
		least := milliseconds(slices.Min(here[warmUp:])) / milliseconds(slices.Min(there[warmUp:]))
		b.table.row(t.name, "≤ 2", fmt.Sprintf("%.2f (%.2f ms, %.2f ms); of the fastest %.2f", answer/floor, answer, floor, least))
	}
	return nil
}
