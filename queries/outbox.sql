-- lockOutbox serializes the transactions of a company that insert messages: the
-- next one gets its ids after the messages of this one are visible. Otherwise a
-- reader could skip an id that is committed a moment later.
-- name: lockOutbox :exec
select pg_advisory_xact_lock(hashtextextended('outbox', @company_id::bigint));

-- insertMessage also wakes the listeners when the transaction commits.
-- name: insertMessage :exec
with message as (
  insert into outbox (company_id, at, type, payload) values (@company_id, @at, @type, @payload) returning company_id, id
)
select pg_notify('officeconsole', company_id || ':' || id) from message;

-- insertMessages is insertMessage for several messages, with one notification.
-- name: insertMessages :exec
with messages as (
  insert into outbox (company_id, at, type, payload)
  select @company_id, @at, x.type, x.payload::jsonb
  from (select unnest(@types::text[]) as type, unnest(@payloads::text[]) as payload) x
  returning id
)
select pg_notify('officeconsole', @company_id::bigint || ':' || max(id)) from messages;

-- name: messagesAfter :many
select * from outbox
where company_id = @company_id and id > @after order by id limit @size;

-- LastMessageID returns the id of a company's newest message, 0 without any: a
-- reader that begins there gets only later ones.
-- name: LastMessageID :one
select coalesce(max(id), 0)::bigint from outbox where company_id = @company_id;

-- name: deleteMessages :exec
delete from outbox where at < @before;
