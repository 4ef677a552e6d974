-- How long a company keeps its logs of usage, and when older rows were last deleted.

-- +goose Up
-- Months for which rows stay; null keeps them without end. usage.Logs has the minima.
create table retentions (
  company_id      bigint primary key references companies,
  version_no      integer not null default 1,
  access_months   integer check (access_months > 0),
  file_months     integer check (file_months > 0),
  client_months   integer check (client_months > 0),
  updated_at      timestamptz not null,
  updated_by      bigint, -- null for a program
  updated_by_name text not null
);

-- The last time that old rows of a log were deleted.
create table retention_runs (
  company_id bigint not null references companies,
  log        text not null, -- a Log of the area usage
  at         timestamptz not null,
  before     timestamptz not null, -- rows before it are deleted
  deleted    bigint not null,
  primary key (company_id, log)
);

-- The oldest events of clients, which are deleted first.
create index client_events_by_time on client_events (company_id, occurred_at);
