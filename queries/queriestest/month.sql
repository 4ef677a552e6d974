-- What attendance.Store writes to attendance_months, computed from the records by
-- PostgreSQL instead: of company $1, and of users $2 or, where it is null, of all.
insert into attendance_months (company_id, user_id, month, department_id, days, statuses, edited, holidays, versions)
with records as (
  select r.*, date_trunc('month', r.work_date)::date as month,
    dense_rank() over (partition by r.user_id, date_trunc('month', r.work_date), r.department_id order by r.policy_id, r.version_no) as version_index,
    coalesce(array_position(array['leave', 'holiday_work', 'holiday', 'absent', 'missing_departure', 'late_and_early', 'late',
      'early_leave', 'working', 'before', 'on_time', 'not_due', 'missing_arrival', 'day_off'], r.status), 0) as status_code,
    coalesce(array_position(array['workday', 'day_off', 'holiday', 'leave', 'half_leave_am', 'half_leave_pm'], r.day_type), 0) as type_code,
    coalesce(array_position(array['not_due', 'before', 'working', 'left', 'absent', 'missing_departure', 'missing_arrival'], r.presence), 0) as presence_code
  from day_records r
  where r.company_id = $1 and ($2::bigint[] is null or r.user_id = any ($2::bigint[])) and r.deleted_at is null
), names as (
  select user_id, month, department_id, array_agg(distinct holiday collate "C" order by holiday collate "C") as holidays
  from records where holiday <> '' group by user_id, month, department_id
)
select r.company_id, r.user_id, r.month, r.department_id,
  '\x00'::bytea || string_agg(
    int4send((extract(day from r.work_date)::integer << 24) | (r.status_code << 16) | (r.type_code << 8) | r.presence_code)
    || int2send(((r.extra::integer << 8) | ((r.arrival_at is not null)::integer << 9) | ((r.balance_min is not null)::integer << 10)
      | case r.holiday when '' then 0 else array_position(n.holidays, r.holiday collate "C") end)::smallint)
    || int4send(r.flags) || int2send(coalesce(r.worked_min, -1)::smallint)
    || int2send(r.night_min::smallint) || int2send(r.required_min::smallint)
    || int2send(floor(extract(epoch from r.opens_at - r.work_date::timestamp at time zone 'UTC') / 60)::smallint)
    || int2send(r.holiday_min::smallint) || int2send(r.holiday_over_min::smallint) || int4send(r.overtime_min) || int4send(coalesce(r.balance_min, 0))
    || set_byte('\x00', 0, r.version_index::integer),
    '' order by r.work_date, r.extra),
  bit_or(1 << r.status_code), bool_or(r.flags & 1024 <> 0), coalesce(array_to_string(n.holidays, E'\n'), ''),
  string_agg(distinct int8send(r.policy_id) || int4send(r.version_no), ''::bytea order by int8send(r.policy_id) || int4send(r.version_no))
from records r
left join names n using (user_id, month, department_id)
group by r.company_id, r.user_id, r.month, r.department_id, n.holidays
