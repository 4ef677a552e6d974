-- name: Person :one
select * from people where company_id = @company_id and id = @id;

-- name: PersonByEmail :one
select * from people where lower(email) = lower(@email::text) and email <> '';

-- name: insertUser :one
insert into users (company_id, department_id, name, email, is_admin, search_text, search_grams)
values (@company_id, @department_id, @name, @email, @is_admin, @search_text, @search_grams)
returning id;

-- grantAdmin changes nothing of somebody who is an administrator.
-- name: grantAdmin :execrows
update users set is_admin = true, updated_at = @now where company_id = @company_id and id = @id and not is_admin;

-- attributes returns what another directory may change of a person, and the
-- department and rank that it names; 0 where the company has none.
-- name: attributes :one
select u.name, u.email, u.employee_id, u.department_id, u.rank_id, u.is_admin,
  coalesce(department.path, '')::text as department, coalesce(rank.name, '')::text as rank,
  exists (select from users o where o.company_id = u.company_id and o.is_admin and o.id <> u.id and o.hidden_at is null)::boolean as has_other_admins,
  coalesce(named.id, 0)::bigint as new_department_id, coalesce(named.path, '')::text as new_department,
  coalesce((select r.id from ranks r where r.company_id = u.company_id and r.name = @rank::text), 0)::bigint as new_rank_id
from users u
left join departments department on department.company_id = u.company_id and department.id = u.department_id
left join ranks rank on rank.company_id = u.company_id and rank.id = u.rank_id
left join lateral (
  select d.id, d.path from unnest(@departments::text[]) with ordinality as n (path, position)
  join departments root on root.company_id = u.company_id and root.parent_id is null
  join departments d on d.company_id = u.company_id and d.path in (n.path, root.path || '/' || n.path)
  order by n.position limit 1
) named on true
where u.company_id = @company_id and u.id = @id;

-- placement returns the department that somebody has once another directory has named
-- some: the first that exists, else their own, else the root.
-- name: placement :one
select c.directory_version, c.policy_version, coalesce(named.id, sqlc.narg(department_id)::bigint, root.id)::bigint as department_id
from companies c
join departments root on root.company_id = c.id and root.parent_id is null
left join lateral (
  select d.id from unnest(@departments::text[]) with ordinality as n (path, position)
  join departments d on d.company_id = c.id and d.path in (n.path, root.path || '/' || n.path)
  order by n.position limit 1
) named on true
where c.id = @company_id;

-- name: setAttributes :exec
update users set name = @name, department_id = @department_id, rank_id = @rank_id, is_admin = @is_admin,
  search_text = @search_text, search_grams = @search_grams, updated_at = @now
where company_id = @company_id and id = @id;

-- OtherAdministrators counts the administrators who can sign in, without some
-- users.
-- name: OtherAdministrators :one
select count(*) from users
where company_id = @company_id and is_admin and hidden_at is null and not bot and not id = any (@ids::bigint[]);
