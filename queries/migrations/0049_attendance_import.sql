-- Imports of attendance: what was imported by whom, and taking it back.

-- +goose Up

-- One import, from its upload on. In the states 'checking', 'importing' and 'reverting'
-- a job works on it, whose process reports at seen_at; another one begins again if it
-- stops reporting, because an import is one transaction. files are names, sizes, hashes
-- and, until it is finished, the keys of the uploaded files. report is
-- attendance.ImportReport.
create table attendance_imports (
  company_id       bigint not null references companies,
  id               bigint generated always as identity,
  state            text not null check (state in ('draft', 'checking', 'checked', 'importing', 'done', 'failed', 'reverting', 'reverted')),
  created_at       timestamptz not null,
  created_by       bigint, -- null for a command or a program
  created_by_name  text not null,
  files            jsonb not null,
  options          jsonb not null,
  report           jsonb not null,
  days             integer not null default 0, -- that its events belong to
  people           integer not null default 0,
  first_date       date,
  last_date        date,
  progress         integer not null default 0, -- days
  seen_at          timestamptz,
  imported_at      timestamptz,
  replaces_id      bigint, -- the import whose days it replaces
  reverted_at      timestamptz,
  reverted_by      bigint,
  reverted_by_name text not null default '',
  primary key (company_id, id),
  foreign key (company_id, replaces_id) references attendance_imports
);
create index attendance_imports_by_replaced on attendance_imports (company_id, replaces_id) where replaces_id is not null;
-- Events of reverted imports do not count.
create index attendance_imports_reverted on attendance_imports (company_id, id) where reverted_at is not null;
create index attendance_imports_waiting on attendance_imports (seen_at) where state in ('checking', 'importing', 'reverting');
-- Uploads that nobody imports are deleted.
create index attendance_imports_unfinished on attendance_imports (created_at) where state in ('draft', 'checked', 'failed');

-- The days of a person that an import has given events or records, and those of them
-- that had no record before.
create table attendance_import_people (
  company_id bigint not null,
  import_id  bigint not null,
  user_id    bigint not null,
  days       date[] not null,
  created    date[] not null,
  primary key (company_id, import_id, user_id),
  foreign key (company_id, import_id) references attendance_imports on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);
create index attendance_import_people_by_user on attendance_import_people (company_id, user_id);

-- null for events that were not imported, and for those of imports before this table.
alter table clock_events add column import_id bigint;
