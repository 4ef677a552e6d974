-- attendanceMonths returns the rows of users from one month to another, by
-- their first days, in no order.
-- name: attendanceMonths :many
select user_id, month, department_id, days, statuses, edited, holidays, versions from attendance_months
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and month between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- name: dropMonths :exec
delete from attendance_months m
using (select unnest(@user_ids::bigint[]) as user_id, unnest(@months::date[]) as month, unnest(@department_ids::bigint[]) as department_id) k
where m.company_id = @company_id and m.user_id = k.user_id and m.month = k.month and m.department_id = k.department_id;

-- overlayDays replaces bytes of the days of months, from positions that begin with 1.
-- name: overlayDays :exec
update attendance_months m set days = overlay(m.days placing k.part from k.position), statuses = k.statuses, edited = k.edited
from (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@months::date[]) as month, unnest(@department_ids::bigint[]) as department_id,
    unnest(@positions::integer[]) as position, unnest(@parts::bytea[]) as part, unnest(@statuses::integer[]) as statuses, unnest(@edited::boolean[]) as edited
) k
where m.company_id = @company_id and m.user_id = k.user_id and m.month = k.month and m.department_id = k.department_id;
