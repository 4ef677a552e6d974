-- endpoint is a company's webhook with its secrets as they are stored.
-- name: endpoint :one
select * from webhooks where company_id = @company_id;

-- name: lockEndpoint :one
select * from webhooks where company_id = @company_id for update;

-- insertEndpoint begins with the messages from now on, and goes on with the version
-- numbers of a deleted one, so that nothing that was meant for that one changes it. A
-- second one of a company is not inserted.
-- name: insertEndpoint :one
insert into webhooks (company_id, url, types, enabled, secret, secret_at, updated_at, last_message_id, version_no)
values (@company_id, @url, @types, @enabled, @secret, @now, @now, (select coalesce(max(o.id), 0) from outbox o where o.company_id = @company_id),
  coalesce((select (c.old ->> 'version_no')::integer + 1 from changes c
    where c.company_id = @company_id and c.object_type = 'webhook' and c.object_id = @company_id and c.action = 'webhook.deleted'
    order by c.at desc, c.id desc limit 1), 1))
on conflict (company_id) do nothing
returning version_no;

-- updateEndpoint ends a pause. A webhook that is enabled again begins with the
-- messages from now on.
-- name: updateEndpoint :exec
update webhooks w set url = @url, types = @types, enabled = @enabled, version_no = version_no + 1, updated_at = @now::timestamptz,
  failures = 0, failing_since = null, paused_until = null, gone_at = case when @enabled then null else w.gone_at end,
  last_message_id = case when w.enabled then w.last_message_id else (select coalesce(max(o.id), 0) from outbox o where o.company_id = w.company_id) end
where w.company_id = @company_id;

-- name: deleteEndpoint :exec
delete from webhooks where company_id = @company_id;

-- name: rotateSecret :exec
update webhooks set previous_secret = @previous_secret::text, previous_until = @previous_until::timestamptz, secret = @secret, secret_at = @now::timestamptz
where company_id = @company_id;

-- name: endPreviousSecret :execrows
update webhooks set previous_secret = null, previous_until = null where company_id = @company_id and previous_until > @now::timestamptz;

-- resume lets the next attempt of a paused webhook be made now.
-- name: resume :exec
update webhooks set paused_until = @now::timestamptz where company_id = @company_id and paused_until > @now::timestamptz;
