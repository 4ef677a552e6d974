-- name: lockRetention :exec
select pg_advisory_xact_lock(hashtextextended('retention', @company_id::bigint));

-- name: storedRetention :one
select version_no, access_months, file_months, client_months, updated_at, updated_by_name from retentions where company_id = @company_id;

-- name: storeRetention :exec
insert into retentions (company_id, access_months, file_months, client_months, updated_at, updated_by, updated_by_name)
values (@company_id, @access_months, @file_months, @client_months, @updated_at, @updated_by, @updated_by_name)
on conflict (company_id) do update set version_no = retentions.version_no + 1, access_months = excluded.access_months, file_months = excluded.file_months,
  client_months = excluded.client_months, updated_at = excluded.updated_at, updated_by = excluded.updated_by, updated_by_name = excluded.updated_by_name;

-- name: retentionRuns :many
select log, at, before, deleted from retention_runs where company_id = @company_id;

-- name: noteRetentionRun :exec
insert into retention_runs (company_id, log, at, before, deleted) values (@company_id, @log, @at, @before, @deleted)
on conflict (company_id, log) do update set at = excluded.at, before = excluded.before, deleted = excluded.deleted;

-- name: oldestAccess :one
select at from access_events where company_id = @company_id order by at, id limit 1;

-- name: oldestFile :one
select saved_at from saved_files where company_id = @company_id order by saved_at, id limit 1;

-- name: oldestClientEvent :one
select occurred_at from client_events where company_id = @company_id order by occurred_at limit 1;

-- The deletions of logs end at the time of the row after a batch: a join with the rows of
-- the batch would compare each with all of them where PostgreSQL believes the table empty.
-- Rows of one time are deleted together.

-- name: deleteOldAccess :execrows
delete from access_events e where e.company_id = @company_id and e.at < @before and e.at <= coalesce((
  select o.at from access_events o where o.company_id = @company_id and o.at < @before order by o.at offset @size limit 1
), @before);

-- name: deleteOldFiles :execrows
delete from saved_files f where f.company_id = @company_id and f.saved_at < @before and f.saved_at <= coalesce((
  select o.saved_at from saved_files o where o.company_id = @company_id and o.saved_at < @before order by o.saved_at offset @size limit 1
), @before);

-- name: deleteOldFileReceivers :execrows
delete from saved_file_receivers r using (
  select o.user_id, o.platform, o.saved_at, o.file_id from saved_file_receivers o where o.company_id = @company_id and o.saved_at < @before limit @size
) old where r.company_id = @company_id and r.user_id = old.user_id and r.platform = old.platform and r.saved_at = old.saved_at and r.file_id = old.file_id;

-- name: deleteOldFileDays :exec
delete from saved_file_days where company_id = @company_id and day < @day;

-- name: deleteOldClientEvents :execrows
delete from client_events e where e.company_id = @company_id and e.occurred_at < @before and e.occurred_at <= coalesce((
  select o.occurred_at from client_events o where o.company_id = @company_id and o.occurred_at < @before order by o.occurred_at offset @size limit 1
), @before);
