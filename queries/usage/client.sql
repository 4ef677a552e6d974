-- knownClientEvents is knownFiles for events of clients.
-- name: knownClientEvents :many
select k.position::integer as position
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@ids::text[]) as id, generate_subscripts(@ids::text[], 1) as position) k
cross join lateral (select e.event_id from client_events e
  where e.company_id = @company_id and e.event_id = k.id and e.user_id = k.user_id and e.occurred_at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz limit 1) known;

-- name: copyClientEvents :copyfrom
insert into client_events (company_id, event_id, occurred_at, user_id, platform, device_id, kind, version, os, device_name, push_alive, received_at)
values (@company_id, @event_id, @occurred_at, @user_id, @platform, @device_id, @kind, @version, @os, @device_name, @push_alive, @received_at);

-- addClientPeople makes a row for whoever has none, in one order, so that
-- transactions that wait for each other do so in the same order.
-- name: addClientPeople :exec
insert into client_people (company_id, user_id, platform, installed, devices, system, version, version_number, os, os_number, device_name)
select @company_id, k.user_id, k.platform, false, 0, '', '', 0, '', 0, ''
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@platforms::text[]) as platform) k
order by k.user_id, k.platform
on conflict (company_id, user_id, platform) do nothing;

-- lockClientPeople makes other transactions with installations of these people wait,
-- and counts the rows.
-- name: lockClientPeople :one
select count(*) from (
  select c.user_id from client_people c
  join (select unnest(@user_ids::bigint[]) as user_id, unnest(@platforms::text[]) as platform) k on k.user_id = c.user_id and k.platform = c.platform
  where c.company_id = @company_id order by c.user_id, c.platform for update of c
) locked;

-- installationsOf returns the installations of some people on some platforms.
-- name: installationsOf :many
select i.* from (select unnest(@user_ids::bigint[]) as user_id, unnest(@platforms::text[]) as platform) k
join installations i on i.company_id = @company_id and i.user_id = k.user_id and i.platform = k.platform
order by i.user_id, i.platform, i.device_id;

-- Arrays have no null times in Go, so rows are passed as JSON.
-- name: saveInstallations :exec
insert into installations (company_id, user_id, platform, device_id, installed, state_at, state_event, version, os, device_name, described_at, described_event, push_alive, push_at, push_event, first_login_at, last_login_at)
select r.company_id, r.user_id, r.platform, r.device_id, r.installed, r.state_at, r.state_event, r.version, r.os, r.device_name, r.described_at, r.described_event, r.push_alive, r.push_at, r.push_event, r.first_login_at, r.last_login_at
from jsonb_to_recordset(@rows::jsonb) as r(company_id bigint, user_id bigint, platform text, device_id text, installed boolean, state_at timestamptz, state_event text, version text, os text, device_name text, described_at timestamptz, described_event text, push_alive boolean, push_at timestamptz, push_event text, first_login_at timestamptz, last_login_at timestamptz)
on conflict (company_id, user_id, platform, device_id) do update set installed = excluded.installed, state_at = excluded.state_at, state_event = excluded.state_event,
  version = excluded.version, os = excluded.os, device_name = excluded.device_name, described_at = excluded.described_at, described_event = excluded.described_event,
  push_alive = excluded.push_alive, push_at = excluded.push_at, push_event = excluded.push_event,
  first_login_at = excluded.first_login_at, last_login_at = excluded.last_login_at;

-- name: saveClientPeople :exec
insert into client_people (company_id, user_id, platform, installed, devices, system, version, version_number, os, os_number, device_name, push_alive, first_login_at, last_login_at)
select r.company_id, r.user_id, r.platform, r.installed, r.devices, r.system, r.version, r.version_number, r.os, r.os_number, r.device_name, r.push_alive, r.first_login_at, r.last_login_at
from jsonb_to_recordset(@rows::jsonb) as r(company_id bigint, user_id bigint, platform text, installed boolean, devices integer, system text, version text, version_number bigint, os text, os_number bigint, device_name text, push_alive boolean, first_login_at timestamptz, last_login_at timestamptz)
on conflict (company_id, user_id, platform) do update set installed = excluded.installed, devices = excluded.devices, system = excluded.system,
  version = excluded.version, version_number = excluded.version_number, os = excluded.os, os_number = excluded.os_number, device_name = excluded.device_name,
  push_alive = excluded.push_alive, first_login_at = excluded.first_login_at, last_login_at = excluded.last_login_at;

-- clientGroups counts the people who have a client installed by what the rules ask
-- of it. Hidden people do not count.
-- name: clientGroups :many
select c.platform, c.system, c.version, c.version_number, c.os_number, count(*) as people from client_people c
where c.company_id = @company_id and c.installed and c.platform = any (@platforms::text[])
  and not exists (select from users u where u.company_id = c.company_id and u.id = c.user_id and u.hidden_at is not null)
group by c.platform, c.system, c.version, c.version_number, c.os_number
order by c.platform, c.version_number desc, c.system, c.version, c.os_number;

-- countIdleClients counts the people who have a client installed that they have not
-- used since a time: neither have they signed in, nor is there a device on which it was
-- installed since then.
-- name: countIdleClients :one
select count(*) from (
  select c.user_id from client_people c
  where c.company_id = @company_id and c.installed and c.platform = @platform and c.last_login_at < sqlc.arg(since)::timestamptz
  union all
  select c.user_id from client_people c where c.company_id = @company_id and c.installed and c.platform = @platform and c.last_login_at is null
) c
where not exists (select from users u where u.company_id = @company_id and u.id = c.user_id and u.hidden_at is not null)
  and not exists (select from installations i where i.company_id = @company_id and i.user_id = c.user_id and i.platform = @platform and i.installed and i.state_at >= sqlc.arg(since)::timestamptz);

-- ClientsOf returns the clients of a person, that of the PC last.
-- name: ClientsOf :many
select * from client_people where company_id = @company_id and user_id = @user_id order by platform;

-- clientDays returns the days of a period, the earliest first.
-- name: clientDays :many
select * from client_days where company_id = @company_id and platform = @platform and day between sqlc.arg(first)::date and sqlc.arg(last)::date
order by day, version;

-- name: deleteClientDay :exec
delete from client_days where company_id = @company_id and day = @day;

-- name: copyClientDays :copyfrom
insert into client_days (company_id, day, platform, version, people) values (@company_id, @day, @platform, @version, @people);

-- lockClientDay makes other transactions that count the same company wait.
-- name: lockClientDay :exec
select pg_advisory_xact_lock(hashtextextended('client_days', sqlc.arg(company_id)::bigint));

-- companyZones returns the companies that have clients, with their time zones.
-- name: companyZones :many
select c.id, c.time_zone from companies c where exists (select from client_people p where p.company_id = c.id) order by c.id;

-- name: userName :one
select name from users where company_id = @company_id and id = @id;
