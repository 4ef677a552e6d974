-- signedIn returns a sign-in that has not been ended, and its user.
-- name: signedIn :one
select sqlc.embed(people), sqlc.embed(s), sqlc.embed(d)
from sign_ins s join people on people.company_id = s.company_id and people.id = s.user_id
join factor_demands d on d.company_id = s.company_id and d.user_id = s.user_id
where s.company_id = @company_id and s.id = @id and s.ended_at is null;

-- signedInBySession returns the data of a browser's session that has not ended, the
-- sign-in that the data names, unless it has been ended, and its user. Sessions of
-- visitors name none; the handlers write the data as JSON.
-- name: signedInBySession :one
select session.data, sqlc.embed(people), sqlc.embed(s), sqlc.embed(d)
from sessions session
cross join lateral (select case when get_byte(session.data, 0) = ascii('{') then convert_from(session.data, 'UTF8')::json -> 'ids' end as ids) named
join sign_ins s on s.company_id = (named.ids ->> 'company')::bigint and s.id = (named.ids ->> 'sign_in')::bigint and s.ended_at is null
join people on people.company_id = s.company_id and people.id = s.user_id
join factor_demands d on d.company_id = s.company_id and d.user_id = s.user_id
where session.token = @token and session.expiry > current_timestamp;

-- signedInByToken returns the sign-in of an access token, which may have ended, and
-- its user.
-- name: signedInByToken :one
select sqlc.embed(people), sqlc.embed(s), sqlc.embed(d)
from sign_ins s join people on people.company_id = s.company_id and people.id = s.user_id
join factor_demands d on d.company_id = s.company_id and d.user_id = s.user_id
where s.token_hash = @token_hash::bytea;

-- name: credentialsByEmail :one
select sqlc.embed(people), coalesce(passwords.hash, '')::text as hash
from people left join passwords on passwords.company_id = people.company_id and passwords.user_id = people.id
where lower(people.email) = lower(@email::text) and people.email <> '';

-- name: HasPassword :one
select exists (select from passwords where company_id = @company_id and user_id = @user_id)::boolean;

-- name: passwordHash :one
select hash from passwords where company_id = @company_id and user_id = @user_id;

