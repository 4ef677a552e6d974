-- Managers are told once a week that the limit of a person's week is expected to pass,
-- and imports grant leave.

-- +goose Up

alter table clock_notices drop constraint clock_notices_kind_check;
alter table clock_notices add constraint clock_notices_kind_check
  check (kind in ('remind_in', 'remind_out', 'week_warn', 'week_cap', 'week_forecast'));

-- The days on which an import has granted leave, which reverting it takes back.
alter table attendance_import_people add column granted date[] not null default '{}';
