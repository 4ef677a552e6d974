-- signedIn returns the user of a browser's sign-in that has not ended.
-- name: signedIn :one
select sqlc.embed(people), s.id as sign_in_id, s.seen_at, s.expires_at, s.idle_seconds
from sign_ins s join people on people.company_id = s.company_id and people.id = s.user_id
where s.company_id = @company_id and s.id = @id and s.ended_at is null;

-- name: credentialsByEmail :one
select sqlc.embed(people), coalesce(passwords.hash, '')::text as hash
from people left join passwords on passwords.company_id = people.company_id and passwords.user_id = people.id
where lower(people.email) = lower(@email::text) and people.email <> '';

-- name: passwordHash :one
select hash from passwords where company_id = @company_id and user_id = @user_id;

-- name: setPassword :exec
insert into passwords (company_id, user_id, hash, changed_at) values (@company_id, @user_id, @hash, @now)
on conflict (company_id, user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at;

-- insertSignIn adds nothing for a hidden user. It waits for a transaction that
-- hides the user, which otherwise could not end this sign-in.
-- name: insertSignIn :one
insert into sign_ins (company_id, user_id, created_at, seen_at, expires_at, idle_seconds, address, user_agent)
select u.company_id, u.id, @now::timestamptz, @now::timestamptz, @expires_at::timestamptz, @idle_seconds::integer, @address::inet, @user_agent::text
from users u where u.company_id = @company_id and u.id = @user_id and u.hidden_at is null for share
returning id;

-- name: noteSeen :exec
update sign_ins set seen_at = @now, idle_seconds = @idle_seconds
where company_id = @company_id and id = @id and ended_at is null;

-- name: endSignIn :many
update sign_ins set ended_at = @now
where company_id = @company_id and user_id = @user_id and id = @id and ended_at is null
returning user_id, address, user_agent;

-- endSignIns ends every sign-in of some users but one.
-- name: endSignIns :many
update sign_ins set ended_at = @now::timestamptz
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and id <> @except_id and ended_at is null
returning user_id, address, user_agent;

-- endDueSignIns ends sign-ins whose time has passed, at that time. It skips those
-- that a request is using.
-- name: endDueSignIns :many
with due as (
  select company_id, id, least(expires_at, seen_at + (idle_seconds + 60) * interval '1 second') as at from sign_ins
  where ended_at is null and (expires_at < @now::timestamptz or seen_at + (idle_seconds + 60) * interval '1 second' < @now::timestamptz)
  limit @size for update skip locked
)
update sign_ins s set ended_at = due.at from due where s.company_id = due.company_id and s.id = due.id
returning s.company_id, s.user_id, s.address, s.user_agent, s.ended_at::timestamptz as at, (s.expires_at <= s.ended_at)::boolean as expired;

-- signInState returns whether a user's sign-in has ended.
-- name: signInState :one
select (ended_at is not null)::boolean from sign_ins where company_id = @company_id and user_id = @user_id and id = @id;

-- SignIns returns the browsers in which a user is signed in, the latest
-- activity first.
-- name: SignIns :many
select id, created_at, seen_at, address, user_agent from sign_ins
where company_id = @company_id and user_id = @user_id and ended_at is null and expires_at > sqlc.arg(now)
  and seen_at + (idle_seconds + 60) * interval '1 second' > sqlc.arg(now)
order by seen_at desc, id desc;

-- takeTry counts an attempt to sign in before the password is checked, so that
-- simultaneous attempts are all counted.
-- name: takeTry :one
insert into sign_in_failures (subject, failures, since) values (@subject, 1, @now)
on conflict (subject) do update set
  failures = case when sign_in_failures.since < @window_start then 1 else sign_in_failures.failures + 1 end,
  since = case when sign_in_failures.since < @window_start then excluded.since else sign_in_failures.since end
returning failures;

-- name: forgetTries :exec
delete from sign_in_failures where subject = @subject;

-- name: giveTryBack :exec
update sign_in_failures set failures = greatest(failures - 1, 0) where subject = @subject;

-- name: deleteOldTries :exec
delete from sign_in_failures where since < @before;

-- insertAccessToken adds nothing for a hidden user, as insertSignIn.
-- name: insertAccessToken :one
insert into tokens (company_id, user_id, hash, scopes, created_at, expires_at)
select u.company_id, u.id, @hash::bytea, '{}', @now::timestamptz, @expires_at::timestamptz
from users u where u.company_id = @company_id and u.id = @user_id and u.hidden_at is null for share
returning id;

-- name: insertToken :one
insert into tokens (company_id, hash, scopes, created_at)
values (@company_id, @hash, @scopes, @now)
returning id;

-- name: tokenByHash :one
select * from tokens where hash = @hash;

-- noteTokenUsed notes the use of a token that nobody noted since a time.
-- name: noteTokenUsed :exec
update tokens set used_at = @now::timestamptz
where company_id = @company_id and id = @id and (used_at is null or used_at <= @before::timestamptz);

-- name: revokeToken :many
update tokens set revoked_at = @now where company_id = @company_id and hash = @hash and revoked_at is null returning user_id;

-- revokeTokenByID revokes a user's token.
-- name: revokeTokenByID :many
update tokens set revoked_at = @now
where company_id = @company_id and user_id = @user_id::bigint and id = @id and revoked_at is null and expires_at > @now
returning user_id::bigint;

-- revokeTokens revokes the tokens of some users.
-- name: revokeTokens :many
update tokens set revoked_at = @now::timestamptz
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and revoked_at is null
returning user_id::bigint, (expires_at <= @now::timestamptz)::boolean as expired;

-- endDueTokens marks tokens that have expired, at that time.
-- name: endDueTokens :many
with due as (
  select company_id, id from tokens where expires_at < @now::timestamptz and revoked_at is null limit @size for update skip locked
)
update tokens t set revoked_at = t.expires_at from due where t.company_id = due.company_id and t.id = due.id
returning t.company_id, t.user_id, t.revoked_at::timestamptz as at;

-- tokenState returns whether a user's token has ended.
-- name: tokenState :one
select (revoked_at is not null or expires_at <= @now::timestamptz)::boolean from tokens where company_id = @company_id and user_id = @user_id::bigint and id = @id;

-- Tokens returns the access tokens of a user that have not ended, the latest first.
-- name: Tokens :many
select id, created_at, expires_at::timestamptz as expires_at, used_at from tokens
where company_id = @company_id and user_id = @user_id::bigint and revoked_at is null and expires_at > sqlc.arg(now)::timestamptz
order by created_at desc, id desc;

-- ServiceTokens returns the service tokens of a company that have not ended, the latest
-- first.
-- name: ServiceTokens :many
select id, scopes, created_at, used_at from tokens
where company_id = @company_id and user_id is null and revoked_at is null
order by created_at desc, id desc;

-- serviceTokenScopes returns the scopes of a service token, which may have ended.
-- name: serviceTokenScopes :one
select scopes from tokens where company_id = @company_id and id = @id and user_id is null;

-- name: revokeServiceToken :execrows
update tokens set revoked_at = @now::timestamptz where company_id = @company_id and id = @id and user_id is null and revoked_at is null;

-- triesOf returns how many tries a subject took since a time.
-- name: triesOf :one
select failures, since from sign_in_failures where subject = @subject and since >= @window_start;

-- emailOf returns the email of a person.
-- name: emailOf :one
select email from users where company_id = @company_id and id = @user_id and not bot;

-- name: deleteDeadTokens :exec
delete from tokens where expires_at < @before or revoked_at < @before;

-- name: deleteDeadSignIns :exec
delete from sign_ins where expires_at < @before or ended_at < @before;

-- name: deleteDeadSessions :exec
delete from sessions where expiry < @before;

-- lastSeen returns when some users were last seen in a browser; those without a
-- sign-in are missing.
-- name: lastSeen :many
select id.user_id::bigint as user_id, s.seen_at
from unnest(@user_ids::bigint[]) as id (user_id)
cross join lateral (
  select seen_at from sign_ins where company_id = @company_id and sign_ins.user_id = id.user_id order by seen_at desc limit 1
) s;
