-- name: insertCorrection :one
insert into attendance_corrections (company_id, user_id, work_date, extra, department_id, arrival_at, departure_at, reason, created_at)
values (@company_id, @user_id, @work_date, @extra, @department_id, @arrival_at, @departure_at, @reason, @created_at)
returning *;

-- correctionsOf returns the requests about a record, the latest first.
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

-- pendingCorrections returns pending requests with ids above @after, the oldest
-- first, with the current values of the record. Those of hidden users are left
-- out.
-- name: pendingCorrections :many
select sqlc.embed(c), u.name, coalesce(d.name, '')::text as department,
  r.arrival_at as record_arrival_at, r.departure_at as record_departure_at, coalesce(r.status, '')::text as record_status,
  coalesce((select e.id from attendance_edits e
    where e.undone_at is null and e.company_id = c.company_id and e.user_id = c.user_id and e.work_date = c.work_date and e.extra = c.extra
    order by e.id desc limit 1), 0)::bigint as last_edit_id,
  exists (select from attendance_locks l where l.company_id = c.company_id and l.month = date_trunc('month', c.work_date)::date) as locked
from attendance_corrections c
join users u on u.company_id = c.company_id and u.id = c.user_id and u.hidden_at is null
left join departments d on d.company_id = c.company_id and d.id = c.department_id
left join day_records r on r.company_id = c.company_id and r.user_id = c.user_id and r.work_date = c.work_date and r.extra = c.extra
where c.company_id = @company_id and c.status = 'pending' and c.id > @after and c.user_id <> @except_user_id
  and (@everybody::boolean or c.department_id = any (@department_ids::bigint[]))
order by c.id limit @size;

-- name: countPendingCorrections :one
select count(*) from (
  select from attendance_corrections c
  join users u on u.company_id = c.company_id and u.id = c.user_id and u.hidden_at is null
  where c.company_id = @company_id and c.status = 'pending' and c.user_id <> @except_user_id
    and (@everybody::boolean or c.department_id = any (@department_ids::bigint[]))
  limit @most
) counted;