-- name: setPassword :exec
insert into passwords (company_id, user_id, hash, changed_at) values (@company_id, @user_id, @hash, @now)
on conflict (company_id, user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at;

-- insertSignIn adds nothing for a hidden user. It waits for a transaction that
-- hides the user, which otherwise could not end this sign-in, and for another
-- sign-in of the user, which otherwise would not be counted.
-- name: insertSignIn :one
insert into sign_ins (company_id, user_id, created_at, seen_at, proved_at, expires_at, idle_seconds, address, user_agent, token_hash, device_hash, factor)
select u.company_id, u.id, @now::timestamptz, @now::timestamptz, @now::timestamptz, @expires_at::timestamptz, @idle_seconds::integer, @address::inet, @user_agent::text,
  sqlc.narg(token_hash)::bytea, sqlc.narg(device_hash)::bytea, @factor::text
from users u where u.company_id = @company_id and u.id = @user_id and u.hidden_at is null for no key update
returning id;

-- name: noteSeen :exec
update sign_ins set seen_at = @now, idle_seconds = @idle_seconds, address = @address
where company_id = @company_id and id = @id and ended_at is null;

-- endSurplusSignIns ends the sign-ins of a user by a kind, browsers or tokens, on all
-- devices but those that were signed in on last. A device is a client at an address.
-- name: endSurplusSignIns :many
update sign_ins s set ended_at = @now::timestamptz
where s.company_id = @company_id and s.user_id = @user_id and s.ended_at is null and (s.token_hash is not null) = @is_token::boolean
  and s.expires_at > @now::timestamptz and s.seen_at + (s.idle_seconds + 60) * interval '1 second' > @now::timestamptz
  and (s.address, s.user_agent) not in (
    select d.address, d.user_agent from sign_ins d
    where d.company_id = @company_id and d.user_id = @user_id and d.ended_at is null and (d.token_hash is not null) = @is_token::boolean
      and d.expires_at > @now::timestamptz and d.seen_at + (d.idle_seconds + 60) * interval '1 second' > @now::timestamptz
    group by d.address, d.user_agent order by max(d.created_at) desc, max(d.id) desc limit @devices)
returning s.user_id, s.address, s.user_agent, (s.token_hash is not null)::boolean as is_token;

-- name: endSignIn :many
update sign_ins set ended_at = @now::timestamptz
where company_id = @company_id and user_id = @user_id and id = @id and ended_at is null
  and expires_at > @now::timestamptz and seen_at + (idle_seconds + 60) * interval '1 second' > @now::timestamptz
returning user_id, address, user_agent, (token_hash is not null)::boolean as is_token;

-- endSignIns ends every sign-in of some users but one.
-- name: endSignIns :many
update sign_ins set ended_at = @now::timestamptz
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and id <> @except_id and ended_at is null
  and expires_at > @now::timestamptz and seen_at + (idle_seconds + 60) * interval '1 second' > @now::timestamptz
returning user_id, address, user_agent, (token_hash is not null)::boolean as is_token;

-- endDueSignIns ends sign-ins whose time has passed, at that time. It skips those
-- that a request is using.
-- name: endDueSignIns :many
with due as (
  select company_id, id, least(expires_at, seen_at + (idle_seconds + 60) * interval '1 second') as at from sign_ins
  where ended_at is null and (expires_at < @now::timestamptz or seen_at + (idle_seconds + 60) * interval '1 second' < @now::timestamptz)
  limit @size for update skip locked
)
update sign_ins s set ended_at = due.at from due where s.company_id = due.company_id and s.id = due.id
returning s.company_id, s.user_id, s.address, s.user_agent, s.ended_at::timestamptz as at, (s.expires_at <= s.ended_at)::boolean as expired,
  (s.token_hash is not null)::boolean as is_token;

-- signInState returns whether a user's sign-in has ended.
-- name: signInState :one
select (ended_at is not null)::boolean from sign_ins where company_id = @company_id and user_id = @user_id and id = @id;

-- SignIns returns the browsers in which a user is signed in and the user's access
-- tokens, the latest activity first.
-- name: SignIns :many
select id, created_at, seen_at, expires_at, address, user_agent, (token_hash is not null)::boolean as is_token from sign_ins
where company_id = @company_id and user_id = @user_id and ended_at is null and expires_at > sqlc.arg(now)
  and seen_at + (idle_seconds + 60) * interval '1 second' > sqlc.arg(now)
order by seen_at desc, id desc;

-- takeTry counts an attempt to sign in before the password is checked, so that
-- simultaneous attempts are all counted.
-- name: takeTry :one
insert into sign_in_failures (subject, account, failures, since) values (@subject, @account, 1, @now)
on conflict (subject) do update set
  failures = case when sign_in_failures.since < @window_start then 1 else sign_in_failures.failures + 1 end,
  since = case when sign_in_failures.since < @window_start then excluded.since else sign_in_failures.since end
returning failures;

-- name: forgetTries :exec
delete from sign_in_failures where subject = @subject;

-- forgetTriesOf forgets the tries of an account from everywhere.
-- name: forgetTriesOf :exec
delete from sign_in_failures where account = @account and account <> '';

-- name: giveTryBack :exec
update sign_in_failures set failures = greatest(failures - 1, 0) where subject = @subject;

-- name: deleteOldTries :exec
delete from sign_in_failures where since < @before;

-- lockOf returns since when the tries are counted that lock an account somewhere, the
-- latest of them.
-- name: lockOf :one
select since from sign_in_failures
where account = @account and account <> '' and failures >= @most and since >= @window_start
order by since desc limit 1;

-- knownOrigin returns whether a user has signed in with a device, or from a network,
-- before.
-- name: knownOrigin :one
select coalesce(bool_or(device_hash = sqlc.narg(device_hash)::bytea), false)::boolean as device,
  coalesce(bool_or(address <<= cast(@network::text as inet)), false)::boolean as network
from sign_ins where company_id = @company_id and user_id = @user_id;

-- emailOf returns the email of a person.
-- name: emailOf :one
select email from users where company_id = @company_id and id = @user_id and not bot;

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
  select seen_at from sign_ins where company_id = @company_id and sign_ins.user_id = id.user_id and token_hash is null order by seen_at desc limit 1
) s;
