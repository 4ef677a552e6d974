-- lease takes the webhook of a company that has something to do and that no
-- other process works for, until a time. It is NotFound without any.
-- name: lease :one
update webhooks set leased_until = @until::timestamptz
where company_id = (
  select w.company_id from webhooks w
  where w.enabled and (w.leased_until is null or w.leased_until <= @now::timestamptz) and (
    exists (select from outbox o where o.company_id = w.company_id and o.id > w.last_message_id)
    or exists (select from webhook_deliveries d where d.company_id = w.company_id and d.state = 'waiting' and d.requested)
    or w.paused_until is null and exists (select from webhook_deliveries d where d.company_id = w.company_id and d.state = 'waiting' and d.next_at <= @now::timestamptz)
    or w.paused_until <= @now::timestamptz and exists (select from webhook_deliveries d where d.company_id = w.company_id and d.state = 'waiting')
  )
  order by w.leased_until nulls first, w.company_id
  limit 1 for update skip locked
)
returning *;

-- release ends a lease, unless another process has the webhook by now.
-- name: release :exec
update webhooks set leased_until = @now::timestamptz where company_id = @company_id and leased_until = @until::timestamptz;

-- enqueue adds the deliveries of the next messages, at most size. It returns how
-- many messages it has read.
-- name: enqueue :one
with read as (
  select o.company_id, o.id, o.at, o.type, o.payload from outbox o join webhooks w on w.company_id = o.company_id
  where w.company_id = @company_id and o.id > w.last_message_id
  order by o.id limit @size
), moved as (
  update webhooks w set last_message_id = (select max(read.id) from read)
  where w.company_id = @company_id and exists (select from read)
), added as (
  insert into webhook_deliveries (company_id, message_id, type, at, payload, created_at, next_at)
  select read.company_id, read.id, read.type, read.at, read.payload, @now::timestamptz, @now::timestamptz
  from read join webhooks w on w.company_id = read.company_id
  where cardinality(w.types) = 0 or read.type = any (w.types)
  order by read.id
  on conflict do nothing -- where a process whose lease has passed does the same
)
select count(*)::bigint from read;

-- next is the delivery to attempt: what somebody has requested; else the first
-- that is due, or during a pause that has passed the oldest of all.
-- name: nextRequested :one
select * from webhook_deliveries where company_id = @company_id and state = 'waiting' and requested order by id limit 1;

-- name: nextDue :one
select * from webhook_deliveries where company_id = @company_id and state = 'waiting' and next_at <= @now order by id limit 1;

-- name: oldestWaiting :one
select * from webhook_deliveries where company_id = @company_id and state = 'waiting' order by id limit 1;

-- finishAttempt counts the attempt, or not.
-- name: finishAttempt :exec
update webhook_deliveries set state = @state, attempts = attempts + @counts, next_at = @next_at, requested = false,
  last_at = @now::timestamptz, status = @status, answer = @answer, failure = @failure, duration_ms = @duration_ms
where company_id = @company_id and id = @id;

-- name: noteSuccess :exec
update webhooks set last_success_at = @now::timestamptz, failures = 0, failing_since = null, paused_until = null where company_id = @company_id;

-- wakeWaiting lets everything that waits for its next attempt be sent now.
-- name: wakeWaiting :exec
update webhook_deliveries set next_at = @now::timestamptz where company_id = @company_id and state = 'waiting' and next_at > @now::timestamptz;

-- name: noteFailure :exec
update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, @now::timestamptz), paused_until = @paused_until
where company_id = @company_id;

-- name: disableGone :exec
update webhooks set enabled = false, gone_at = @now::timestamptz, version_no = version_no + 1, updated_at = @now::timestamptz where company_id = @company_id;

-- backlog is how many deliveries wait, counted up to 10,001, and since when the oldest
-- message does that its webhook has not been sent; now if none does.
-- name: backlog :one
with waiting as (
  select d.created_at from webhook_deliveries d join webhooks w on w.company_id = d.company_id
  where d.state = 'waiting' and w.enabled
  limit 10001
)
select (select count(*) from waiting)::bigint as waiting, coalesce(least(
  (select min(waiting.created_at) from waiting),
  (select min(first.at) from webhooks w cross join lateral (
    select o.at from outbox o where o.company_id = w.company_id and o.id > w.last_message_id order by o.id limit 1
  ) first where w.enabled)
), @now)::timestamptz as oldest;
