-- departments returns departments in the order of the ids, without those that the
-- other directory has deleted. The sums change with the members.
-- name: departments :many
select d.id, d.name, d.path, coalesce(d.parent_id, 0)::bigint as parent_id, coalesce(p.external_id, '')::text as external_id,
  (select coalesce(sum(hashint8(u.id)::bigint), 0) from users u left join provisioned_users e on e.company_id = u.company_id and e.user_id = u.id
    where u.company_id = d.company_id and u.department_id = d.id and not u.bot and (e.deleted_at is null or u.deactivated_at is null))::bigint as default_sum,
  (select coalesce(sum(hashint8(u.id)::bigint), 0) from user_departments x join users u on u.company_id = x.company_id and u.id = x.user_id
    left join provisioned_users e on e.company_id = u.company_id and e.user_id = u.id
    where x.company_id = d.company_id and x.department_id = d.id and not u.bot and (e.deleted_at is null or u.deactivated_at is null))::bigint as further_sum
from unnest(@ids::bigint[]) with ordinality as o (id, position)
join departments d on d.company_id = @company_id and d.id = o.id
left join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id
where p.deleted_at is null
order by o.position;

-- members returns the people of departments: those whose default department it is,
-- and those who belong to it as well.
-- name: members :many
select m.department_id, m.user_id, u.name
from (
  select y.department_id::bigint as department_id, y.id as user_id from users y where y.company_id = @company_id and y.department_id = any (@ids::bigint[])
  union all
  select x.department_id, x.user_id from user_departments x where x.company_id = @company_id and x.department_id = any (@ids::bigint[])
) m
join users u on u.company_id = @company_id and u.id = m.user_id and not u.bot
left join provisioned_users p on p.company_id = u.company_id and p.user_id = u.id
where p.deleted_at is null or u.deactivated_at is null
order by m.department_id, m.user_id;

-- deletedDepartment returns a department of this name below a parent that the other
-- directory has deleted.
-- name: deletedDepartment :one
select d.id from departments d
join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id and p.deleted_at is not null
where d.company_id = @company_id and d.parent_id = @parent_id::bigint and d.name = @name;

-- name: insertDepartment :one
insert into departments (company_id, parent_id, name, search_text) values (@company_id, @parent_id::bigint, @name, @search_text) returning id;

-- name: updateDepartment :exec
update departments set parent_id = nullif(@parent_id::bigint, 0), name = @name, search_text = @search_text
where company_id = @company_id and id = @id;

-- name: setProvisionedDepartment :exec
insert into provisioned_departments (company_id, department_id, external_id) values (@company_id, @department_id, @external_id)
on conflict (company_id, department_id) do update set external_id = excluded.external_id, deleted_at = null;

-- name: setDepartmentDeleted :exec
insert into provisioned_departments (company_id, department_id, deleted_at) values (@company_id, @department_id, @now::timestamptz)
on conflict (company_id, department_id) do update set deleted_at = excluded.deleted_at, external_id = '';

-- departmentExists reports whether the other directory can name a department.
-- name: departmentExists :one
select exists (
  select from departments d left join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id
  where d.company_id = @company_id and d.id = @id and p.deleted_at is null
);

-- name: hasChildren :one
select exists (
  select from departments d left join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id
  where d.company_id = @company_id and d.parent_id = @id::bigint and p.deleted_at is null
);

-- countPeople counts those of some ids whom the other directory can name.
-- name: countPeople :one
select count(*) from users u left join provisioned_users p on p.company_id = u.company_id and p.user_id = u.id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and not u.bot and (p.deleted_at is null or u.deactivated_at is null);

-- moveFromRoot makes a department the default one of people who have none but the
-- root.
-- name: moveFromRoot :exec
update users set department_id = @department_id::bigint, updated_at = @now
where company_id = @company_id and id = any (@ids::bigint[]) and department_id = @root_id::bigint;

-- name: addMembers :exec
insert into user_departments (company_id, user_id, department_id)
select u.company_id, u.id, @department_id::bigint from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.department_id <> @department_id::bigint
on conflict do nothing;

-- name: removeMembers :exec
delete from user_departments
where company_id = @company_id and user_id = any (@ids::bigint[]) and department_id = @department_id;

-- moveFromDepartment moves people whose default department it is to their first other
-- department, or to the root.
-- name: moveFromDepartment :exec
update users u set updated_at = @now, department_id = coalesce(
  (select x.department_id from user_departments x join departments d on d.company_id = x.company_id and d.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by d.path limit 1), @root_id::bigint)
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.department_id = @department_id::bigint;
