package usage_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// fillLogs gives a company a row of each log on the first of each month from October
// 2024 to November 2026: 26 of each.
func fillLogs(t *testing.T, db *areas.Areas, company, user int64) {
	t.Helper()
	first := time.Date(2024, 10, 1, 12, 0, 0, 0, time.UTC)
	if err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		return queries.New(tx).EnsurePartitionsFrom(ctx, first, queriestest.Now)
	}); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, user_agent, actor_name, received_at, new_address, new_device, failures, address_failures)
			select $1::bigint, m, '', $2::bigint, '', 'login', 'ok', '', 'console', 'web', '', '', m, false, false, 0, 0 from `,
		`insert into client_events (company_id, event_id, occurred_at, user_id, platform, device_id, kind, version, os, device_name, received_at)
			select $1::bigint, m::text, m, $2::bigint, 'pc', 'd', 'login', '6.4', '', '', m from `,
		`insert into saved_files (company_id, saved_at, event_id, user_id, department_id, receiver_ids, room, folder, name, deceptive, size, sha256, platform, received_at, search_text, search_grams)
			select $1::bigint, m, m::text, $2::bigint, 1, array[$2::bigint], '', '', 'a.pdf', false, 10, '', 'pc', m, '', '{}' from `,
		`insert into saved_file_receivers (company_id, user_id, platform, saved_at, file_id, size) select $1::bigint, $2::bigint, 'pc', m, extract(epoch from m), 10 from `,
		`insert into saved_file_days (company_id, day, platform, files, bytes, deceptive) select $1::bigint, (m at time zone 'Asia/Seoul')::date, 'pc', 1, 10, $2::bigint * 0 from `,
	} {
		queriestest.Exec(t, db, statement+"generate_series($3::timestamptz, $4, interval '1 month') m", company, user, first, queriestest.Now)
	}
}

// countRows returns how many rows of each table a company has.
func countRows(t *testing.T, db *areas.Areas, company int64) (counts string) {
	t.Helper()
	for _, table := range []string{"access_events", "client_events", "saved_files", "saved_file_receivers", "saved_file_days"} {
		counts += " " + queriestest.LookUp(t, db, "select count(*) from "+table+" where company_id = $1", company)
	}
	return counts[1:]
}

func TestRetention(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	fillLogs(t, db, queriestest.Hanbit, queriestest.Kim)
	fillLogs(t, db, queriestest.Other, queriestest.OtherAdmin)
	deleteOld := func() {
		t.Helper()
		if err := db.Usage.DeleteOld(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	deleteOld()
	if got := countRows(t, db, queriestest.Hanbit); got != "26 26 26 26 26" {
		t.Errorf("without a retention there are %s rows", got)
	}

	months := usage.RetentionMonths{usage.AccessLog: 24, usage.FileLog: 1, usage.ClientLog: 12}
	if err := db.Usage.SaveRetention(t.Context(), by, 0, months); err != nil {
		t.Fatal(err)
	}
	deleteOld()
	// The first of November lies within the month before the 20th.
	if got := countRows(t, db, queriestest.Hanbit); got != "24 12 1 1 1" {
		t.Errorf("there are %s rows", got)
	}
	if got := countRows(t, db, queriestest.Other); got != "26 26 26 26 26" {
		t.Errorf("of another company there are %s rows", got)
	}
	states, err := db.Usage.LogStates(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	access := states[0]
	if access.OldestAt.Format(time.DateOnly) != "2024-12-01" || access.Deleted != 2 || !access.RunAt.Equal(queriestest.Now) || access.RunBefore.In(queriestest.Now.Location()).Format(time.DateOnly) != "2024-11-20" {
		t.Errorf("the state of the access history is %+v", access)
	}

	if err := db.Usage.SaveRetention(t.Context(), by, 0, months); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("saving over a change: %v", err)
	}
	for _, next := range []usage.RetentionMonths{months, {}} { // the same once more changes nothing
		if err := db.Usage.SaveRetention(t.Context(), by, 1, next); err != nil {
			t.Fatal(err)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(old->>'access_months' || ' ' || (new->>'access_months'), ', ' order by id) from changes where action = 'retention.updated'"); got != "0 24, 24 0" {
		t.Errorf("the change log has %s", got)
	}
}

func TestRefusedRetention(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	for log, months := range map[usage.Log]int{usage.AccessLog: 12, usage.FileLog: -1, usage.ClientLog: 7} {
		err := db.Usage.SaveRetention(t.Context(), by, 0, usage.RetentionMonths{log: months})
		if refused := (queries.FieldErrors{}); !errors.As(err, &refused) || fmt.Sprint(refused) != fmt.Sprint(queries.FieldErrors{string(log): "retention.months.invalid"}) {
			t.Errorf("%d months of %s: %v", months, log, err)
		}
	}
}
