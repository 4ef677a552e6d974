-- name: Person :one
select * from people where company_id = @company_id and id = @id;
