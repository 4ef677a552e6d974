-- lockOutbox lets a company's transactions number their messages one after the
-- other: the next one gets its ids only after this one's are visible. Without
-- it a reader could pass an id that is committed a moment later.
-- name: lockOutbox :exec
select pg_advisory_xact_lock(hashtextextended('outbox', @company_id::bigint));

-- insertMessage also wakes the listeners, when the transaction commits.
-- name: insertMessage :exec
with message as (
  insert into outbox (company_id, at, type, payload) values (@company_id, @at, @type, @payload) returning company_id, id
)
select pg_notify('officeconsole', company_id || ':' || id) from message;

-- OutboxAfter are a company's messages behind an id, the oldest first.
-- name: OutboxAfter :many
select id, at, type, payload from outbox
where company_id = @company_id and id > @after order by id limit @size;

-- LastOutboxID is where a reader begins who wants only what is to come.
-- name: LastOutboxID :one
select coalesce(max(id), 0)::bigint from outbox where company_id = @company_id;

-- name: DeleteOldMessages :exec
delete from outbox where at < @before;
