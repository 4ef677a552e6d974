-- currentRecords returns of each of some users the record of the day that they are
-- in: one at work first, then one whose window is open, then the next one.
-- name: currentRecords :many
select distinct on (user_id) user_id, day_type, presence, flags, starts_at
from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and closes_at > @now::timestamptz and deleted_at is null
order by user_id, presence = 'working' desc, opens_at > @now::timestamptz, work_date, extra;
