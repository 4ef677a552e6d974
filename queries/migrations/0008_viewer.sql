-- Viewing-authority persons: who may see, and perhaps edit, the attendance of
-- which departments (spec §6).

-- +goose Up

-- A registration is of a position criterion (a rank "or above") or, without
-- one, of the people in attendance_viewer_users.
create table attendance_viewers (
  company_id    bigint not null references companies,
  id            bigint generated always as identity,
  rank_id       bigint,
  whole_company boolean not null,
  may_edit      boolean not null,
  created_by    bigint,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  deleted_at    timestamptz,
  primary key (company_id, id),
  foreign key (company_id, rank_id) references ranks,
  foreign key (company_id, created_by) references users,
  check (not whole_company or rank_id is not null)
);
create index attendance_viewers_by_rank on attendance_viewers (company_id, rank_id) where rank_id is not null and deleted_at is null;

create table attendance_viewer_users (
  company_id bigint not null,
  viewer_id  bigint not null,
  user_id    bigint not null,
  primary key (company_id, viewer_id, user_id),
  foreign key (company_id, viewer_id) references attendance_viewers on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);
create index attendance_viewer_users_by_user on attendance_viewer_users (company_id, user_id);

-- The management departments, and with is_scope the departments in which the
-- rank of a position criterion counts.
create table attendance_viewer_departments (
  company_id       bigint not null,
  viewer_id        bigint not null,
  is_scope         boolean not null,
  department_id    bigint not null,
  include_children boolean not null,
  primary key (company_id, viewer_id, is_scope, department_id),
  foreign key (company_id, viewer_id) references attendance_viewers on delete cascade,
  foreign key (company_id, department_id) references departments on delete cascade
);
create index attendance_viewer_departments_by_department on attendance_viewer_departments (company_id, department_id);
