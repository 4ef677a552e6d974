-- Premium time of records, and the events that count in none.

-- +goose Up

-- overtime_min has the weekly part too, and no work on holidays any more, which is
-- holiday_min up to eight hours a date and holiday_over_min beyond. balance_min is
-- null without a settlement period. uncounted is the number of events of the record
-- and of its date that have no part in its figures.
alter table day_records
  add column holiday_min integer not null default 0,
  add column holiday_over_min integer not null default 0,
  add column balance_min integer,
  add column uncounted integer not null default 0;

-- Such records are few.
create index day_records_uncounted on day_records (company_id, work_date, name, user_id, extra) where uncounted > 0 and deleted_at is null;

-- Records to compute again, from one date to another, up to after_user_id done. A job
-- takes them up.
create table attendance_outdated (
  company_id    bigint not null references companies,
  first         date not null,
  last          date not null,
  after_user_id bigint not null default 0,
  primary key (company_id, first, last)
);

-- Every record from before was computed by other rules. Rows of attendance_months
-- whose first byte is not 0 have entries of 21 bytes, those that are written from now
-- on have entries of 31 bytes behind a byte 0; see queries/attendance/month.go.
insert into attendance_outdated (company_id, first, last)
select c.id, span.first, span.last from companies c, lateral (
  select min(m.month) as first, (max(m.month) + interval '1 month - 1 day')::date as last from attendance_months m where m.company_id = c.id
) span
where span.first is not null;
