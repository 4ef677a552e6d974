-- listedUserIDs returns the next of the given users by name.
-- name: listedUserIDs :many
select u.id from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.hidden_at is null
  and (@everywhere::bool or u.department_id = any (@department_ids::bigint[]))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

-- listedUserIDsBefore returns the given users before a name, the nearest first.
-- name: listedUserIDsBefore :many
select u.id from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.hidden_at is null
  and (@everywhere::bool or u.department_id = any (@department_ids::bigint[]))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and (u.name, u.id) < (@before_name::text, @before_id::bigint)
order by u.name desc, u.id desc limit @size;

-- membersByName returns the next users by name with their department, without
-- hidden users. @department_ids is null for every department. Bots have no
-- department.
-- name: membersByName :many
select id, department_id::bigint as department_id from users
where company_id = @company_id and department_id is not null and hidden_at is null and (@department_ids::bigint[] is null or department_id = any (@department_ids::bigint[]))
  and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- membersByNameBefore returns the users before a name, the nearest first.
-- name: membersByNameBefore :many
select id, department_id::bigint as department_id from users
where company_id = @company_id and department_id is not null and hidden_at is null and (@department_ids::bigint[] is null or department_id = any (@department_ids::bigint[]))
  and (name, id) < (@before_name::text, @before_id::bigint)
order by name desc, id desc limit @size;

-- userIDsOfFewDepartmentsBefore returns the users of some departments before a
-- name, the nearest first. It merges the departments, each of which is read in
-- order.
-- name: userIDsOfFewDepartmentsBefore :many
select u.id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.id, users.name from users
  where users.company_id = @company_id and users.department_id = d.id and users.hidden_at is null
    and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
    and (users.name, users.id) < (@before_name::text, @before_id::bigint)
  order by users.name desc, users.id desc limit @size
) u
order by u.name desc, u.id desc limit @size;

-- statusInOrder returns by name what the application status shows of users
-- besides their policy. Bots have no department.
-- name: statusInOrder :many
select u.id, u.name, u.employee_id,
  coalesce(d.id, 0)::bigint as department_id, coalesce(d.name, '')::text as department_name, coalesce(d.path, '')::text as path,
  coalesce(d.ancestors, '{}')::bigint[] as ancestors, u.bot
from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.hidden_at is null
order by u.name, u.id;
