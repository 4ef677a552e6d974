-- lockClockLane serializes the transactions that take clock events of the people of a
-- lane, while none has the lock of lockAttendance or lockAttendanceShared. They call
-- noteRecords before they end.
-- name: lockClockLane :exec
select pg_advisory_xact_lock_shared(hashtextextended('attendance', @company_id::bigint)),
  pg_advisory_xact_lock(hashtextextended('attendance/' || sqlc.arg(lane)::integer, @company_id::bigint));

-- clockPeople returns users, without bots, with what is needed to accept their
-- clock events.
-- name: clockPeople :many
select u.id, u.name, u.hidden_at, u.created_at, u.location_consent_at, d.id as department_id, d.ancestors, c.policy_version, c.time_zone
from users u
join companies c on c.id = u.company_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and not u.bot;

-- formerUsers returns the names and departments that users had until some time, the
-- earliest first.
-- name: formerUsers :many
select h.user_id, h.until, h.name, d.id as department_id, d.ancestors
from user_history h
join departments d on d.company_id = h.company_id and d.id = h.department_id
where h.company_id = @company_id and h.user_id = any (@ids::bigint[])
order by h.user_id, h.until;

-- eventsBetween returns the events that count: those of reverted imports do not.
-- name: eventsBetween :many
select e.* from clock_events e
where e.company_id = @company_id and e.user_id = any (@user_ids::bigint[]) and e.at >= sqlc.arg(since)::timestamptz and e.at < sqlc.arg(until)::timestamptz
  and (e.import_id is null or e.import_id not in (select i.id from attendance_imports i where i.company_id = @company_id and i.reverted_at is not null))
order by e.user_id, e.at, e.event_id;

-- knownEvents returns those of the users' event ids that are stored already, at times
-- from one to another. The second bound avoids a search in the partitions of
-- later months.
-- name: knownEvents :many
select e.user_id, e.event_id
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@ids::text[]) as id) k
join clock_events e on e.company_id = @company_id and e.user_id = k.user_id and e.event_id = k.id
where e.at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz;

-- copyEvents inserts events of which none is stored yet.
-- name: copyEvents :copyfrom
insert into clock_events (company_id, user_id, at, event_id, kind, occurred_at, sent_at, received_at, offline, platform, device_id, ip,
  lat, lng, accuracy_m, place, proof, mock, outside, device_new, reason, source, import_id)
values (@company_id, @user_id, @at, @event_id, @kind, @occurred_at, @sent_at, @received_at, @offline, @platform, @device_id, @ip,
  @lat, @lng, @accuracy_m, @place, @proof, @mock, @outside, @device_new, @reason, @source, @import_id);

-- devicesOf returns the devices of users that are registered, or no longer are.
-- name: devicesOf :many
select user_id, device_id, (removed_at is null)::bool as registered from clock_devices where company_id = @company_id and user_id = any (@user_ids::bigint[]);

-- name: insertDevices :exec
insert into clock_devices (company_id, user_id, device_id, first_at)
select @company_id, d.user_id, d.device_id, @now
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@device_ids::text[]) as device_id) d
on conflict (company_id, user_id, device_id) do update set removed_at = null where clock_devices.removed_at is not null;

-- name: removeDevices :exec
insert into clock_devices (company_id, user_id, device_id, first_at, removed_at)
select @company_id, d.user_id, d.device_id, @now, @now
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@device_ids::text[]) as device_id) d
on conflict (company_id, user_id, device_id) do update set removed_at = excluded.removed_at where clock_devices.removed_at is null;
