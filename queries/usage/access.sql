-- accessUsers returns those of some ids and emails that people of the company have.
-- name: accessUsers :many
select id, lower(email)::text as email from users
where company_id = @company_id and not bot and (id = any (@ids::bigint[]) or email <> '' and lower(email) = any (@emails::text[]));

-- AccessAccount returns whose sign-in an email belongs to: a person's, or else the
-- company's whose host name it ends with; then user_id is 0.
-- name: AccessAccount :one
select company_id, user_id from (
  select company_id, id::bigint as user_id, 1 as priority from users where lower(email) = lower(@email::text) and email <> ''
  union all
  select id, 0::bigint, 2 from companies where host = lower(split_part(@email::text, '@', 2))
) a order by priority limit 1;

-- knownAccess is knownFiles for the access history. The id of an event without a user is
-- that of its account, which may have become a user's since then.
-- name: knownAccess :many
select k.position::integer as position
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@ids::text[]) as id, generate_subscripts(@ids::text[], 1) as position) k
cross join lateral (select e.event_id from access_events e
  where e.company_id = @company_id and e.event_id = k.id and e.event_id <> '' and e.user_id = k.user_id
    and e.at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz limit 1) known
union all
select k.position::integer
from (select unnest(@accounts::text[]) as account, unnest(@ids::text[]) as id, generate_subscripts(@ids::text[], 1) as position) k
cross join lateral (select e.event_id from access_events e
  where e.company_id = @company_id and e.event_id = k.id and e.event_id <> '' and e.user_id is null and e.account = k.account
    and e.at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz limit 1) known
where k.account <> '';

-- accessHistory returns, for each of some new events, whether its user signed in
-- before, and from this address and device, and how many sign-ins of the user and
-- from the address failed shortly before. Counting ends at a thousand.
-- name: accessHistory :many
select
  exists (select from access_origins o where o.company_id = @company_id and o.user_id = a.user_id)::boolean as seen,
  exists (select from access_origins o where o.company_id = @company_id and o.user_id = a.user_id and o.origin = a.address)::boolean as known_address,
  exists (select from access_origins o where o.company_id = @company_id and o.user_id = a.user_id and o.origin = a.device)::boolean as known_device,
  (case when a.failed and a.user_id <> 0 then (select count(*) from (select from access_events e
    where e.company_id = @company_id and e.user_id = a.user_id and e.kind = 'login' and e.result = 'failed'
      and e.at > a.since and e.at <= a.at limit 1000) f) else 0 end)::bigint as failures,
  (case when a.failed and a.address <> '' then (select count(*) from (select from access_events e
    where e.company_id = @company_id and e.ip = substr(a.address, 9)::inet and e.kind = 'login' and e.result = 'failed'
      and e.at > a.since and e.at <= a.at limit 1000) f) else 0 end)::bigint as address_failures
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@addresses::text[]) as address, unnest(@devices::text[]) as device,
  unnest(@since::timestamptz[]) as since, unnest(@times::timestamptz[]) as at, unnest(@failed::boolean[]) as failed, generate_subscripts(@user_ids::bigint[], 1) as position) a
order by a.position;

-- name: addAccessOrigins :exec
insert into access_origins (company_id, user_id, origin, first_at)
select @company_id, n.user_id, n.origin, n.at
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@origins::text[]) as origin, unnest(@times::timestamptz[]) as at) n
join users u on u.company_id = @company_id and u.id = n.user_id
order by n.user_id, n.origin
on conflict do nothing;

-- name: copyAccess :copyfrom
insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, ip, user_agent, actor_id, actor_name, received_at,
  new_address, new_device, failures, address_failures)
values (@company_id, @at, @event_id, @user_id, @account, @kind, @result, @reason, @source, @platform, @ip, @user_agent, @actor_id, @actor_name, @received_at,
  @new_address, @new_device, @failures, @address_failures);

-- accessAt returns a row by the key of the list.
-- name: accessAt :one
select * from access_events where company_id = @company_id and at = @at and id = @id;

-- accessSums sums a user's latest thousand rows since a time. address is the one
-- that most sign-ins came from.
-- name: accessSums :one
select
  count(*) filter (where kind = 'login' and result = 'ok') as logins,
  count(*) filter (where kind = 'login' and result = 'failed') as failures,
  count(distinct ip) filter (where kind = 'login' and result = 'failed') as failure_addresses,
  coalesce(host(max(ip) filter (where kind = 'login' and result = 'failed')), '')::text as failure_address,
  coalesce(host(mode() within group (order by ip) filter (where kind = 'login' and result = 'ok')), '')::text as address
from (select kind, result, ip from access_events
  where company_id = @company_id and user_id = @user_id::bigint and at >= sqlc.arg(since)::timestamptz order by at desc, id desc limit 1000) a;
