-- Provisioning: what another directory says of people and departments by SCIM,
-- beside what the console itself knows of them.

-- +goose Up

-- external_id is the id in the other directory. given_name and family_name are the
-- parts of name, and mean nothing once the user has another name. deleted_at is when
-- the other directory deleted a user, who was deactivated then.
create table provisioned_users (
  company_id  bigint not null,
  user_id     bigint not null,
  external_id text not null default '',
  name        text not null default '',
  given_name  text not null default '',
  family_name text not null default '',
  deleted_at  timestamptz,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade
);
create unique index provisioned_users_external on provisioned_users (company_id, external_id) where external_id <> '';

-- deleted_at is when the other directory deleted a department, which remains in the
-- console without people, because records of the past name it.
create table provisioned_departments (
  company_id    bigint not null,
  department_id bigint not null,
  external_id   text not null default '',
  deleted_at    timestamptz,
  primary key (company_id, department_id),
  foreign key (company_id, department_id) references departments on delete cascade
);
create unique index provisioned_departments_external on provisioned_departments (company_id, external_id) where external_id <> '';
