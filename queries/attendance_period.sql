-- periodPeople are those of the ids, of the people who were called otherwise or
-- were in one of the departments since a time, and the reader, by name.
-- @until_name ends the list where it is not empty.
-- name: periodPeople :many
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(u.department_id, 0)::bigint as department_id,
  coalesce(d.name, '')::text as department_name
from users u
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id
  and u.id in (
    select unnest(@ids::bigint[])
    union all select @self::bigint
    union all select h.user_id from user_history h
      where h.company_id = @company_id and h.department_id = any (@department_ids::bigint[]) and h.until >= @since
    union all select h.user_id from user_history h
      where h.company_id = @company_id and @renamed::bool and h.until >= @since
  )
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
  and (@until_name::text = '' or (u.name, u.id) <= (@until_name::text, @until_id::bigint))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
order by u.name, u.id limit @size;

-- peopleOfStatus are the next people by name with a record of one of the
-- statuses: on each date they are in order already.
-- name: peopleOfStatus :many
select distinct next.name, next.user_id
from unnest(@dates::date[]) as on_date (work_date) cross join unnest(@statuses::text[]) as wanted (status) cross join lateral (
  select r.name, r.user_id from day_records r
  where r.company_id = @company_id and r.work_date = on_date.work_date and r.status = wanted.status and r.deleted_at is null
    and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    and (@everybody::bool or r.department_id = any (@department_ids::bigint[]))
    and (r.name, r.user_id) > (@after_name::text, @after_id::bigint)
  order by r.name, r.user_id, r.extra limit @size
) next
order by next.name, next.user_id limit @size;

-- peopleEdited are the next people by name with an edited record.
-- name: peopleEdited :many
select distinct next.name, next.user_id
from unnest(@dates::date[]) as on_date (work_date) cross join lateral (
  select r.name, r.user_id from day_records r
  where r.company_id = @company_id and r.work_date = on_date.work_date and r.flags & 1024 <> 0 and r.deleted_at is null
    and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    and (@everybody::bool or r.department_id = any (@department_ids::bigint[]))
    and (r.name, r.user_id) > (@after_name::text, @after_id::bigint)
  order by r.name, r.user_id, r.extra limit @size
) next
order by next.name, next.user_id limit @size;

-- recordsMatching tells who of the people has a record that is edited or of one
-- of the statuses, and in which department.
-- name: recordsMatching :many
select distinct user_id, department_id from day_records
where company_id = @company_id and user_id = any (@ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and deleted_at is null and (status = any (@statuses::text[]) or @edited::bool and flags & 1024 <> 0);

-- periodRecords are the records of people in a period, in no order.
-- name: periodRecords :many
select user_id, work_date, extra, department_id, day_type, holiday, presence, status, flags, worked_min, overtime_min, night_min, required_min,
  (arrival_at is not null)::bool as arrived, opens_at
from day_records
where company_id = @company_id and user_id = any (@ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and deleted_at is null;

-- name: anyRecord :one
select exists (
  select from day_records where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and deleted_at is null
);

-- name: datesToCorrect :many
select work_date from attendance_corrections
where company_id = @company_id and user_id = @user_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and status = 'pending';
