-- putActivities stores when users were last active on dates, and returns those that are
-- later than the stored ones.
-- name: putActivities :many
insert into attendance_activities as a (company_id, user_id, work_date, at)
select @company_id, k.user_id, k.work_date, k.at
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@ats::timestamptz[]) as at) k
on conflict (company_id, user_id, work_date) do update set at = excluded.at where a.at < excluded.at
returning user_id, work_date;

-- name: activitiesBetween :many
select user_id, work_date, at from attendance_activities
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date;
