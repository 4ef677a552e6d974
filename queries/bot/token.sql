-- Tokens are a company's tokens that have not ended, the current one of a kind
-- before those that were rotated.
-- name: Tokens :many
select * from bot_tokens
where company_id = @company_id and (ends_at is null or ends_at > @now::timestamptz)
order by array_position(array['notification', 'message', 'hook'], kind), ends_at desc nulls first, id desc;

-- senderByHash is who calls with a token, also with one that has ended.
-- name: senderByHash :one
select t.company_id, t.id as token_id, t.kind, t.ends_at, t.used_at, t.used_from, t.used_by, b.user_id as bot_id, b.enabled, b.allowed_addresses, b.hook_receivers,
  coalesce((select v.version from data_versions v where v.company_id = t.company_id and v.part = 'bot'), 0)::bigint as version
from bot_tokens t join bots b on b.company_id = t.company_id
where t.hash = @hash;

-- noteChange makes every process read again who sends with a token.
-- name: noteChange :exec
select note_change(@company_id, 'bot');

-- name: insertToken :one
insert into bot_tokens (company_id, kind, hash, ending, created_at)
values (@company_id, @kind, @hash, @ending, @now)
returning id;

-- rotateToken ends the current token of a kind at a time, and returns its last
-- characters.
-- name: rotateToken :many
update bot_tokens set ends_at = @ends_at::timestamptz
where company_id = @company_id and kind = @kind and ends_at is null
returning ending;

-- endToken ends a rotated token before its time.
-- name: endToken :one
update bot_tokens set ends_at = @now::timestamptz
where company_id = @company_id and id = @id and ends_at > @now::timestamptz
returning *;

-- name: noteUse :exec
update bot_tokens set used_at = @now, used_from = @used_from, used_by = @used_by
where company_id = @company_id and id = @id;

-- name: deleteOldTokens :exec
delete from bot_tokens where ends_at < @before::timestamptz;
