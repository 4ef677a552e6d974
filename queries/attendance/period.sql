-- peopleByName returns the next users of the directory by name.
-- name: peopleByName :many
select id, name, employee_id, (hidden_at is not null)::bool as hidden, coalesce(department_id, 0)::bigint as department_id
from users
where company_id = @company_id and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- peopleOfDepartments returns the next users of some departments by name. It
-- merges the departments, each of which is read in order.
-- name: peopleOfDepartments :many
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(u.department_id, 0)::bigint as department_id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.* from users
  where users.company_id = @company_id and users.department_id = d.id and (users.name, users.id) > (@after_name::text, @after_id::bigint)
  order by users.name, users.id limit @size
) u
order by u.name, u.id limit @size;

-- periodPeople returns by name those of the given users whom the search finds,
-- up to @until_name unless it is empty.
-- name: periodPeople :many
select id, name, employee_id, (hidden_at is not null)::bool as hidden, coalesce(department_id, 0)::bigint as department_id
from users
where company_id = @company_id and id = any (@ids::bigint[])
  and (name, id) > (@after_name::text, @after_id::bigint)
  and (@until_name::text = '' or (name, id) <= (@until_name::text, @until_id::bigint))
  and search_text like @pattern1::text and search_text like @pattern2::text and search_text like @pattern3::text
order by name, id limit @size;

-- peopleInOrder returns users by name.
-- name: peopleInOrder :many
select name, id from users
where company_id = @company_id and id = any (@ids::bigint[]) and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id;

-- changedPeople returns the next users by name whose name or department has
-- changed after @since, up to @until_name unless it is empty.
-- name: changedPeople :many
select distinct u.name, u.id from user_history h join users u on u.company_id = h.company_id and u.id = h.user_id
where h.company_id = @company_id and h.until >= @since and (u.name, u.id) > (@after_name::text, @after_id::bigint)
  and (@until_name::text = '' or (u.name, u.id) <= (@until_name::text, @until_id::bigint))
order by u.name, u.id limit @size;

-- formerPeople returns the next users by name whose name or department has
-- changed after @since, and who were in one of the departments before.
-- name: formerPeople :many
select distinct u.name, u.id from user_history h join users u on u.company_id = h.company_id and u.id = h.user_id
where h.company_id = @company_id and h.department_id = any (@department_ids::bigint[]) and h.until >= @since
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

-- peopleOfStatus returns the next users by name with a record of one of the
-- statuses. It reads the next @size records of each date in the order of the
-- names, which are those of the date, and returns at most @most users up to the
-- name that all dates have reached. Each row contains whether there may be
-- further users, and whether the name or department of any of the users has
-- changed after @since.
-- name: peopleOfStatus :many
with next as materialized (
  select next.* from unnest(@dates::date[]) as on_date (work_date)
    cross join unnest(@statuses::text[]) as wanted (status) cross join lateral (
    select r.name, r.user_id, row_number() over (order by r.name, r.user_id, r.extra) as no from day_records r
    where r.company_id = @company_id and r.work_date = on_date.work_date and r.status = wanted.status and r.deleted_at is null
      and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
      and (r.name, r.user_id) > (@after_name::text, @after_id::bigint)
    order by r.name, r.user_id, r.extra limit @size::bigint
  ) next
), known as (
  select name, user_id from next where no = @size::bigint order by name, user_id limit 1
)
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(u.department_id, 0)::bigint as department_id,
  found.name as record_name, found.more,
  exists (select from user_history h where h.company_id = @company_id and h.until >= @since)::bool as changed
from (
  select next.name, next.user_id, bool_or(known.name is not null)::bool as more from next left join known on true
  where known.name is null or (next.name, next.user_id) <= (known.name, known.user_id)
  group by next.name, next.user_id
  order by next.name, next.user_id limit @most::bigint
) found
join users u on u.company_id = @company_id and u.id = found.user_id
order by found.name, found.user_id;

-- peopleEdited is peopleOfStatus for edited records.
-- name: peopleEdited :many
with next as materialized (
  select next.* from unnest(@dates::date[]) as on_date (work_date) cross join lateral (
    select r.name, r.user_id, row_number() over (order by r.name, r.user_id, r.extra) as no from day_records r
    where r.company_id = @company_id and r.work_date = on_date.work_date and r.flags & 1024 <> 0 and r.deleted_at is null
      and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
      and (r.name, r.user_id) > (@after_name::text, @after_id::bigint)
    order by r.name, r.user_id, r.extra limit @size::bigint
  ) next
), known as (
  select name, user_id from next where no = @size::bigint order by name, user_id limit 1
)
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(u.department_id, 0)::bigint as department_id,
  found.name as record_name, found.more,
  exists (select from user_history h where h.company_id = @company_id and h.until >= @since)::bool as changed
from (
  select next.name, next.user_id, bool_or(known.name is not null)::bool as more from next left join known on true
  where known.name is null or (next.name, next.user_id) <= (known.name, known.user_id)
  group by next.name, next.user_id
  order by next.name, next.user_id limit @most::bigint
) found
join users u on u.company_id = @company_id and u.id = found.user_id
order by found.name, found.user_id;

-- monthsMatching returns which of the users have a month with a record that is
-- edited or of one of the statuses, and in which department.
-- name: monthsMatching :many
select distinct user_id, department_id from attendance_months
where company_id = @company_id and user_id = any (@ids::bigint[]) and month between sqlc.arg(first)::date and sqlc.arg(last)::date
  and (statuses & @statuses::integer <> 0 or @edited::bool and edited);

-- name: anyRecord :one
select exists (
  select from day_records where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and deleted_at is null
);

-- name: datesToCorrect :many
select work_date from attendance_corrections
where company_id = @company_id and user_id = @user_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and status = 'pending';

-- versionsOfDays returns which versions of policies the records of users on some dates
-- follow. The dates are parallel to the users.
-- name: versionsOfDays :many
select r.user_id, r.policy_id, r.version_no
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@days::date[]) as day) k
join day_records r on r.user_id = k.user_id and r.work_date = k.day
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and r.deleted_at is null;
