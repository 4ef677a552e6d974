-- Change is one change.
-- name: Change :one
select * from changes where company_id = @company_id and id = @id;

-- The changes before a position, the latest first: of a company, of one object,
-- of the objects of a type, of one action and of one actor, each by an index of
-- its own. The other filters are applied to what the index finds.

-- name: changesOfCompany :many
select * from changes
where company_id = @company_id and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfObject :many
select * from changes
where company_id = @company_id and object_type = @object_type and object_id = @object_id
  and (sqlc.narg(actor_user_id)::bigint is null or actor_user_id = sqlc.narg(actor_user_id)::bigint)
  and (@action::text = '' or action = @action::text)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfType :many
select * from changes
where company_id = @company_id and object_type = @object_type
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfAction :many
select * from changes
where company_id = @company_id and action = @action
  and (sqlc.narg(actor_user_id)::bigint is null or actor_user_id = sqlc.narg(actor_user_id)::bigint)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfActor :many
select * from changes
where company_id = @company_id and actor_user_id = @actor_user_id
  and (@object_type::text = '' or object_type = @object_type::text)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- changesOfActions is for few rows: those of some actions within RestoreTime.
-- name: changesOfActions :many
select * from changes
where company_id = @company_id and action = any (@actions::text[])
  and (@object_type::text = '' or object_type = @object_type::text) and (@object_id::bigint = 0 or object_id = @object_id::bigint)
  and (sqlc.narg(actor_user_id)::bigint is null or actor_user_id = sqlc.narg(actor_user_id)::bigint)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- actors are users who have changed something, at most size of them. It goes from
-- one to the next by the index instead of reading all changes.
-- name: actors :many
with recursive found as (
  (select c.actor_user_id from changes c where c.company_id = @company_id and c.actor_user_id is not null order by c.actor_user_id limit 1)
  union all
  select (select c.actor_user_id from changes c where c.company_id = @company_id and c.actor_user_id > found.actor_user_id order by c.actor_user_id limit 1)
  from found where found.actor_user_id is not null
)
select u.id, u.name::text as name from (select actor_user_id from found limit @size) f join users u on u.company_id = @company_id and u.id = f.actor_user_id
order by u.name;

-- names are those of departments, users and links by their ids. within is the path of a
-- department, and the name of a user's department.
-- name: names :many
select 'department' as type, d.id, d.name::text as name, d.path::text as within, ''::text as employee_id
from departments d where d.company_id = @company_id and d.id = any (@departments::bigint[])
union all
select 'user', u.id, u.name::text, coalesce(d.name, '')::text, u.employee_id::text
from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@users::bigint[])
union all
select 'link', l.id, l.name::text, '', '' from links l where l.company_id = @company_id and l.id = any (@links::bigint[]);
