-- name: departments :many
select id, parent_id, name, path, search_text from departments
where company_id = @company_id order by path;

-- name: DepartmentsByID :many
select id, parent_id, name, path, search_text from departments
where company_id = @company_id and id = any (@ids::bigint[]) order by path;

-- SubtreeIDs returns the ids of a department and of all its descendants.
-- name: SubtreeIDs :many
select id from departments
where company_id = @company_id and ancestors @> array[sqlc.arg(id)::bigint] order by id;

-- name: rootDepartment :one
select id, name from departments where company_id = @company_id and parent_id is null;

-- name: insertDepartment :one
insert into departments (company_id, parent_id, name, search_text)
values (@company_id, @parent_id, @name, @search_text)
returning id;
