-- name: insertEdit :exec
insert into attendance_edits (company_id, user_id, work_date, extra, at, editor_id, editor_name, field, old_at, new_at, old_text, new_text, reason, correction_id)
values (@company_id, @user_id, @work_date, @extra, @at, @editor_id, @editor_name, @field, @old_at, @new_at, @old_text, @new_text, @reason, @correction_id);

-- editsOf are the edits of a record, the latest first.
-- name: editsOf :many
select * from attendance_edits
where company_id = @company_id and user_id = @user_id and work_date = @work_date and extra = @extra
order by id desc;

-- lastEditID is the last edit of a company, 0 for none.
-- name: lastEditID :one
select coalesce(max(id), 0)::bigint from attendance_edits where company_id = @company_id;

-- name: putGrant :exec
insert into attendance_grants (company_id, user_id, work_date, leave, overtime_min)
values (@company_id, @user_id, @work_date, @leave, @overtime_min)
on conflict (company_id, user_id, work_date) do update set leave = excluded.leave, overtime_min = excluded.overtime_min;

-- name: hideRecord :one
update day_records set deleted_at = @deleted_at
where company_id = @company_id and user_id = @user_id and work_date = @work_date and extra = @extra
returning *;

-- recordNames are the words around a record; "" for what does not exist.
-- name: recordNames :one
select
  coalesce((select d.name from departments d where d.company_id = @company_id and d.id = @department_id), '')::text as department,
  coalesce((select v.name from policy_versions v where v.company_id = @company_id and v.policy_id = @policy_id and v.no = @no), '')::text as policy_name;

-- noteView remembers the last time that somebody opened somebody else's record.
-- name: noteView :exec
insert into attendance_views (company_id, user_id, work_date, viewer_id, viewer_name, at)
values (@company_id, @user_id, @work_date, @viewer_id, @viewer_name, @at)
on conflict (company_id, user_id, work_date, viewer_id) do update set viewer_name = excluded.viewer_name, at = excluded.at;

-- name: viewsOf :many
select * from attendance_views
where company_id = @company_id and user_id = @user_id and work_date = @work_date
order by at desc, viewer_id;

-- name: insertCorrection :one
insert into attendance_corrections (company_id, user_id, work_date, extra, department_id, arrival_at, departure_at, reason, created_at)
values (@company_id, @user_id, @work_date, @extra, @department_id, @arrival_at, @departure_at, @reason, @created_at)
returning *;

-- correctionsOf are the requests about a record, the latest first.
-- name: correctionsOf :many
select * from attendance_corrections
where company_id = @company_id and user_id = @user_id and work_date = @work_date and extra = @extra
order by id desc;

-- name: correction :one
select * from attendance_corrections where company_id = @company_id and id = @id;

-- name: decideCorrection :execrows
update attendance_corrections
set status = @status, decided_at = @decided_at, decided_by = @decided_by, decider_name = @decider_name, answer = @answer
where company_id = @company_id and id = @id and status = 'pending';

-- pendingCorrections are requests that wait behind an id, the oldest first, with
-- the record as it is.
-- name: pendingCorrections :many
select sqlc.embed(c), u.name, coalesce(d.name, '')::text as department,
  r.arrival_at as record_arrival_at, r.departure_at as record_departure_at, coalesce(r.status, '')::text as record_status,
  coalesce((select e.id from attendance_edits e
    where e.company_id = c.company_id and e.user_id = c.user_id and e.work_date = c.work_date and e.extra = c.extra
    order by e.id desc limit 1), 0)::bigint as last_edit_id
from attendance_corrections c
join users u on u.company_id = c.company_id and u.id = c.user_id
left join departments d on d.company_id = c.company_id and d.id = c.department_id
left join day_records r on r.company_id = c.company_id and r.user_id = c.user_id and r.work_date = c.work_date and r.extra = c.extra
where c.company_id = @company_id and c.status = 'pending' and c.id > @after and c.user_id <> @except_user_id
  and (@everybody::boolean or c.department_id = any (@department_ids::bigint[]))
order by c.id limit @size;

-- name: countPendingCorrections :one
select count(*) from (
  select from attendance_corrections c
  where c.company_id = @company_id and c.status = 'pending' and c.user_id <> @except_user_id
    and (@everybody::boolean or c.department_id = any (@department_ids::bigint[]))
  limit @most
) counted;

-- unsettled reports whether a record of a month is still open.
-- name: unsettled :one
select exists (
  select from day_records
  where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and settles_at is not null);

-- name: lockMonth :execrows
insert into attendance_locks (company_id, month, locked_at, locked_by) values (@company_id, @month, @locked_at, @locked_by)
on conflict do nothing;

-- name: unlockMonth :execrows
delete from attendance_locks where company_id = @company_id and month = @month;

-- allLocks are the locked months of a company, the latest first. Whoever locked
-- one and is gone has no name.
-- name: allLocks :many
select l.month, l.locked_at, coalesce(u.name, '')::text as locked_by_name
from attendance_locks l left join users u on u.company_id = l.company_id and u.id = l.locked_by
where l.company_id = @company_id
order by l.month desc;
