-- name: insertToken :one
insert into tokens (company_id, name, hash, ending, scopes, allowed_addresses, created_at, expires_at)
values (@company_id, @name, @hash, @ending, @scopes, @allowed_addresses, @now, sqlc.narg(expires_at))
returning id;

-- name: tokenByHash :one
select * from tokens where hash = @hash;

-- noteTokenUsed notes the use of a token that nobody noted since a time.
-- name: noteTokenUsed :exec
update tokens set used_at = @now::timestamptz, used_from = @used_from
where company_id = @company_id and id = @id and (used_at is null or used_at <= @before::timestamptz);

-- ServiceTokens returns the service tokens of a company, the latest first. Those that
-- ended are among them for EndedSignInDays.
-- name: ServiceTokens :many
select * from tokens where company_id = @company_id
order by created_at desc, id desc;

-- ServiceToken returns a service token, which may have ended.
-- name: ServiceToken :one
select * from tokens where company_id = @company_id and id = @id;

-- tokenForUpdate returns a service token that nobody else can change meanwhile.
-- name: tokenForUpdate :one
select * from tokens where company_id = @company_id and id = @id for update;

-- rotateToken ends a token that another one replaces, but not later than it would have.
-- name: rotateToken :exec
update tokens set rotated_at = @now::timestamptz, expires_at = least(expires_at, @ends_at::timestamptz)
where company_id = @company_id and id = @id;

-- name: revokeServiceToken :execrows
update tokens set revoked_at = @now::timestamptz
where company_id = @company_id and id = @id and revoked_at is null and (expires_at is null or expires_at > @now::timestamptz);

-- endDueTokens marks tokens that have expired, at that time.
-- name: endDueTokens :many
with due as (
  select company_id, id from tokens where expires_at < @now::timestamptz and revoked_at is null limit @size for update skip locked
)
update tokens t set revoked_at = t.expires_at from due where t.company_id = due.company_id and t.id = due.id
returning t.company_id, t.revoked_at::timestamptz as at;

-- name: deleteDeadTokens :exec
delete from tokens where expires_at < @before or revoked_at < @before;
