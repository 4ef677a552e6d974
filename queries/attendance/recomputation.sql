-- dueRecomputations returns the oldest unfinished recomputation of each company, as
-- far as it is due.
-- name: dueRecomputations :many
select r.* from attendance_recomputations r
where r.finished_at is null and (r.retry_at is null or r.retry_at <= sqlc.arg(now)::timestamptz)
  and not exists (select from attendance_recomputations o where o.company_id = r.company_id and o.finished_at is null and o.id < r.id)
order by r.company_id;

-- lockRecomputation returns an unfinished recomputation, to start or finish it; no row
-- while another process works on it.
-- name: lockRecomputation :one
select * from attendance_recomputations where company_id = @company_id and id = @id and finished_at is null
for update skip locked;

-- lockAttendanceShared lets several transactions derive records of different people of
-- a company at the same time, while none has the lock of lockAttendance or takes clock
-- events. They call noteRecords before they end.
-- name: lockAttendanceShared :exec
select pg_advisory_xact_lock_shared(hashtextextended('attendance', @company_id::bigint)),
  pg_advisory_xact_lock_shared(hashtextextended('attendance/' || lane, @company_id::bigint))
from generate_series(0, sqlc.arg(lanes)::integer - 1) lane;

-- noteRecords has every process count the records of a company again.
-- name: noteRecords :exec
select note_change(@company_id, 'attendance');

-- recordDates returns the dates of the first and the last record of a company: the
-- last one before the first without any.
-- name: recordDates :one
select
  coalesce((select r.work_date from day_records r where r.company_id = c.id and r.deleted_at is null order by r.work_date limit 1), date '9999-12-31')::date as first,
  coalesce((select r.work_date from day_records r where r.company_id = c.id and r.deleted_at is null order by r.work_date desc limit 1), date '0001-01-01')::date as last
from companies c where c.id = @company_id;

-- recomputedPeople counts the users of a company who can have records, with hidden
-- ones.
-- name: recomputedPeople :one
select count(*)::integer from users where company_id = @company_id and not bot and department_id is not null;

-- nextRecomputed returns the next of these users by id.
-- name: nextRecomputed :many
select id from users where company_id = @company_id and not bot and department_id is not null and id > @after_id order by id limit @size;

-- stepPeople returns those of these users who belong to a step.
-- name: stepPeople :many
select id from users where company_id = @company_id and not bot and department_id is not null and id > @after_user_id and id <= @until_user_id order by id;

-- insertSteps divides the users of a company into steps of some users. The last one
-- also has users who are added later.
-- name: insertSteps :exec
insert into attendance_recomputation_steps (company_id, recomputation_id, after_user_id, until_user_id)
select @company_id, @recomputation_id, lag(until, 1, 0) over w, case when lead(until) over w is null then 9223372036854775807 else until end
from (
  select max(n.id) as until
  from (
    select id, (row_number() over (order by id) - 1) / sqlc.arg(size)::integer as step from users
    where company_id = @company_id and not bot and department_id is not null
  ) n
  group by n.step
) s
window w as (order by until);

-- lockStep returns the first step that no other transaction works on.
-- name: lockStep :one
select after_user_id, until_user_id from attendance_recomputation_steps where company_id = @company_id and recomputation_id = @recomputation_id
order by after_user_id limit 1
for update skip locked;

-- name: deleteStep :exec
delete from attendance_recomputation_steps where company_id = @company_id and recomputation_id = @recomputation_id and after_user_id = @after_user_id;

-- hasSteps reports whether steps are left, also those that another transaction works on.
-- name: hasSteps :one
select exists (select from attendance_recomputation_steps where company_id = @company_id and recomputation_id = @recomputation_id);

-- name: departmentAncestors :many
select id, ancestors from departments where company_id = @company_id and id = any (@ids::bigint[]);

-- name: startRecomputation :exec
update attendance_recomputations set started_at = @now, people = @people, first_date = @first_date
where company_id = @company_id and id = @id;

-- advanceRecomputation adds the result of a step. An error that another process has
-- just noted remains.
-- name: advanceRecomputation :exec
update attendance_recomputations
set done = done + sqlc.arg(people)::integer, records_changed = records_changed + sqlc.arg(records)::bigint,
  people_changed = people_changed + sqlc.arg(changed)::integer, worked_min = worked_min + sqlc.arg(worked)::bigint, overtime_min = overtime_min + sqlc.arg(overtime)::bigint,
  holiday_min = holiday_min + sqlc.arg(holiday)::bigint, holiday_over_min = holiday_over_min + sqlc.arg(holiday_over)::bigint,
  night_min = night_min + sqlc.arg(night)::bigint, late_min = late_min + sqlc.arg(late)::bigint, early_min = early_min + sqlc.arg(early)::bigint,
  error = case when retry_at > sqlc.arg(now)::timestamptz then error else '' end,
  retry_at = case when retry_at > sqlc.arg(now)::timestamptz then retry_at end
where company_id = @company_id and id = @id;

-- name: finishRecomputation :exec
update attendance_recomputations set finished_at = sqlc.arg(now)::timestamptz, done = people where company_id = @company_id and id = @id;

-- noteRecomputationError stores why a recomputation has stopped, and when it
-- continues.
-- name: noteRecomputationError :exec
update attendance_recomputations set error = @error, retry_at = @retry_at where company_id = @company_id and id = @id and finished_at is null;

-- recomputing reports whether records until a date are still to be computed again.
-- name: recomputing :one
select (exists (
  select from attendance_recomputations r where r.company_id = @company_id and r.finished_at is null and r.first_date <= sqlc.arg(until)::date
) or exists (
  select from attendance_outdated o where o.company_id = @company_id and o.first <= sqlc.arg(until)::date
))::boolean as busy;

-- recomputationsOf returns the latest recomputations because of a policy.
-- name: recomputationsOf :many
select * from attendance_recomputations where company_id = @company_id and policy_id = @policy_id order by id desc limit @size;

-- followVersions sets the policy versions of records of some dates.
-- name: followVersions :exec
update day_records r set policy_id = k.policy_id, version_no = k.version_no
from (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra,
    unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as version_no
) k
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra;
