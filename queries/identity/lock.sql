-- lockedAccounts returns the visible people of a company whose accounts are locked
-- somewhere, the latest lock first. Their failures are in the access history.
-- name: lockedAccounts :many
select u.id, u.name, u.email, coalesce(d.name, '')::text as department, max(f.failures)::integer as failures, max(f.since)::timestamptz as since
from (
  select distinct e.user_id from access_events e
  where e.company_id = @company_id and e.kind = 'login' and e.result = 'failed' and e.at >= @window_start::timestamptz and e.user_id is not null
) failed
join users u on u.company_id = @company_id and u.id = failed.user_id and u.hidden_at is null
join sign_in_failures f on f.account = lower(u.email) and f.account <> '' and f.failures >= @most::integer and f.since >= @window_start
left join departments d on d.company_id = u.company_id and d.id = u.department_id
group by u.id, u.name, u.email, d.name
order by max(f.since) desc, u.id limit @size;

-- failedAddresses returns an address of each network (see limitedAddress) from which
-- signing in to accounts of a company failed, with how often, and whether the company has
-- unlocked the network.
-- name: failedAddresses :many
select failed.address::inet as address, failed.tries, failed.accounts, (u.address is not null)::boolean as unlocked
from (
  select network(set_masklen(e.ip, case family(e.ip) when 6 then 64 else 32 end)) as network, max(e.ip) as address,
    count(*) as tries, count(distinct coalesce(e.user_id::text, e.account)) as accounts
  from access_events e
  where e.company_id = @company_id and e.kind = 'login' and e.result = 'failed' and e.at >= @window_start::timestamptz and e.ip is not null
  group by 1
) failed
left join unlocked_addresses u on u.company_id = @company_id and u.address = host(failed.network)::inet and u.unlocked_at >= @window_start;

-- locksOf returns those of some subjects that are locked, the latest lock first.
-- name: locksOf :many
select subject, since from sign_in_failures
where subject = any (@subjects::text[]) and failures >= @most::integer and since >= @window_start
order by since desc, subject limit @size;

-- isUnlockedAddress returns whether a company has unlocked an address.
-- name: isUnlockedAddress :one
select exists (select from unlocked_addresses where company_id = @company_id and address = @address and unlocked_at >= @window_start)::boolean;

-- name: unlockAddress :exec
insert into unlocked_addresses (company_id, address, unlocked_at) values (@company_id, @address, @now)
on conflict (company_id, address) do update set unlocked_at = excluded.unlocked_at;

-- name: deleteOldUnlockedAddresses :exec
delete from unlocked_addresses where unlocked_at < @before;
