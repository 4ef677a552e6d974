package main

import (
	"context"
	"html"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/gzhttp"
)

// plain is a page that shares only the database server and the compression with
// the product: one query for a session, one query for fifty rows by an index,
// and a table of them.
type plain struct {
	pool *pgxpool.Pool
}

const plainTables = `
drop schema if exists plain cascade;
create schema plain;
create table plain.sessions (token text primary key, user_id bigint not null, expires_at timestamptz not null);
create table plain.rows (id bigint primary key, name text not null, email text not null, department text not null, minutes integer not null, changed_at timestamptz not null);
insert into plain.sessions values ('plain', 1, now() + interval '1 day');
insert into plain.rows select n, '직원 ' || n, 'person' || n || '@hanbit.example', '부서 ' || n % 7, n * 7, now() - n * interval '1 hour' from generate_series(1, 1000) n;
analyze plain.sessions, plain.rows;`

const (
	plainSession = "select user_id, expires_at from plain.sessions where token = $1"
	plainSelect  = "select id, name, email, department, minutes, changed_at from plain.rows order by id limit 50"
)

func newPlain(ctx context.Context, database string) (*site, error) {
	config, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, plainTables); err != nil {
		pool.Close()
		return nil, err
	}
	compressed, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(1), gzhttp.MinSize(1024))
	if err != nil {
		pool.Close()
		return nil, err
	}
	s, err := serve(compressed(plain{pool}))
	if err != nil {
		pool.Close()
		return nil, err
	}
	end := s.close
	s.close = func() { end(); pool.Close() }
	s.cookie = "plain=plain"
	return s, nil
}

func (p plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, err := p.page(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	w.Write(page)
}

func (p plain) page(r *http.Request) ([]byte, error) {
	cookie, err := r.Cookie("plain")
	if err != nil {
		return nil, err
	}
	var userID int64
	var expires time.Time
	if err := p.pool.QueryRow(r.Context(), plainSession, cookie.Value).Scan(&userID, &expires); err != nil {
		return nil, err
	}
	rows, err := p.pool.Query(r.Context(), plainSelect)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := make([]byte, 0, 16<<10)
	page = append(page, "<!DOCTYPE html><html><head><title>Plain</title></head><body><table>"...)
	for rows.Next() {
		var id int64
		var minutes int32
		var name, email, department string
		var changed time.Time
		if err := rows.Scan(&id, &name, &email, &department, &minutes, &changed); err != nil {
			return nil, err
		}
		page = append(page, "<tr><td>"...)
		page = strconv.AppendInt(page, id, 10)
		for _, text := range []string{name, email, department} {
			page = append(page, "</td><td>"...)
			page = append(page, html.EscapeString(text)...)
		}
		page = append(page, "</td><td>"...)
		page = strconv.AppendInt(page, int64(minutes), 10)
		page = append(page, "</td><td>"...)
		page = changed.AppendFormat(page, time.RFC3339)
		page = append(page, "</td></tr>"...)
	}
	return append(page, "</table></body></html>"...), rows.Err()
}
