-- name: lockSecretKeys :exec
lock table secret_keys in share row exclusive mode;

-- name: secretKeys :many
select id from secret_keys order by created_at, id;

-- name: insertSecretKey :exec
insert into secret_keys (id, created_at) values (@id, @now) on conflict (id) do nothing;

-- name: deleteSecretKey :exec
delete from secret_keys where id = @id;

-- name: deleteOtherSecretKeys :exec
delete from secret_keys where id <> @id;
