-- name: Person :one
select * from people where company_id = @company_id and id = @id;

-- name: PersonByEmail :one
select * from people where lower(email) = lower(@email::text) and email <> '';

-- name: insertUser :one
insert into users (company_id, department_id, name, email, is_admin, search_text, search_grams)
values (@company_id, @department_id, @name, @email, @is_admin, @search_text, @search_grams)
returning id;

-- name: setAdmin :exec
update users set is_admin = @is_admin, updated_at = @now where company_id = @company_id and id = @id;
