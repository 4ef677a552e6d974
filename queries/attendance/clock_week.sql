-- workedDays returns the worked minutes of users on the dates of their records.
-- name: workedDays :many
select user_id, work_date, sum(worked_min)::int as worked_min
from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and worked_min is not null and deleted_at is null
group by user_id, work_date;

-- insertNotices stores what people are told, and returns what they had not been told
-- before.
-- name: insertNotices :many
insert into clock_notices (company_id, day, user_id, kind, noticed_at)
select @company_id, n.day, n.user_id, n.kind, @now
from (select unnest(@days::date[]) as day, unnest(@user_ids::bigint[]) as user_id, unnest(@kinds::text[]) as kind) n
on conflict do nothing
returning day, user_id, kind;
