package main

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"officeconsole/bench/growth"
)

// sparse are tables of which the demo company has few rows or none, with a statement
// that adds typical ones. They are measured in a transaction that is rolled back.
var sparse = map[string]string{
	"reads": `insert into reads (company_id, at, reader_id, reader_name, address, kind, via, query, rows, subject_id, object, object_name, positions)
		select company_id, now(), id, name, '203.0.113.7', 'day', 'page', 'date=2026-11-20&department_id=120', 50, null, '', '', false from users`,
	"client_events": `insert into client_events (company_id, event_id, occurred_at, user_id, platform, device_id, kind, version, os, device_name, received_at)
		select company_id, 'a1b2c3d4-0000-4000-8000-' || lpad(id::text, 12, '0'), now(), id, 'pc', 'device-' || id, 'login', '6.2.1', 'Windows 11 23H2', 'DESKTOP-' || id, now() from users`,
	"outbox": `insert into outbox (company_id, at, type, payload)
		select company_id, now(), 'attendance.edited', jsonb_build_object('user_id', id, 'record_id', id || ':2026-11-20', 'work_date', '2026-11-20', 'edited_by', 1, 'fields', '["arrival"]'::jsonb) from users`,
	"sign_ins": `insert into sign_ins (company_id, user_id, created_at, seen_at, expires_at, idle_seconds, address, user_agent, token_hash, device_hash)
		select company_id, id, now(), now(), now(), 3600, '203.0.113.7', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
			sha256(id::text::bytea), sha256(name::bytea) from users`,
}

// tables measures the sizes of rows, and the mean length of a message on the stream.
func (m *meter) tables(ctx context.Context, c *growth.Costs) (err error) {
	tx, err := m.db.Pool().Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback(ctx)) }()
	for _, table := range growth.Tables() {
		if add := sparse[table]; add != "" {
			if _, err := tx.Exec(ctx, add); err != nil {
				return err
			}
		}
		size, err := tableSize(ctx, tx, table)
		if err != nil {
			return err
		}
		c.Tables = append(c.Tables, size)
	}
	const around = len("id: 1234567\nevent: \ndata: \n\n")
	return tx.QueryRow(ctx, "select avg(octet_length(type) + octet_length(payload::text) + $1::integer)::float8 from outbox", around).Scan(&c.MessageBytes)
}

// tableSize measures a table with all its partitions. Empty partitions take a few pages
// for their indexes and are left out.
func tableSize(ctx context.Context, tx pgx.Tx, table string) (growth.TableSize, error) {
	size := growth.TableSize{Name: table}
	if err := tx.QueryRow(ctx, "select count(*) from "+pgx.Identifier{table}.Sanitize()).Scan(&size.Rows); err != nil {
		return size, err
	}
	if size.Rows == 0 {
		return size, errors.New("no rows in " + table)
	}
	err := tx.QueryRow(ctx, `select sum(pg_table_size(relid))::float8 / $2::bigint, sum(pg_indexes_size(relid))::float8 / $2::bigint
		from (select $1::regclass as relid union select relid from pg_partition_tree($1)) parts where pg_relation_size(relid) > 0`, table, size.Rows).Scan(&size.Table, &size.Indexes)
	return size, err
}
