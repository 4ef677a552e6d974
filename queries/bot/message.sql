-- nextMessageIDs are the ids of messages that are stored next.
-- name: nextMessageIDs :many
select nextval('bot_messages_id')::bigint from generate_series(1, @size::int);

-- claimKeys notes that messages were sent with keys, unless a message was sent
-- with the same key after since. It returns the keys that were noted.
-- name: claimKeys :many
insert into bot_message_keys as k (company_id, kind, key, message_id, at)
select @company_id::bigint, x.kind, x.key, x.message_id, @now::timestamptz
from (select unnest(@kinds::text[]) as kind, unnest(@keys::text[]) as key, unnest(@message_ids::bigint[]) as message_id) x
order by x.kind, x.key
on conflict (company_id, kind, key) do update set message_id = excluded.message_id, at = excluded.at
where k.at <= @since::timestamptz
returning message_id;

-- sentWith are the stored messages that were sent with some keys.
-- name: sentWith :many
select k.kind, k.key, m.id, m.text, m.receivers from bot_message_keys k
join (select unnest(@kinds::text[]) as kind, unnest(@keys::text[]) as key) x on k.kind = x.kind and k.key = x.key
join bot_messages m on m.company_id = k.company_id and m.at = k.at and m.id = k.message_id
where k.company_id = @company_id;

-- name: insertMessages :exec
insert into bot_messages (company_id, id, at, kind, trigger, token_id, text, receivers, accepted, code, answer, took_us, address, agent)
select @company_id::bigint, x.id, x.at, x.kind, x.trigger, nullif(x.token_id, 0), x.text, x.receivers::jsonb, x.code = '', x.code, x.answer, x.took_us, nullif(x.address, '')::inet, x.agent
from (select unnest(@ids::bigint[]) as id, unnest(@ats::timestamptz[]) as at, unnest(@kinds::text[]) as kind, unnest(@triggers::text[]) as trigger,
  unnest(@token_ids::bigint[]) as token_id, unnest(@texts::text[]) as text, unnest(@receivers::text[]) as receivers, unnest(@codes::text[]) as code,
  unnest(@answers::int[]) as answer, unnest(@took_us::int[]) as took_us, unnest(@addresses::text[]) as address, unnest(@agents::text[]) as agent) x;

-- Message is one message or refused call.
-- name: Message :one
select * from bot_messages where company_id = @company_id and id = @id;

-- counts are of messages since a time: how many, at most @most, and how many of
-- them were refused.
-- name: counts :one
select (select count(*) from (select from bot_messages m where m.company_id = @company_id and m.at > @since::timestamptz limit @most) x)::bigint as messages,
  (select count(*) from (select from bot_messages m where m.company_id = @company_id and m.at > @since::timestamptz and not m.accepted limit @most) x)::bigint as refused;

-- lastAccepted is the time of the newest message.
-- name: lastAccepted :one
select at from bot_messages where company_id = @company_id and accepted and at > @since::timestamptz
order by at desc, id desc limit 1;

-- name: deleteOldMessages :exec
delete from bot_messages where at < @before::timestamptz;

-- name: deleteOldKeys :exec
delete from bot_message_keys where at < @before::timestamptz;
