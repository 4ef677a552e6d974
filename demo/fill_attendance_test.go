package demo_test

import (
	"context"
	"testing"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// The records are those that the events, edits and grants come to, so that the
// jobs of a running console have nothing to correct.
func TestDemoAttendanceIsDerived(t *testing.T) {
	db := queriestest.DemoAttendance(t, 60, 20)
	const all = "select string_agg(r::text, E'\n' order by company_id, user_id, work_date, extra) from day_records r"
	before := queriestest.LookUp(t, db, all)
	for _, step := range []struct {
		what string
		run  func(context.Context) error
	}{
		{"recomputing", func(ctx context.Context) error {
			today := workday.DateOf(queriestest.Now)
			for company := int64(1); company <= 2; company++ {
				if err := db.Attendance.RecomputeDays(ctx, company, today-25, today+3); err != nil {
					return err
				}
			}
			return nil
		}},
		{"settling", db.Attendance.SettleDays},
		{"beginning days", db.Attendance.BeginDays},
		{"beginning days that nobody has begun", func(ctx context.Context) error {
			if _, err := db.Pool().Exec(ctx, "delete from attendance_openings"); err != nil {
				return err
			}
			return db.Attendance.BeginDays(ctx)
		}},
	} {
		if err := step.run(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if after := queriestest.LookUp(t, db, all); after != before {
			t.Fatalf("%s changes records:\n%s", step.what, queriestest.Difference(before, after))
		}
	}
}

// The tables have the indexes that the migrations gave them, on each partition.
func TestDemoLeavesTheIndexes(t *testing.T) {
	const indexes = `select string_agg(pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid, E'\n' order by i.indexrelid::regclass::text)
		from pg_index i where i.indrelid in ('clock_events'::regclass, 'day_records'::regclass, 'saved_files'::regclass)`
	const incomplete = `select count(*) from pg_inherits p where p.inhparent in ('day_records'::regclass, 'saved_files'::regclass)
		and (select count(*) from pg_index i where i.indrelid = p.inhrelid) <> (select count(*) from pg_index i where i.indrelid = p.inhparent)`
	want := queriestest.LookUp(t, queriestest.EmptyDatabase(t), indexes)
	db := queriestest.DemoAttendance(t, 20, 3)
	if got := queriestest.LookUp(t, db, indexes); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := queriestest.LookUp(t, db, incomplete); got != "0" {
		t.Errorf("%s partitions lack indexes", got)
	}
}

func TestDemoAttendanceFitsTogether(t *testing.T) {
	db := queriestest.DemoAttendance(t, 300, 60)
	for _, test := range []struct{ what, sql, want string }{
		{"dates", "select count(distinct work_date) from day_records where company_id = 1 and work_date >= '2026-09-22'", "61"},
		{"people without tomorrow", `select count(*) from users u where not bot and hidden_at is null
			and not exists (select from day_records r where r.company_id = u.company_id and r.user_id = u.id and r.work_date = '2026-11-21')`, "0"},
		{"events of tomorrow", "select count(*) from clock_events where received_at > '2026-11-20 10:00+09'", "0"},
		{"edited records without an edit", `select count(*) from day_records r where flags & 1024 <> 0
			and not exists (select from attendance_edits e where (e.company_id, e.user_id, e.work_date) = (r.company_id, r.user_id, r.work_date))`, "0"},
		{"deleted records without an edit", `select count(*) from day_records r where deleted_at is not null
			and not exists (select from attendance_edits e where (e.company_id, e.user_id, e.work_date, e.extra, e.field) = (r.company_id, r.user_id, r.work_date, r.extra, 'deleted'))`, "0"},
		{"approved corrections that no edit grants", `select count(*) from attendance_corrections c where status = 'approved'
			and not exists (select from attendance_edits e where (e.company_id, e.correction_id, e.user_id, e.new_at) = (c.company_id, c.id, c.user_id, c.departure_at))`, "0"},
		{"corrections that were asked for earlier and have a higher id", `select count(*) from attendance_corrections a
			join attendance_corrections b on a.company_id = b.company_id and a.id < b.id and a.created_at > b.created_at`, "0"},
		{"an id for the next correction", "select nextval(pg_get_serial_sequence('attendance_corrections', 'id')) > (select max(id) from attendance_corrections)", "true"},
		{"locked months", "select string_agg(to_char(month, 'YYYY-MM') || ' ' || to_char(locked_at at time zone 'Asia/Seoul', 'MM-DD HH24:MI') || ' ' || locked_by, ', ' order by month) from attendance_locks where company_id = 1", "2026-09 10-31 17:00 1"},
		{"locks that the change log does not have", `select count(*) from attendance_locks l where not exists (select from changes c
			where (c.company_id, c.action, c.object_name, c.at) = (l.company_id, 'attendance.locked', to_char(l.month, 'YYYY-MM'), l.locked_at))`, "0"},
		{"edits that the change log does not have", `select count(*) from attendance_edits e where not exists (select from changes c
			where (c.company_id, c.object_type, c.object_id, c.at, c.actor_user_id, c.new->>'reason') = (e.company_id, 'attendance', e.user_id, e.at, e.editor_id, e.reason)
			and c.new ? e.field and c.old ? e.field and c.action = case e.field when 'deleted' then 'attendance.deleted' else 'attendance.edited' end)`, "0"},
		{"more changes than edits", "select count(*) > (select count(*) from attendance_edits) from changes where object_type = 'attendance'", "false"},
		{"changes without the name", "select count(*) from changes c join users u on u.company_id = c.company_id and u.id = c.object_id where object_type = 'attendance' and c.object_name not like u.name || ' 2026-%'", "0"},
		{"changes that were made earlier and have a higher id", "select count(*) from changes a join changes b on a.company_id = b.company_id and a.object_type = b.object_type and a.id < b.id and a.at > b.at where a.object_type = 'attendance'", "0"},
		{"edits of locked months after the lock", `select count(*) from attendance_edits e join attendance_locks l on l.company_id = e.company_id and l.month = date_trunc('month', e.work_date) where e.at > l.locked_at`, "0"},
		{"people who edited their own records", "select count(*) from attendance_edits where editor_id = user_id", "0"},
		{"positions of people who did not consent", `select count(*) from clock_events e join users u on u.company_id = e.company_id and u.id = e.user_id
			where u.location_consent_at is null and e.lat is not null`, "0"},
		{"positions, outside work, wrong clocks, new devices, nights, over 52 hours", `select string_agg((n > 0)::text, ' ') from (
			select count(*) n from clock_events where lat is not null union all
			select count(*) from day_records where flags & 64 <> 0 union all select count(*) from day_records where flags & 512 <> 0 union all
			select count(*) from day_records where flags & 8192 <> 0 union all select count(*) from day_records where flags & 8 <> 0 union all
			select count(*) from day_records where flags & 4096 <> 0) x`, "true true true true true true"},
	} {
		if got := queriestest.LookUp(t, db, test.sql); got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, got, test.want)
		}
	}
}
