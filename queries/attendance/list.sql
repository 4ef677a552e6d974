-- recordPlace is where a record stands in the orders of a day. An extra record
-- may be gone, then it is the day's own.
-- name: recordPlace :one
select name, user_id, extra, department_id, arrival_at, worked_min from day_records
where company_id = @company_id and user_id = @user_id and work_date = @work_date
order by (extra = @extra::boolean) desc limit 1;

-- deletedRecordUsers are the people a record of whom was deleted between two dates.
-- name: deletedRecordUsers :many
select distinct user_id from attendance_edits
where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and field = 'deleted';

-- editsOfRecords are the edits of what people were on dates, the latest first.
-- name: editsOfRecords :many
select e.* from (select distinct * from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date) k) k
join attendance_edits e on e.company_id = @company_id and e.user_id = k.user_id and e.work_date = k.work_date
order by e.id desc;

-- statusCounts counts the records of a date by department and status. Ahead of
-- the window of their day, people are not due (see DayRecord.AsOf).
-- name: statusCounts :many
select department_id, (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status, count(*) as records
from day_records where company_id = @company_id and work_date = @work_date and deleted_at is null
group by 1, 2;

-- name: statusCountsOfDepartments :many
select (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status, count(*) as records
from day_records
where company_id = @company_id and work_date = @work_date and deleted_at is null and department_id = any (@department_ids::bigint[])
group by 1;

-- ownStatuses are those of a person on a date, with the departments of the records.
-- name: ownStatuses :many
select department_id, (case when status = 'before' and opens_at > @now then 'not_due' else status end)::text as status
from day_records
where company_id = @company_id and user_id = @user_id and work_date = @work_date and deleted_at is null;

-- recordsOfKeys are records by their keys, the latest date first, each by name.
-- name: recordsOfKeys :many
select sqlc.embed(r), coalesce(u.employee_id, '')::text as employee_id, coalesce(d.name, '')::text as department_name
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra) k
join day_records r on r.company_id = @company_id and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra
left join users u on u.company_id = r.company_id and u.id = r.user_id
left join departments d on d.company_id = r.company_id and d.id = r.department_id
order by r.work_date desc, r.name, r.user_id, r.extra;

-- changedUserIDs are people who were called otherwise or were in another
-- department until some time behind @since.
-- name: changedUserIDs :many
select user_id from user_history where company_id = @company_id and until >= @since limit @size;
