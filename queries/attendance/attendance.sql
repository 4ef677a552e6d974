-- lockAttendance makes everything that derives records of a company wait for
-- each other, until the transaction ends.
-- name: lockAttendance :exec
select pg_advisory_xact_lock(hashtextextended('attendance', @company_id::bigint));

-- clockPeople are people, without bots, with what taking in their events needs.
-- name: clockPeople :many
select u.id, u.name, u.hidden_at, u.location_consent_at, d.id as department_id, d.lineage, c.policy_version, c.time_zone
from users u
join companies c on c.id = u.company_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and not u.bot;

-- name: recordsBetween :many
select * from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
order by user_id, work_date, extra;

-- versionsOf are the versions of the policies that the days of people go by.
-- name: versionsOf :many
select user_id, work_date, policy_id, version_no from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not extra;

-- markRecords sets the flags of records.
-- name: markRecords :exec
update day_records r set flags = k.flags
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra, unnest(@flags::integer[]) as flags) k
where r.company_id = @company_id and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra;

-- name: eventsBetween :many
select * from clock_events
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and at >= sqlc.arg(since)::timestamptz and at < sqlc.arg(until)::timestamptz
order by user_id, at, event_id;

-- name: editsBetween :many
select * from attendance_edits
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
order by id;

-- name: grantsBetween :many
select * from attendance_grants
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- name: lockedMonths :many
select month from attendance_locks where company_id = @company_id and month between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- knownEvents are those of the ids that were taken in, of times between two: an
-- end spares looking into the partitions of the months ahead.
-- name: knownEvents :many
select event_id from clock_events
where company_id = @company_id and event_id = any (@ids::text[]) and at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz;

-- copyEvents adds facts of which none is there yet.
-- name: copyEvents :copyfrom
insert into clock_events (company_id, user_id, at, event_id, kind, occurred_at, sent_at, received_at, offline, platform, device_id, ip,
  lat, lng, accuracy_m, place, proof, mock, outside, device_new, reason, source)
values (@company_id, @user_id, @at, @event_id, @kind, @occurred_at, @sent_at, @received_at, @offline, @platform, @device_id, @ip,
  @lat, @lng, @accuracy_m, @place, @proof, @mock, @outside, @device_new, @reason, @source);

-- devicesOf are the registered devices of people.
-- name: devicesOf :many
select user_id, device_id from clock_devices where company_id = @company_id and user_id = any (@user_ids::bigint[]);

-- name: insertDevices :exec
insert into clock_devices (company_id, user_id, device_id, first_at)
select @company_id, d.user_id, d.device_id, @now
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@device_ids::text[]) as device_id) d
on conflict do nothing;

-- name: deleteDevices :exec
delete from clock_devices d using (select unnest(@user_ids::bigint[]) as user_id, unnest(@device_ids::text[]) as device_id) k
where d.company_id = @company_id and d.user_id = k.user_id and d.device_id = k.device_id;

-- name: versionSettings :many
select v.policy_id, v.no, v.settings
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) k
join policy_versions v on v.company_id = @company_id and v.policy_id = k.policy_id and v.no = k.no;

-- name: dropExtraRecords :exec
delete from day_records r using (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k
where r.company_id = @company_id and r.user_id = k.user_id and r.work_date = k.work_date and r.extra;

-- name: opening :one
select directory_version, policy_version from attendance_openings where company_id = @company_id and work_date = @work_date;

-- name: noteOpening :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
values (@company_id, @work_date, @directory_version, @policy_version)
on conflict (company_id, work_date) do update set directory_version = excluded.directory_version, policy_version = excluded.policy_version;

-- noteOpenings notes that everybody has the records of some dates.
-- name: noteOpenings :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
select c.id, d.work_date, c.directory_version, c.policy_version
from companies c, generate_series(sqlc.arg(first)::date, sqlc.arg(last)::date, interval '1 day') d (work_date)
where c.id = @company_id;

-- openingPeople are the next people by id for whom a date begins.
-- name: openingPeople :many
select u.id, u.name, d.id as department_id, d.lineage
from users u join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id > @after_id and not u.bot and u.hidden_at is null
order by u.id limit @size;

-- settling are records that time alone has changed.
-- name: settling :many
select company_id, user_id, work_date from day_records where settles_at <= @now order by company_id, work_date, user_id limit @size;
