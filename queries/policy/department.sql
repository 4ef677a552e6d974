-- Department is a department with its ancestors. In every statement of this
-- area, these are the ids from the root to the department itself.
-- name: Department :one
select id, name, ancestors from departments where company_id = @company_id and id = @id;

-- departmentsBehind returns the next departments by path, with paths from
-- @first on and before @below.
-- name: departmentsBehind :many
select id, name, path, ancestors from departments
where company_id = @company_id and path > @after::text and path >= @first::text and path < @below::text
order by path limit @size;

-- departmentsBefore returns the departments before a path, the nearest first.
-- name: departmentsBefore :many
select id, name, path, ancestors from departments
where company_id = @company_id and path < @before::text and path >= @first::text and path < @below::text
order by path desc limit @size;

-- name: departmentPath :one
select path from departments where company_id = @company_id and id = @id;

-- name: ancestorsOf :many
select id, ancestors from departments where company_id = @company_id and id = any (@ids::bigint[]);

-- treeDepartments returns all departments of a company with the number of their
-- own users. Hidden users are not counted, and bots have no department. position
-- is the number of the department in the order of the paths, from 1.
-- name: treeDepartments :many
select d.id, d.ancestors, d.name, row_number() over (order by d.path)::integer as position, coalesce(m.people, 0)::bigint as people,
  d.search_text
from departments d left join (
  select u.department_id, count(*) as people from users u where u.company_id = @company_id and u.hidden_at is null group by u.department_id
) m on m.department_id = d.id
where d.company_id = @company_id order by d.id;
