-- lockDirectory serializes changes of a company's directory and invalidates what is
-- cached of it. A rule runs it before it reads what it changes.
-- name: lockDirectory :exec
update companies set directory_version = directory_version + 1 where id = @company_id;

-- users returns people in the order of the ids, without bots and without those whom
-- the other directory has deleted.
-- name: users :many
select u.id, u.name, u.email, u.employee_id, u.company_phone, u.personal_phone, u.department_id, u.created_at, u.updated_at,
  (u.deactivated_at is null)::bool as active, coalesce(d.path, '')::text as department, coalesce(r.name, '')::text as rank,
  coalesce(p.external_id, '')::text as external_id,
  coalesce(case when p.name = u.name then p.given_name end, '')::text as given_name,
  coalesce(case when p.name = u.name then p.family_name end, '')::text as family_name,
  array(select x.department_id from user_departments x where x.company_id = u.company_id and x.user_id = u.id order by x.department_id)::bigint[] as further_ids,
  array(select y.name from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by x.department_id)::text[] as further_names
from unnest(@ids::bigint[]) with ordinality as o (id, position)
join users u on u.company_id = @company_id and u.id = o.id and not u.bot
left join departments d on d.company_id = u.company_id and d.id = u.department_id
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join provisioned_users p on p.company_id = u.company_id and p.user_id = u.id
where p.deleted_at is null or u.deactivated_at is null
order by o.position;

-- deletedUser returns a user with this email whom the other directory has deleted.
-- name: deletedUser :one
select u.id from users u
join provisioned_users p on p.company_id = u.company_id and p.user_id = u.id
where u.company_id = @company_id and lower(u.email) = lower(@email::text) and u.email <> '' and not u.bot
  and p.deleted_at is not null and u.deactivated_at is not null;

-- departmentsNamed returns the departments with one of two paths, or with a name,
-- without those that the other directory has deleted.
-- name: departmentsNamed :many
select d.id, d.path, (d.path = @path::text or d.path = @below_root::text)::bool as is_path from departments d
left join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id
where d.company_id = @company_id and (d.path = @path::text or d.path = @below_root::text or d.name = @name::text) and p.deleted_at is null
order by is_path desc, d.id limit 3;

-- name: root :one
select id, path from departments where company_id = @company_id and parent_id is null;

-- name: rankID :one
select id from ranks where company_id = @company_id and name = @name;

-- insertRank adds the lowest rank.
-- name: insertRank :one
insert into ranks (company_id, name, position)
select @company_id, @name, coalesce(max(position), 0) + 1 from ranks where company_id = @company_id
returning id;

-- name: insertUser :one
insert into users (company_id, department_id, rank_id, name, email, employee_id, company_phone, personal_phone, created_at, updated_at, search_text, search_grams)
values (@company_id, @department_id, @rank_id, @name, @email, @employee_id, @company_phone, @personal_phone, @now, @now, @search_text, @search_grams)
returning id;

-- name: updateUser :exec
update users set department_id = @department_id, rank_id = @rank_id, name = @name, email = @email, employee_id = @employee_id,
  company_phone = @company_phone, personal_phone = @personal_phone, updated_at = @now, search_text = @search_text, search_grams = @search_grams
where company_id = @company_id and id = @id;

-- A user's default department is not also a further one.
-- name: dropDoubledMemberships :exec
delete from user_departments m using users u
where m.company_id = @company_id and m.user_id = any (@user_ids::bigint[])
  and u.company_id = m.company_id and u.id = m.user_id and u.department_id = m.department_id;

-- name: setProvisionedUser :exec
insert into provisioned_users (company_id, user_id, external_id, name, given_name, family_name)
values (@company_id, @user_id, @external_id, @name, @given_name, @family_name)
on conflict (company_id, user_id) do update
set external_id = excluded.external_id, name = excluded.name, given_name = excluded.given_name, family_name = excluded.family_name, deleted_at = null;

-- name: setUserDeleted :exec
insert into provisioned_users (company_id, user_id, deleted_at) values (@company_id, @user_id, @now::timestamptz)
on conflict (company_id, user_id) do update set deleted_at = excluded.deleted_at, external_id = '';
