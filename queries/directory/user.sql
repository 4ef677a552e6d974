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
-- ids. The version is that of the client that was used last, on any platform; an
-- installed one goes before one that was removed.
-- name: usersInOrder :many
select u.id, u.name, u.bot, u.image_hash, u.email, u.employee_id, u.rank_id, coalesce(r.name, '')::text as position,
  u.role_id, u.company_phone, u.personal_phone, (u.hidden_at is not null)::bool as hidden,
  u.department_id, coalesce(d.name, '')::text as department_name,
  array(select x.department_id from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::bigint[] as further_department_ids,
  array(select y.name from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::text[] as further_department_names,
  coalesce(c.installed, false)::bool as installed, coalesce(c.version, '')::text as version,
  (select p.first_login_at from client_people p where p.company_id = u.company_id and p.user_id = u.id order by p.first_login_at limit 1) as first_login_at,
  (select p.last_login_at from client_people p where p.company_id = u.company_id and p.user_id = u.id order by p.last_login_at desc nulls last limit 1) as last_login_at
from unnest(@ids::bigint[]) with ordinality as o (id, position)
join users u on u.company_id = @company_id and u.id = o.id
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
left join lateral (
  select p.installed, p.version from client_people p where p.company_id = u.company_id and p.user_id = u.id
  order by p.installed desc, p.last_login_at desc nulls last, p.platform limit 1
) c on true
order by o.position;

-- usersByBeginning returns the first users whose names begin with a text, as a
-- search shows them. @before is the text with the last character of the collation
-- after it.
-- name: usersByBeginning :many
select u.id, u.name, u.image_hash, u.email, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department
from users u
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.name >= @beginning::text and u.name < @before::text
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and u.hidden_at is null and not u.bot
order by u.name, u.id limit @size;

-- foundUsers returns what a search shows of users.
-- name: foundUsers :many
select u.id, u.name, u.image_hash, u.email, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department
from users u
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and u.hidden_at is null and not u.bot
order by u.name, u.id;

-- usersWithGrams returns the first users whose search text has all of some grams,
-- as a search shows them, also those that it does not find. The array keeps the
-- plan from reading all users for a few.
-- name: usersWithGrams :many
select u.id, u.name, u.image_hash, u.email, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department,
  (u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
    and u.hidden_at is null and not u.bot)::boolean as found
from users u
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (array(select h.id from search_users(@company_id, @grams::text[], @most::bigint) h)::bigint[])
order by u.name, u.id;
