-- Computing the records of days again after a working attitude policy was
-- changed for dates of the past.

-- +goose Up

-- A recomputation is stored with the version that causes it. A job works on the
-- oldest unfinished one of a company, some people at a time: after_user_id is the
-- last of them, so that it continues there after a restart. policy_ids are the
-- policies that got versions: only days of theirs follow another version. The sums
-- are new minutes less old ones.
create table attendance_recomputations (
  company_id       bigint not null references companies,
  id               bigint generated always as identity,
  policy_id        bigint not null,
  version_no       integer not null,
  policy_name      text not null,
  policy_ids       bigint[] not null,
  first_date       date not null,
  last_date        date not null,
  created_at       timestamptz not null,
  created_by       bigint,
  created_by_name  text not null,
  people           integer not null default 0,
  done             integer not null default 0,
  after_user_id    bigint not null default 0,
  records_changed  bigint not null default 0,
  people_changed   integer not null default 0,
  worked_min       bigint not null default 0,
  overtime_min     bigint not null default 0,
  night_min        bigint not null default 0,
  late_min         bigint not null default 0,
  early_min        bigint not null default 0,
  started_at       timestamptz,
  finished_at      timestamptz,
  error            text not null default '',
  retry_at         timestamptz,
  primary key (company_id, id),
  foreign key (company_id, policy_id) references policies,
  check (first_date <= last_date)
);
create index attendance_recomputations_unfinished on attendance_recomputations (company_id, id) where finished_at is null;
create index attendance_recomputations_by_policy on attendance_recomputations (company_id, policy_id, id desc);
