-- name: departments :many
select id, parent_id, name, path, search_text from departments
where company_id = @company_id order by path;

-- name: DepartmentsByID :many
select id, parent_id, name, path, search_text from departments
where company_id = @company_id and id = any (@ids::bigint[]) order by path;

-- DepartmentBranch is a department with all its descendants.
-- name: DepartmentBranch :many
select id from departments
where company_id = @company_id and lineage @> array[sqlc.arg(id)::bigint] order by id;
