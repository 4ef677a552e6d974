package migrations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
)

// Events that are stored already are listed with the locked months in which they do not
// count.
func TestStoredLateEventsAreListed(t *testing.T) {
	url := queriestest.EmptyURL(t)
	if err := migrations.RunTo(t.Context(), url, 66); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, statement := range []string{
		"insert into companies (id, name, host, time_zone) overriding system value values (1, 'A', 'a.example', 'Asia/Seoul'), (2, 'B', 'b.example', 'Asia/Seoul')",
		"insert into departments (company_id, id, name, search_text) overriding system value values (1, 1, 'A', 'a'), (2, 2, 'B', 'b')",
		`insert into users (company_id, id, department_id, name, email, search_text, search_grams) overriding system value values
			(1, 1, 1, 'A', 'a@a.example', 'a', '{}'), (2, 2, 2, 'B', 'b@b.example', 'b', '{}')`,
		"insert into attendance_locks (company_id, month, locked_at) values (1, '2026-10-01', '2026-11-02 09:00+09')",
		"create table events_of_2026 partition of clock_events for values from ('2026-01-01') to ('2027-01-01')",
		`insert into clock_events (company_id, user_id, event_id, kind, at, occurred_at, received_at)
			select e.company_id, e.company_id, e.id, e.kind, e.at::timestamptz, e.at::timestamptz, e.received::timestamptz from (values
				(1, 'before the lock', 'in', '2026-10-30 09:00+09', '2026-10-30 09:00+09'),
				(1, 'night before', 'out', '2026-10-01 03:59+09', '2026-11-02 09:00+09'),
				(1, 'first', 'in', '2026-10-01 04:00+09', '2026-11-02 09:00+09'),
				(1, 'last', 'out', '2026-11-01 03:59+09', '2026-11-02 09:01+09'),
				(1, 'november', 'in', '2026-11-01 04:00+09', '2026-11-02 09:01+09'),
				(2, 'another company', 'in', '2026-10-30 09:00+09', '2026-11-02 09:01+09')) e (company_id, id, kind, at, received)`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := migrations.Run(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "select concat_ws(' ', company_id, user_id, department_id, work_date, event_id, kind, at = (select e.at from clock_events e where e.event_id = l.event_id)) from late_clock_events l order by id")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if got, want := strings.Join(listed, ", "), "1 1 1 2026-10-01 first in t, 1 1 1 2026-10-31 last out t"; err != nil || got != want {
		t.Errorf("listed are %s, not %s; %v", got, want, err)
	}
}
