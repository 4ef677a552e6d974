-- writePosition returns where the last write is that a user must find. After ten minutes
-- a replica that may answer has replayed it, and a database that was restored counts its
-- log from elsewhere.
-- name: writePosition :one
select coalesce(max(position), 0)::bigint as position from write_positions
where company_id = @company_id and user_id in (0, @user_id) and at > now() - interval '10 minutes';

-- name: noteWritePosition :exec
insert into write_positions as w (company_id, user_id, position, at)
values (@company_id, @user_id, (pg_current_wal_insert_lsn() - '0/0')::bigint, now())
on conflict (company_id, user_id) do update set position = excluded.position, at = excluded.at;

-- name: deleteWritePositions :exec
delete from write_positions where at < now() - interval '1 day';
