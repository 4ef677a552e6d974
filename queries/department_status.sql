-- departmentsBehind are the next by path, of those whose paths lie between two.
-- name: departmentsBehind :many
select id, name, path, lineage from departments
where company_id = @company_id and path > @after::text and path >= @first::text and path < @below::text
order by path limit @size;

-- departmentPath is where a department stands in the order of paths.
-- name: departmentPath :one
select path from departments where company_id = @company_id and id = @id;

-- countPeople counts people up to a number.
-- name: countPeople :one
select count(*) from (
  select users.id from users
  where users.company_id = @company_id and not users.bot and (@everywhere::bool or users.department_id = any (@department_ids::bigint[]))
  limit @most
) counted;
