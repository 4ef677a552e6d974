-- name: opening :one
select directory_version, policy_version from attendance_openings where company_id = @company_id and work_date = @work_date;

-- lastOpening returns the last date that has begun, today for none.
-- name: lastOpening :one
select coalesce(max(work_date), sqlc.arg(today)::date)::date from attendance_openings where company_id = @company_id;

-- name: noteOpening :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
values (@company_id, @work_date, @directory_version, @policy_version)
on conflict (company_id, work_date) do update set directory_version = excluded.directory_version, policy_version = excluded.policy_version;

-- noteOpenings stores that everybody has the records of some dates.
-- name: noteOpenings :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
select c.id, d.work_date, c.directory_version, c.policy_version
from companies c, generate_series(sqlc.arg(first)::date, sqlc.arg(last)::date, interval '1 day') d (work_date)
where c.id = @company_id;

-- openingPeople returns the next users by id whose record of a date is to be
-- created.
-- name: openingPeople :many
select u.id, u.name, u.created_at, d.id as department_id, d.ancestors
from users u join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id > @after_id and not u.bot and u.hidden_at is null
order by u.id limit @size;

-- dropBlankRecords deletes the records of a date of hidden users who have not begun it, and
-- returns whose. Leave stays.
-- name: dropBlankRecords :many
delete from day_records r using users u
where r.company_id = @company_id and r.work_date = @work_date and not r.extra
  and r.arrival_at is null and r.departure_at is null and r.flags = 0 and r.uncounted = 0 and r.deleted_at is null and r.day_type in ('workday', 'day_off', 'holiday')
  and u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null
returning r.user_id;

-- settling returns the records that have changed by the passing of time alone.
-- name: settling :many
select company_id, user_id, work_date from day_records where settles_at <= @now order by company_id, work_date, user_id limit @size;
