-- listedUserIDs are the next by name of people who are given.
-- name: listedUserIDs :many
select u.id from users u
where u.company_id = @company_id and u.id = any (@ids::bigint[])
  and (@everywhere::bool or u.department_id = any (@department_ids::bigint[]))
  and u.search_text like @pattern1::text and u.search_text like @pattern2::text and u.search_text like @pattern3::text
  and (u.name, u.id) > (@after_name::text, @after_id::bigint)
order by u.name, u.id limit @size;

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
-- of those who are not hidden. A bot has no department.
-- name: treeDepartments :many
select d.id, d.lineage, coalesce(m.people, 0)::bigint as people, coalesce(m.visible, 0)::bigint as visible
from departments d left join (
  select u.department_id, count(*) as people, count(*) filter (where u.hidden_at is null) as visible from users u where u.company_id = @company_id group by u.department_id
) m on m.department_id = d.id
where d.company_id = @company_id order by d.id;
