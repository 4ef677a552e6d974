-- listedUserIDs are the next by name of people who are given.
-- name: listedUserIDs :many
select u.id from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[])
  and (@everywhere::bool or u.department_id = any (@department_ids::bigint[]))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

-- listedUserIDsBefore are the ones before, the nearest first.
-- name: listedUserIDsBefore :many
select u.id from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[])
  and (@everywhere::bool or u.department_id = any (@department_ids::bigint[]))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and (u.name, u.id) < (@before_name::text, @before_id::bigint)
order by u.name desc, u.id desc limit @size;

-- membersByName walk along the names, hidden people too, and tell of which
-- department each is a member; null departments are all. A bot has none.
-- name: membersByName :many
select id, department_id::bigint as department_id from users
where company_id = @company_id and department_id is not null and (@department_ids::bigint[] is null or department_id = any (@department_ids::bigint[]))
  and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- membersByNameBefore walk back along them.
-- name: membersByNameBefore :many
select id, department_id::bigint as department_id from users
where company_id = @company_id and department_id is not null and (@department_ids::bigint[] is null or department_id = any (@department_ids::bigint[]))
  and (name, id) < (@before_name::text, @before_id::bigint)
order by name desc, id desc limit @size;

-- searchedIDsBefore are who is found before a place, the nearest first: part by
-- part of the names, as search_users does behind one; null departments are all.
-- Parts are asked one after the other, in their order, until there are enough.
-- name: searchedIDsBefore :many
with wanted as (
  select bit_and(g.parts) as parts from gram_parts g
  where g.company_id = @company_id and g.gram = any (@grams::text[]) having count(*) = cardinality(@grams::text[])
), place as (
  select p.no from name_parts p where p.company_id = @company_id and (p.name, p.id) <= (@before_name::text, @before_id::bigint)
  order by p.name desc, p.id desc limit 1
), part as (
  select series.no from place cross join wanted cross join lateral generate_series(place.no, 0, -1) as series (no)
  where get_bit(wanted.parts, series.no) = 1
  union all
  select -1 where not exists (select from place)
)
select found.id from (
  select u.id, u.name from part
  cross join lateral (
    select coalesce(max(p.name), '') as begin_name, coalesce(max(p.id), 0) as begin_id,
      coalesce(max(next.name), repeat(U&'\FFFF', 101)) as end_name, coalesce(max(next.id), 0) as end_id
    from name_parts p left join name_parts next on next.company_id = p.company_id and next.no = p.no + 1
    where p.company_id = @company_id and p.no = part.no
  ) bounds
  cross join lateral (
    select users.id, users.name from users
    where users.company_id = @company_id and (@department_ids::bigint[] is null or users.department_id = any (@department_ids::bigint[]))
      and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
      and (users.name, users.id) > (bounds.begin_name, bounds.begin_id) and (users.name, users.id) <= (bounds.end_name, bounds.end_id)
      and (users.name, users.id) < (@before_name::text, @before_id::bigint)
    order by users.name desc, users.id desc limit @size
  ) u limit @size
) found
order by found.name desc, found.id desc;

-- userIDsOfFewDepartmentsBefore merges the people of each department, who are
-- in order already, the nearest first.
-- name: userIDsOfFewDepartmentsBefore :many
select u.id
from unnest(@department_ids::bigint[]) as d (id) cross join lateral (
  select users.id, users.name from users
  where users.company_id = @company_id and users.department_id = d.id
    and users.search_text like @pattern1::text and users.search_text like @pattern2::text and users.search_text like @pattern3::text
    and (users.name, users.id) < (@before_name::text, @before_id::bigint)
  order by users.name desc, users.id desc limit @size
) u
order by u.name desc, u.id desc limit @size;

-- statusInOrder gives what the application status shows of people besides
-- their policy, by name. A bot has no department.
-- name: statusInOrder :many
select u.id, u.name, u.employee_id, (u.hidden_at is not null)::bool as hidden,
  coalesce(d.id, 0)::bigint as department_id, coalesce(d.name, '')::text as department_name, coalesce(d.path, '')::text as path,
  coalesce(d.lineage, '{}')::bigint[] as lineage, u.bot
from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[])
order by u.name, u.id;

-- treeDepartments are all departments with the number of their own people, and
-- of those who are not hidden. A bot has no department. place is that in the order
-- of the paths.
-- name: treeDepartments :many
select d.id, d.lineage, d.name, row_number() over (order by d.path)::integer as place, coalesce(m.people, 0)::bigint as people, coalesce(m.visible, 0)::bigint as visible
from departments d left join (
  select u.department_id, count(*) as people, count(*) filter (where u.hidden_at is null) as visible from users u where u.company_id = @company_id group by u.department_id
) m on m.department_id = d.id
where d.company_id = @company_id order by d.id;
