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

-- name: endSignIn :execrows
update sign_ins set ended_at = @now
where company_id = @company_id and user_id = @user_id and id = @id and ended_at is null;

-- name: endSignIns :execrows
update sign_ins set ended_at = @now
where company_id = @company_id and user_id = @user_id and id <> @except_id and ended_at is null;

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

-- name: revokeToken :execrows
update tokens set revoked_at = @now where company_id = @company_id and hash = @hash and revoked_at is null;

-- name: revokeTokens :exec
update tokens set revoked_at = @now where company_id = @company_id and user_id = @user_id::bigint and revoked_at is null;

-- endSignInsOf ends every sign-in of some users.
-- name: endSignInsOf :exec
update sign_ins set ended_at = @now::timestamptz
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and ended_at is null;

-- name: revokeTokensOf :exec
update tokens set revoked_at = @now::timestamptz
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and revoked_at is null;

-- name: deleteDeadTokens :exec
delete from tokens where expires_at < @before or revoked_at < @before;

-- name: deleteDeadSignIns :exec
delete from sign_ins where expires_at < @before or ended_at < @before;

-- name: deleteDeadSessions :exec
delete from sessions where expiry < @before;
