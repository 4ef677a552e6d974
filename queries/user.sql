-- The first statements find people in the order of their names, one for each way
-- to them: all of a company, those of a few departments, those of many, and the
-- same for those that match a search. @hidden includes hidden people.

-- name: userIDsByName :many
select id from users
where company_id = @company_id and (@hidden::bool or hidden_at is null)
  and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- userIDsOfFewDepartments merges the people of each department, who are in
-- order already.
-- name: userIDsOfFewDepartments :many
select u.id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.id, users.name from users
  where users.company_id = @company_id and users.department_id = d.id and (@hidden::bool or users.hidden_at is null)
    and (users.name, users.id) > (@after_name::text, @after_id::bigint)
  order by users.name, users.id limit @size
) u
order by u.name, u.id limit @size;

-- name: userIDsOfManyDepartments :many
select id from users
where company_id = @company_id and (@hidden::bool or hidden_at is null)
  and department_id = any (@department_ids::bigint[])
  and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- userIDsNear looks at no more than the next @reach people by name.
-- name: userIDsNear :many
select near.id
from (
  select users.id, users.name, users.department_id, users.search_text from users
  where users.company_id = @company_id and (@hidden::bool or users.hidden_at is null)
    and (users.name, users.id) > (@after_name::text, @after_id::bigint)
  order by users.name, users.id limit @reach
) near
where (@everybody::bool or near.department_id = any (@department_ids::bigint[]))
  and near.search_text like @pattern1::text and near.search_text like @pattern2::text and near.search_text like @pattern3::text
order by near.name, near.id limit @size;

-- densePart is the first part of the names (see name_part), behind that of a
-- name, that begins with people who all match. It looks only for what a few
-- hundred people from all over the company show to be frequent.
-- name: densePart :many
with ids as materialized (
  select min(users.id) as first, max(users.id) as last from users where users.company_id = @company_id
), sample as materialized (
  select count(*) as match
  from ids cross join generate_series(0, 3) as place (no) cross join lateral (
    select users.search_text from users
    where users.company_id = @company_id and users.id >= ids.first + (ids.last - ids.first) / 4 * place.no
    order by users.id limit 75
  ) seen
  where seen.search_text like @pattern1::text and seen.search_text like @pattern2::text and seen.search_text like @pattern3::text
)
select part.no::integer as no, part_begin(part.no)::text as name
from generate_series(name_part(@after_name::text) + 1, last_name_part()) as part (no) cross join lateral (
  select count(*) filter (where next.search_text like @pattern1::text and next.search_text like @pattern2::text and next.search_text like @pattern3::text) as match
  from (
    select users.search_text from users
    where users.company_id = @company_id and (@hidden::bool or users.hidden_at is null)
      and (users.name, users.id) > (part_begin(part.no), 0)
    order by users.name, users.id limit 3
  ) next
) beginning
where (select sample.match from sample) >= 4 and beginning.match = 3
limit 1;

-- searchUserIDs asks for one part of the names after the other, up to the last
-- one that is meant, and stops when the page is full. "offset 0" keeps the
-- planner from walking along the names instead, which for something rare reads
-- the whole company.
-- name: searchUserIDs :many
with found as (
  select match.id, match.name
  from generate_series(name_part(@after_name::text), least(@last_part::integer, last_name_part())) as part (no) cross join lateral (
    select every.id, every.name from (
      select users.id, users.name from users
      where users.company_id = @company_id and (@hidden::bool or users.hidden_at is null)
        and mark_grams(name_part(users.name), users.search_grams) @> mark_grams(part.no, @grams::text[])
        and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
        and (users.name, users.id) > (@after_name::text, @after_id::bigint)
      offset 0
    ) every
    order by every.name, every.id limit @size
  ) match
  limit @size
)
select found.id from found order by found.name, found.id;

-- name: searchUserIDsOfManyDepartments :many
with found as (
  select match.id, match.name
  from generate_series(name_part(@after_name::text), last_name_part()) as part (no) cross join lateral (
    select every.id, every.name from (
      select users.id, users.name from users
      where users.company_id = @company_id and (@hidden::bool or users.hidden_at is null)
        and users.department_id = any (@department_ids::bigint[])
        and mark_grams(name_part(users.name), users.search_grams) @> mark_grams(part.no, @grams::text[])
        and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
        and (users.name, users.id) > (@after_name::text, @after_id::bigint)
      offset 0
    ) every
    order by every.name, every.id limit @size
  ) match
  limit @size
)
select found.id from found order by found.name, found.id;

-- searchUserIDsOfFewDepartments looks at everybody of the departments.
-- name: searchUserIDsOfFewDepartments :many
select u.id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.id, users.name from users
  where users.company_id = @company_id and users.department_id = d.id and (@hidden::bool or users.hidden_at is null)
    and (users.name, users.id) > (@after_name::text, @after_id::bigint)
    and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
  order by users.name, users.id limit @size
) u
order by u.name, u.id limit @size;

-- usersInOrder gives what the directory shows of people, in the order of the ids.
-- name: usersInOrder :many
select u.id, u.name, u.bot, u.image_hash, u.email, u.employee_id, u.rank_id, coalesce(r.name, '')::text as position,
  u.role_id, u.company_phone, u.personal_phone, (u.hidden_at is not null)::bool as hidden,
  u.department_id, coalesce(d.name, '')::text as department_name,
  array(select x.department_id from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::bigint[] as further_department_ids,
  array(select y.name from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id
    where x.company_id = u.company_id and x.user_id = u.id order by y.path)::text[] as further_department_names
from unnest(@ids::bigint[]) with ordinality as o (id, place)
join users u on u.company_id = @company_id and u.id = o.id
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
order by o.place;
