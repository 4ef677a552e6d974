-- Holidays of companies, and the holiday work that a recomputation changes.

-- +goose Up

-- The holidays of a company, each from one date to another, in addition to the public
-- holidays and own dates of its policies. No two of a company have a date in common:
-- a rule checks that while it holds the company's row. A change increments
-- companies.policy_version, by which everything that depends on policies is cached.
create table company_holidays (
  company_id       bigint not null references companies,
  id               bigint generated always as identity,
  first_date       date not null,
  last_date        date not null,
  name             text not null,
  version_no       integer not null default 1,
  updated_at       timestamptz not null,
  updated_by_name  text not null,
  primary key (company_id, id),
  check (first_date <= last_date)
);
create index company_holidays_by_date on company_holidays (company_id, first_date);

alter table attendance_recomputations
  add column holiday_min bigint not null default 0,
  add column holiday_over_min bigint not null default 0;

-- Every request to compute records again has a row of its own, so that a second request
-- for the same dates does not end with the first.
alter table attendance_outdated
  add column id bigint generated always as identity,
  drop constraint attendance_outdated_pkey,
  add primary key (company_id, id);
