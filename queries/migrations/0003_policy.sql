-- Policies and their versions. Nothing runs when a version takes effect: the
-- version in force is the newest one whose time has come, found when it is read.

-- +goose Up
create table policies (
  company_id          bigint not null references companies,
  id                  bigint generated always as identity,
  kind                text not null check (kind in ('communication', 'workingattitude')),
  is_default          boolean not null default false,
  owner_user_id       bigint,
  owner_department_id bigint,
  created_at          timestamptz not null default now(),
  deleted_at          timestamptz,
  primary key (company_id, id),
  foreign key (company_id, owner_user_id) references users,
  foreign key (company_id, owner_department_id) references departments,
  check (not is_default or deleted_at is null)
);
create unique index policies_one_default on policies (company_id, kind) where is_default;
create index policies_by_kind on policies (company_id, kind, id) where deleted_at is null;

-- A version applies from effective_from until "until": null is without end, a
-- deletion or cancellation ends it at that moment, and a provisional version
-- ends at confirm_by unless it is confirmed; then the version before applies
-- again. settings holds only what differs from the defaults of the kind.
create table policy_versions (
  company_id     bigint not null,
  policy_id      bigint not null,
  no             integer not null check (no > 0),
  effective_from timestamptz not null,
  enabled        boolean not null,
  name           text collate "ko-x-icu" not null check (length(name) between 1 and 50),
  description    text not null default '' check (length(description) <= 200),
  settings       jsonb not null default '{}',
  search_text    text not null,
  reason         text not null default '',
  created_by     bigint,
  created_at     timestamptz not null,
  cancelled_at   timestamptz,
  until          timestamptz,
  confirm_by     timestamptz,
  confirmed_at   timestamptz,
  -- the version of another policy that took targets away from this policy
  moved_for_policy_id bigint,
  moved_for_no        integer,
  primary key (company_id, policy_id, no),
  foreign key (company_id, policy_id) references policies,
  foreign key (company_id, created_by) references users,
  foreign key (company_id, moved_for_policy_id, moved_for_no) references policy_versions
);
create index policy_versions_in_force on policy_versions (company_id, policy_id, effective_from desc, no desc)
  where cancelled_at is null;
-- What is cancelled or ended together with a version.
create index policy_versions_moved_for on policy_versions (company_id, moved_for_policy_id, moved_for_no) where moved_for_policy_id is not null;

-- The departments and users that a version lists. include_children has a meaning
-- for departments only.
create table policy_targets (
  company_id       bigint not null,
  policy_id        bigint not null,
  no               integer not null,
  department_id    bigint,
  user_id          bigint,
  include_children boolean not null default true,
  foreign key (company_id, policy_id, no) references policy_versions,
  foreign key (company_id, department_id) references departments,
  foreign key (company_id, user_id) references users,
  check (num_nonnulls(department_id, user_id) = 1)
);
create unique index policy_targets_departments on policy_targets (company_id, policy_id, no, department_id) where department_id is not null;
create unique index policy_targets_users on policy_targets (company_id, policy_id, no, user_id) where user_id is not null;
create index policy_targets_by_department on policy_targets (company_id, department_id) where department_id is not null;
create index policy_targets_by_user on policy_targets (company_id, user_id) where user_id is not null;
