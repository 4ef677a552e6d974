-- fileStore returns the id of the store of files; no row before one is known.
-- name: fileStore :one
select id from file_stores;

-- insertFileStore sets the id of the store of files, unless another process has.
-- name: insertFileStore :exec
insert into file_stores (id, created_at) values (@id, @created_at) on conflict do nothing;
