-- lockAttendance serializes the transactions that derive records of a company,
-- until they end. Every process counts again afterwards.
-- name: lockAttendance :exec
select pg_advisory_xact_lock(hashtextextended('attendance', @company_id::bigint)), note_change(@company_id, 'attendance');

-- name: recordsBetween :many
select * from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
order by user_id, work_date, extra;

-- versionsOf returns the policy versions of the days of users.
-- name: versionsOf :many
select user_id, work_date, policy_id, version_no from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not extra;

-- markRecords sets what changes in records by other days of the week or the
-- settlement period.
-- name: markRecords :exec
update day_records r set flags = k.flags, overtime_min = k.overtime_min, holiday_min = k.holiday_min, holiday_over_min = k.holiday_over_min,
  balance_min = case when k.has_balance then k.balance_min end
from (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra, unnest(@flags::integer[]) as flags,
    unnest(@overtime_mins::integer[]) as overtime_min, unnest(@holiday_mins::integer[]) as holiday_min, unnest(@holiday_over_mins::integer[]) as holiday_over_min,
    unnest(@has_balances::boolean[]) as has_balance, unnest(@balance_mins::integer[]) as balance_min
) k
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra;

-- markUncounted sets the number of events that do not count in records, which are
-- of locked months.
-- name: markUncounted :exec
update day_records r set uncounted = k.uncounted
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra, unnest(@uncounted::integer[]) as uncounted) k
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra;

-- name: dropExtraRecords :exec
delete from day_records r using (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra;

-- recordNames returns the names of a record's department and policy; "" for
-- what does not exist.
-- name: recordNames :one
select
  coalesce((select d.name from departments d where d.company_id = @company_id and d.id = @department_id), '')::text as department,
  coalesce((select v.name from policy_versions v where v.company_id = @company_id and v.policy_id = @policy_id and v.no = @no), '')::text as policy_name;

-- noteView stores the last time at which a user opened another user's record.
-- name: noteView :exec
insert into attendance_views (company_id, user_id, work_date, viewer_id, viewer_name, at)
values (@company_id, @user_id, @work_date, @viewer_id, @viewer_name, @at)
on conflict (company_id, user_id, work_date, viewer_id) do update set viewer_name = excluded.viewer_name, at = excluded.at;

-- name: viewsOf :many
select * from attendance_views
where company_id = @company_id and user_id = @user_id and work_date = @work_date
order by at desc, viewer_id;
