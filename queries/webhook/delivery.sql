-- name: deliveries :many
select * from webhook_deliveries
where company_id = @company_id and id < @before order by id desc limit @size;

-- name: deliveriesAfter :many
select * from webhook_deliveries
where company_id = @company_id and id > @after order by id limit @size;

-- name: deliveriesInState :many
select * from webhook_deliveries
where company_id = @company_id and state = @state and id < @before order by id desc limit @size;

-- name: deliveriesInStateAfter :many
select * from webhook_deliveries
where company_id = @company_id and state = @state and id > @after order by id limit @size;

-- Delivery is one delivery of a company.
-- name: Delivery :one
select * from webhook_deliveries where company_id = @company_id and id = @id;

-- tally counts the deliveries that wait, and those whose last attempt was after
-- a time, with those of them that it failed for; up to most each.
-- name: tally :one
select
  (select count(*) from (select from webhook_deliveries w where w.company_id = @company_id and w.state = 'waiting' limit @most::int) x)::bigint as waiting,
  count(*)::bigint as tried,
  count(*) filter (where state <> 'delivered')::bigint as failed
from (
  select state from webhook_deliveries d where d.company_id = @company_id and d.last_at > @since::timestamptz order by d.last_at desc limit @most::int
) recent;

-- insertTest adds a test message, which is sent at once.
-- name: insertTest :one
insert into webhook_deliveries (company_id, type, at, payload, created_at, next_at, requested)
values (@company_id, @type, @now::timestamptz, @payload, @now::timestamptz, @now::timestamptz, true)
returning id;

-- resend sends a delivery again, from its first attempt on.
-- name: resend :one
update webhook_deliveries set state = 'waiting', attempts = 0, next_at = @now::timestamptz, requested = true
where company_id = @company_id and id = @id
returning *;

-- name: deleteDeliveries :exec
delete from webhook_deliveries where created_at < @before;
