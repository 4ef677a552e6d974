-- Managers are told once a week that the limit of a person's week is expected to pass.

-- +goose Up

alter table clock_notices drop constraint clock_notices_kind_check;
alter table clock_notices add constraint clock_notices_kind_check
  check (kind in ('remind_in', 'remind_out', 'week_warn', 'week_cap', 'week_forecast'));
