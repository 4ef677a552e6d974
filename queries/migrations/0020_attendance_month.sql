-- The records of a person's month in one row, so that a page of weeks or months
-- reads a row for each person instead of thirty. day_records stays the truth:
-- whoever writes it writes this in the same transaction, without the deleted
-- records, and a row for each department that the person was in.

-- +goose Up

-- days is an entry of 21 bytes for each record, in the order of the dates,
-- queries/attendance_month.go reads them; statuses has the bit 1 << code of each
-- status among them, edited tells of an edited one. holidays are their names,
-- one a line; versions are the policies they go by, in twelve bytes each: the id
-- and the number of the version. The space left in each page keeps an update on it.
create table attendance_months (
  company_id    bigint not null,
  user_id       bigint not null,
  month         date not null,
  department_id bigint not null,
  days          bytea not null,
  statuses      integer not null,
  edited        boolean not null,
  holidays      text not null default '',
  versions      bytea not null,
  primary key (company_id, user_id, month, department_id)
) with (fillfactor = 70);

-- make_attendance_months makes the rows of a company, or of some of its people,
-- anew from the records.
-- +goose StatementBegin
create function make_attendance_months(of_company bigint, of_users bigint[] default null) returns void language sql as $$
  delete from attendance_months where company_id = of_company and (of_users is null or user_id = any (of_users));

  insert into attendance_months (company_id, user_id, month, department_id, days, statuses, edited, holidays, versions)
  with records as (
    select r.*, date_trunc('month', r.work_date)::date as month,
      dense_rank() over (partition by r.user_id, date_trunc('month', r.work_date), r.department_id order by r.policy_id, r.version_no) as version_place,
      coalesce(array_position(array['leave', 'holiday_work', 'holiday', 'absent', 'missing_departure', 'late_and_early', 'late',
        'early_leave', 'working', 'before', 'on_time', 'not_due'], r.status), 0) as status_code,
      coalesce(array_position(array['workday', 'day_off', 'holiday', 'leave', 'half_leave_am', 'half_leave_pm'], r.day_type), 0) as type_code,
      coalesce(array_position(array['not_due', 'before', 'working', 'left', 'absent', 'missing_departure'], r.presence), 0) as presence_code
    from day_records r
    where r.company_id = of_company and (of_users is null or r.user_id = any (of_users)) and r.deleted_at is null
  ), names as (
    select user_id, month, department_id, array_agg(distinct holiday collate "C" order by holiday collate "C") as holidays
    from records where holiday <> '' group by user_id, month, department_id
  )
  select r.company_id, r.user_id, r.month, r.department_id,
    string_agg(
      int4send((extract(day from r.work_date)::integer << 24) | (r.status_code << 16) | (r.type_code << 8) | r.presence_code)
      || int2send(((r.extra::integer << 8) | ((r.arrival_at is not null)::integer << 9)
        | case r.holiday when '' then 0 else array_position(n.holidays, r.holiday collate "C") end)::smallint)
      || int4send(r.flags) || int2send(coalesce(r.worked_min, -1)::smallint)
      || int2send(r.overtime_min::smallint) || int2send(r.night_min::smallint) || int2send(r.required_min::smallint)
      || int2send(floor(extract(epoch from r.opens_at - r.work_date::timestamp at time zone 'UTC') / 60)::smallint)
      || set_byte('\x00', 0, r.version_place::integer),
      '' order by r.work_date, r.extra),
    bit_or(1 << r.status_code), bool_or(r.flags & 1024 <> 0), coalesce(array_to_string(n.holidays, E'\n'), ''),
    string_agg(distinct int8send(r.policy_id) || int4send(r.version_no), ''::bytea order by int8send(r.policy_id) || int4send(r.version_no))
  from records r
  left join names n using (user_id, month, department_id)
  group by r.company_id, r.user_id, r.month, r.department_id, n.holidays;
$$;
-- +goose StatementEnd

select make_attendance_months(id) from companies;
