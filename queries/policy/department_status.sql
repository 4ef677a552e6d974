-- departmentsBehind are the next by path, of those whose paths lie between two.
-- name: departmentsBehind :many
select id, name, path, lineage from departments
where company_id = @company_id and path > @after::text and path >= @first::text and path < @below::text
order by path limit @size;

-- departmentsBefore are the ones before, the nearest first.
-- name: departmentsBefore :many
select id, name, path, lineage from departments
where company_id = @company_id and path < @before::text and path >= @first::text and path < @below::text
order by path desc limit @size;

-- departmentPath is where a department stands in the order of paths.
-- name: departmentPath :one
select path from departments where company_id = @company_id and id = @id;
