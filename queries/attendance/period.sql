-- peopleByName are the next people of the directory.
-- name: peopleByName :many
select id, name, employee_id, (hidden_at is not null)::bool as hidden, coalesce(department_id, 0)::bigint as department_id
from users
where company_id = @company_id and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- peopleOfDepartments merges the people of each department, who are in order
-- already.
-- name: peopleOfDepartments :many
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(u.department_id, 0)::bigint as department_id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.* from users
  where users.company_id = @company_id and users.department_id = d.id and (users.name, users.id) > (@after_name::text, @after_id::bigint)
  order by users.name, users.id limit @size
) u
order by u.name, u.id limit @size;

-- periodPeople are those of the ids whom the search finds, by name. @until_name
-- ends the list where it is not empty.
-- name: periodPeople :many
select id, name, employee_id, (hidden_at is not null)::bool as hidden, coalesce(department_id, 0)::bigint as department_id
from users
where company_id = @company_id and id = any (@ids::bigint[])
  and (name, id) > (@after_name::text, @after_id::bigint)
  and (@until_name::text = '' or (name, id) <= (@until_name::text, @until_id::bigint))
  and search_text like @pattern1::text and search_text like @pattern2::text and search_text like @pattern3::text
order by name, id limit @size;

-- peopleInOrder are people by name.
-- name: peopleInOrder :many
select name, id from users
where company_id = @company_id and id = any (@ids::bigint[]) and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id;

-- changedPeople are the next people by name who were called otherwise, or were in
-- another department, until some time behind @since.
-- name: changedPeople :many
select distinct u.name, u.id from user_history h join users u on u.company_id = h.company_id and u.id = h.user_id
where h.company_id = @company_id and h.until >= @since and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

-- formerPeople are those of them who were in one of the departments.
-- name: formerPeople :many
select distinct u.name, u.id from user_history h join users u on u.company_id = h.company_id and u.id = h.user_id
where h.company_id = @company_id and h.department_id = any (@department_ids::bigint[]) and h.until >= @since
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

-- peopleOfStatus are the next people by name with a record of one of the
-- statuses: on each date they are in order already, and of each the next @size
-- are looked at. How far all of them reach, the people are known, and @most of
-- them are given; whether there may be more behind all of these is in each row.
-- They are in the order of the names that they had on the date; whether anybody
-- was changed until some time behind @since is in each row, too.
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

-- peopleEdited are those with an edited record.
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

-- monthsMatching tells who of the people has a month with a record that is edited
-- or of one of the statuses, and in which department.
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
