-- The saved-file log: who saved which file into which room or folder, for whom, by
-- which client. The messenger reports it; the rows never change.

-- +goose Up
create sequence saved_files_id;

-- user_id is the sender, who saved the file, and department_id the sender's
-- department when the event arrived. deceptive is whether the name has characters
-- that make it look like another one. search.NameKey computes the search columns.
-- Partitioned by month; EnsurePartitions creates the partitions ahead of time.
create table saved_files (
  company_id    bigint not null,
  id            bigint not null default nextval('saved_files_id'),
  saved_at      timestamptz not null,
  event_id      text not null check (length(event_id) between 1 and 100),
  user_id       bigint not null,
  department_id bigint not null,
  receiver_ids  bigint[] not null,
  room          text not null,
  folder        text not null,
  name          text not null check (length(name) between 1 and 1000),
  deceptive     boolean not null,
  size          bigint not null check (size >= 0),
  sha256        text not null,
  platform      text not null check (platform in ('pc', 'web', 'mobile', 'mobile_web')),
  ip            inet,
  received_at   timestamptz not null,
  search_text   text not null,
  search_grams  integer[] not null,
  primary key (company_id, saved_at, id)
) partition by range (saved_at);
-- An event that is sent again has the same id and time. Two transactions that
-- store it at the same moment violate this index, and the later one decides again.
create unique index saved_files_by_event on saved_files (company_id, event_id, saved_at);
-- One index for each filter, in the order of the list. Those of people and
-- departments have the size too, so that a selection is summed in the index alone.
create index saved_files_by_platform on saved_files (company_id, platform, saved_at, id);
create index saved_files_by_user on saved_files (company_id, user_id, platform, saved_at, id) include (size);
create index saved_files_by_department on saved_files (company_id, department_id, platform, saved_at, id) include (size);
create index saved_files_deceptive on saved_files (company_id, saved_at, id) where deceptive;
create index saved_files_search on saved_files using gin (company_id, search_grams);

-- The receivers of the files, for the list of what somebody received.
create table saved_file_receivers (
  company_id bigint not null,
  user_id    bigint not null,
  platform   text not null,
  saved_at   timestamptz not null,
  file_id    bigint not null,
  size       bigint not null,
  primary key (company_id, user_id, platform, saved_at, file_id) include (size)
) partition by range (saved_at);

-- The sums of a company's day, in its time zone, so that a sum of any period reads
-- a few rows a day. Whatever stores files updates them in the same transaction.
create table saved_file_days (
  company_id bigint not null references companies,
  day        date not null,
  platform   text not null,
  files      bigint not null,
  bytes      bigint not null,
  deceptive  bigint not null,
  primary key (company_id, day, platform)
);

-- search_saved_files returns files of a period whose names have all the grams, in no
-- order and not more than most. The settings leave the planner only the index of
-- the grams, as in search_users.
-- +goose StatementBegin
create function search_saved_files(of_company bigint, grams integer[], from_at timestamptz, before_at timestamptz, most bigint)
returns table (saved_at timestamptz, id bigint, user_id bigint, department_id bigint, receiver_ids bigint[], deceptive boolean, platform text, search_text text)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
  select f.saved_at, f.id, f.user_id, f.department_id, f.receiver_ids, f.deceptive, f.platform, f.search_text from saved_files f
  where f.company_id = of_company and f.search_grams @> grams and f.saved_at >= from_at and f.saved_at < before_at limit most
$$;
-- +goose StatementEnd
