-- employeeIDs returns the users of a company who have an employee id. Hidden ones have
-- no name: an import may write their records, but nobody is shown who they are.
-- name: employeeIDs :many
select id, employee_id, (case when hidden_at is null then name else '' end)::text as name from users where company_id = @company_id and employee_id <> '' and not bot order by id;

-- clockedDays returns the arrivals and departures of users between two times.
-- name: clockedDays :many
select e.user_id, e.at, e.event_id, e.kind from clock_events e
where e.company_id = @company_id and e.user_id = any (@user_ids::bigint[]) and e.at >= sqlc.arg(since)::timestamptz and e.at < sqlc.arg(until)::timestamptz
  and e.kind in ('in', 'out')
  and (e.import_id is null or e.import_id not in (select i.id from attendance_imports i where i.company_id = @company_id and i.reverted_at is not null))
order by e.user_id, e.at;

-- name: begunDays :many
select user_id, work_date, (deleted_at is not null)::boolean as deleted from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not extra;

-- name: insertImport :one
insert into attendance_imports (company_id, state, created_at, created_by, created_by_name, files, options, report, replaces_id)
values (@company_id, @state, @created_at, @created_by, @created_by_name, @files, @options, '{}', @replaces_id)
returning id;

-- name: insertImportPerson :exec
insert into attendance_import_people (company_id, import_id, user_id, days, created, granted)
values (@company_id, @import_id, @user_id, @days, @created, @granted);

-- importGrants grants leave on days, which are parallel to the users.
-- name: importGrants :exec
insert into attendance_grants (company_id, user_id, work_date, leave)
select @company_id, unnest(@user_ids::bigint[]), unnest(@days::date[]), unnest(@leaves::text[])
on conflict (company_id, user_id, work_date) do update set leave = excluded.leave;

-- dropImportGrants takes leave back, except for days on which somebody has edited the
-- leave since.
-- name: dropImportGrants :exec
update attendance_grants g set leave = ''
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@days::date[]) as day) k
where g.company_id = @company_id and g.user_id = k.user_id and g.work_date = k.day
  and not exists (select from attendance_edits e where e.company_id = g.company_id and e.user_id = g.user_id and e.work_date = g.work_date
    and e.field = 'leave' and e.at >= sqlc.arg(since)::timestamptz);

-- deleteEmptyGrants deletes the grants of days that grant nothing.
-- name: deleteEmptyGrants :exec
delete from attendance_grants g
using (select unnest(@user_ids::bigint[]) as user_id, unnest(@days::date[]) as day) k
where g.company_id = @company_id and g.user_id = k.user_id and g.work_date = k.day and g.leave = '' and g.overtime_min = 0;

-- name: finishImport :exec
update attendance_imports set state = 'done', files = @files, report = @report, days = @days, people = @people,
  first_date = @first_date, last_date = @last_date, imported_at = @now, seen_at = null
where company_id = @company_id and id = @id;

-- finishRun ends the work on an import that did not import.
-- name: finishRun :exec
update attendance_imports set state = @state, report = @report, days = @days, people = @people, first_date = @first_date, last_date = @last_date, seen_at = null
where company_id = @company_id and id = @id;

-- name: importPeople :many
select user_id, days, created, granted from attendance_import_people
where company_id = @company_id and import_id = @import_id and user_id > @after_id
order by user_id limit @size;

-- isImportOf reports whether an import has days of a user.
-- name: isImportOf :one
select exists (select from attendance_import_people where company_id = @company_id and import_id = @import_id and user_id = @user_id);

-- hasImportDays reports whether an import has days in some months.
-- name: hasImportDays :one
select exists (
  select from attendance_import_people p cross join unnest(p.days) as day
  where p.company_id = @company_id and p.import_id = @import_id and date_trunc('month', day)::date = any (@months::date[])
);

-- lockImport returns an import, which nothing else changes until the transaction ends.
-- name: lockImport :one
select * from attendance_imports where company_id = @company_id and id = @id for update;

-- name: markReverted :exec
update attendance_imports set state = 'reverted', reverted_at = @now, reverted_by = @reverted_by, reverted_by_name = @reverted_by_name, seen_at = null
where company_id = @company_id and id = @id;

-- dropRecords deletes records that only an import had created.
-- name: dropRecords :exec
delete from day_records r using (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and not r.extra;

-- countRecords returns how many of some days have a record.
-- name: countRecords :one
select count(*) from day_records r join (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k
  on r.user_id = k.user_id and r.work_date = k.work_date
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not r.extra;

-- editedImportDays returns days of an import whose records were edited since, and how
-- many there are.
-- name: editedImportDays :many
select u.name, e.user_id, e.work_date, count(*) over () as total
from attendance_imports i
join attendance_import_people p on p.company_id = i.company_id and p.import_id = i.id
join attendance_edits e on e.company_id = p.company_id and e.user_id = p.user_id and e.work_date = any (p.days) and e.at >= i.imported_at and e.undone_at is null
join users u on u.company_id = e.company_id and u.id = e.user_id
where i.company_id = @company_id and i.id = @id
group by u.name, e.user_id, e.work_date
order by e.work_date, u.name, e.user_id limit @size;

-- Imported returns an import of a company.
-- name: Imported :one
select * from attendance_imports where company_id = @company_id and id = @id;

-- name: importsBefore :many
select * from attendance_imports where company_id = @company_id and id < @before order by id desc limit @size;

-- name: importsAfter :many
select * from attendance_imports where company_id = @company_id and id > @after order by id limit @size;

-- CountImports counts the imports of a company.
-- name: CountImports :one
select count(*) from attendance_imports where company_id = @company_id;

-- setImport changes the state and options of an import that nothing works on.
-- name: setImport :execrows
update attendance_imports set state = @state, options = @options, seen_at = null, progress = 0, report = case when @state = 'importing' then report else '{}' end
where company_id = @company_id and id = @id and state in ('draft', 'checked', 'failed');

-- name: startReversal :exec
update attendance_imports set state = 'reverting', seen_at = null, progress = 0, reverted_by = @reverted_by, reverted_by_name = @reverted_by_name
where company_id = @company_id and id = @id;

-- name: stopReversal :exec
update attendance_imports set state = 'done', seen_at = null where company_id = @company_id and id = @id;

-- deleteImport deletes an import that was not imported.
-- name: deleteImport :execrows
delete from attendance_imports where company_id = @company_id and id = @id and state in ('draft', 'checking', 'checked', 'failed');

-- DeleteUnfinishedImports deletes the imports of every company that nobody went on with.
-- name: DeleteUnfinishedImports :exec
delete from attendance_imports where state in ('draft', 'checked', 'failed') and created_at < @before;

-- claimImport returns the next import that no process works on, and marks it. It is
-- NotFound without any.
-- name: claimImport :one
update attendance_imports set seen_at = @now, progress = 0
where (company_id, id) = (
  select o.company_id, o.id from attendance_imports o
  where o.state in ('checking', 'importing', 'reverting') and (o.seen_at is null or o.seen_at < @lost::timestamptz)
  order by o.seen_at nulls first, o.id limit 1 for update skip locked
)
returning *;

-- name: noteImportProgress :exec
update attendance_imports set progress = @progress, seen_at = @now where company_id = @company_id and id = @id and seen_at is not null;

-- ImportFilesInUse returns those of some keys that are the files of an import.
-- name: ImportFilesInUse :many
select distinct (f ->> 'key')::text as key from attendance_imports i, jsonb_array_elements(i.files) f
where i.company_id = @company_id and i.state not in ('done', 'reverting', 'reverted') and f ->> 'key' = any (@keys::text[]);
