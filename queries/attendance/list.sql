-- recordPlace returns what a record is sorted by in the orders of a day. In
-- place of an extra record that no longer exists, it is that of the day's own
-- record.
-- name: recordPlace :one
select name, user_id, extra, department_id, arrival_at, worked_min from day_records
where company_id = @company_id and user_id = @user_id and work_date = @work_date
order by (extra = @extra::boolean) desc limit 1;

-- deletedRecordUsers returns the users with a deleted record between two dates.
-- name: deletedRecordUsers :many
select distinct user_id from attendance_edits
where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and field = 'deleted';

-- editsOfRecords returns the edits of records, the latest first.
-- name: editsOfRecords :many
select e.* from (select distinct * from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k) k
join attendance_edits e on e.company_id = @company_id and e.user_id = k.user_id and e.work_date = k.work_date and e.undone_at is null
order by e.id desc;

-- statusCounts counts the records of a date by department and status. Before
-- the window of their day opens, users are not due (see Record.AsOf).
-- name: statusCounts :many
select department_id, (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status, count(*) as records
from day_records where company_id = @company_id and work_date = @work_date and deleted_at is null
group by 1, 2;

-- statusCountsOfCompany counts the records of a date by status, and those of
-- them that are not due. It neither compares departments nor computes a status
-- for each record, which would take twice as long.
-- name: statusCountsOfCompany :many
select status, count(*) as records, count(*) filter (where status = 'before' and opens_at > @now) as not_due
from day_records where company_id = @company_id and work_date = @work_date and deleted_at is null
group by status;

-- name: statusCountsOfDepartments :many
select (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status, count(*) as records
from day_records
where company_id = @company_id and work_date = @work_date and deleted_at is null and department_id = any (@department_ids::bigint[])
group by 1;

-- ownStatuses returns the statuses of a user on a date, with the departments of
-- the records.
-- name: ownStatuses :many
select department_id, (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status
from day_records
where company_id = @company_id and user_id = @user_id and work_date = @work_date and deleted_at is null;

-- recordsOfKeys returns records by their keys, the latest date first, each date
-- by name.
-- name: recordsOfKeys :many
select sqlc.embed(r), coalesce(u.employee_id, '')::text as employee_id, (u.hidden_at is not null)::bool as hidden, coalesce(d.name, '')::text as department_name
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra) k
join day_records r on r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra
left join users u on u.company_id = r.company_id and u.id = r.user_id
left join departments d on d.company_id = r.company_id and d.id = r.department_id
order by r.work_date desc, r.name, r.user_id, r.extra;

-- listedUsers returns what lists of records show of users besides their names.
-- name: listedUsers :many
select id, employee_id, (hidden_at is not null)::bool as hidden from users where company_id = @company_id and id = any (@ids::bigint[]);

-- changedUserIDs returns users whose name or department has changed after
-- @since.
-- name: changedUserIDs :many
select user_id from user_history where company_id = @company_id and until >= @since limit @size;
