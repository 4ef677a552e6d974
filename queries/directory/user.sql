-- userIDsByName returns the next users by name. @hidden includes hidden users;
-- @department_ids is null for every department.
-- name: userIDsByName :many
select id from users
where company_id = @company_id and (@hidden::bool or hidden_at is null)
  and (@department_ids::bigint[] is null or department_id = any (@department_ids::bigint[]))
  and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- UserIDsOfFewDepartments returns the next users of some departments by name.
-- It merges the departments, each of which is read in order, and is slow for
-- more than FewDepartments.
-- name: UserIDsOfFewDepartments :many
select u.id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.id, users.name from users
  where users.company_id = @company_id and users.department_id = d.id and (@hidden::bool or users.hidden_at is null)
    and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
    and (users.name, users.id) > (@after_name::text, @after_id::bigint)
  order by users.name, users.id limit @size
) u
order by u.name, u.id limit @size;

-- usersInOrder returns what the directory shows of users, in the order of the
-- ids.
-- name: usersInOrder :many
select u.id, u.name, u.bot, u.image_hash, u.email, u.employee_id, u.rank_id, coalesce(r.name, '')::text as position,
  u.role_id, u.company_phone, u.personal_phone, (u.hidden_at is not null)::bool as hidden,
  u.department_id, coalesce(d.name, '')::text as department_name,
  array(select x.department_id from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::bigint[] as further_department_ids,
  array(select y.name from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::text[] as further_department_names
from unnest(@ids::bigint[]) with ordinality as o (id, position)
join users u on u.company_id = @company_id and u.id = o.id
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
order by o.position;
