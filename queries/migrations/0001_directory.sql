-- The directory: companies, their departments and their people. company_id
-- leads every key, so that no statement can reach into another company and the
-- tables can be distributed by it.

-- +goose Up
create extension if not exists btree_gin;

create table companies (
  id                bigint generated always as identity primary key,
  name              text not null check (length(name) between 1 and 100),
  host              text not null unique check (host = lower(host) and host <> ''),
  time_zone         text not null default 'Asia/Seoul',
  organization_url  text not null default '',
  product_settings  jsonb not null default '{}',
  map_licenses      jsonb not null default '[]',
  -- counts the changes of departments and people: the ETag of what is cached of them
  directory_version bigint not null default 1,
  created_at        timestamptz not null default now()
);

-- A department knows the names (path) and the ids (lineage, itself last) from
-- the root down to it; the triggers below keep both.
create table departments (
  company_id  bigint not null references companies,
  id          bigint generated always as identity,
  parent_id   bigint,
  name        text collate "ko-x-icu" not null check (length(name) between 1 and 100 and position('/' in name) = 0),
  path        text collate "C" not null,
  lineage     bigint[] not null,
  search_text text not null default '',
  primary key (company_id, id),
  unique (company_id, path),
  foreign key (company_id, parent_id) references departments
);
create unique index departments_one_root on departments (company_id) where parent_id is null;
create index departments_children on departments (company_id, parent_id);
create index departments_lineage on departments using gin (company_id, lineage);

-- +goose StatementBegin
create function place_department() returns trigger language plpgsql as $$
declare
  above departments;
begin
  if new.parent_id is null then
    new.path := new.name;
    new.lineage := array[new.id];
    return new;
  end if;
  select * into above from departments where company_id = new.company_id and id = new.parent_id;
  if above.id is null then
    raise foreign_key_violation using message = 'department has no such parent', constraint = 'departments_parent';
  end if;
  if new.id = any (above.lineage) then
    raise check_violation using message = 'department would be its own ancestor', constraint = 'departments_no_cycle';
  end if;
  new.path := above.path || '/' || new.name;
  new.lineage := above.lineage || new.id;
  return new;
end $$;

create function place_department_children() returns trigger language plpgsql as $$
begin
  update departments set parent_id = parent_id where company_id = new.company_id and parent_id = new.id;
  return null;
end $$;
-- +goose StatementEnd
create trigger departments_place before insert or update on departments
  for each row execute function place_department();
create trigger departments_place_children after update on departments
  for each row when (old.path is distinct from new.path or old.lineage is distinct from new.lineage)
  execute function place_department_children();

-- A smaller position is a higher rank.
create table ranks (
  company_id bigint not null references companies,
  id         bigint generated always as identity,
  name       text not null check (length(name) between 1 and 50),
  position   integer not null,
  primary key (company_id, id),
  unique (company_id, name),
  unique (company_id, position) deferrable
);

create table roles (
  company_id bigint not null references companies,
  id         bigint generated always as identity,
  name       text not null check (length(name) between 1 and 50),
  position   integer not null,
  primary key (company_id, id),
  unique (company_id, name),
  unique (company_id, position) deferrable
);

-- department_id is the department flagged default: a column, so that there is
-- always exactly one. Further departments are in user_departments. The search
-- columns are written by SearchKey in search.go. Names sort by ko-x-icu for
-- every reader, so one index serves the three languages.
create table users (
  company_id     bigint not null references companies,
  id             bigint generated always as identity,
  department_id  bigint,
  rank_id        bigint,
  role_id        bigint,
  name           text collate "ko-x-icu" not null check (length(name) between 1 and 100),
  email          text not null default '',
  employee_id    text not null default '',
  company_phone  text not null default '',
  personal_phone text not null default '',
  bot            boolean not null default false,
  is_admin       boolean not null default false,
  image_hash     text,
  hidden_at      timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  search_text    text not null,
  search_grams   text[] not null,
  primary key (company_id, id),
  foreign key (company_id, department_id) references departments,
  foreign key (company_id, rank_id) references ranks,
  foreign key (company_id, role_id) references roles,
  check (bot or department_id is not null),
  check (bot or email <> '')
);
-- People sign in with an email alone, so it names one person across companies.
create unique index users_email on users (lower(email)) where email <> '';
create unique index users_employee_id on users (company_id, employee_id) where employee_id <> '';
create index users_by_name on users (company_id, name, id);
create index users_by_department on users (company_id, department_id, name, id);
create index users_search on users using gin (company_id, search_grams);

-- The departments a person belongs to beside the default one.
create table user_departments (
  company_id    bigint not null,
  user_id       bigint not null,
  department_id bigint not null,
  primary key (company_id, user_id, department_id),
  foreign key (company_id, user_id) references users on delete cascade,
  foreign key (company_id, department_id) references departments on delete cascade
);
create index user_departments_by_department on user_departments (company_id, department_id);

create table user_images (
  company_id   bigint not null,
  user_id      bigint not null,
  content_type text not null,
  content      bytea not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- What a person may do beyond the ordinary. The first control of a type (by
-- id) decides; its departments count with all their descendants.
create table permission_controls (
  company_id     bigint not null,
  id             bigint generated always as identity,
  user_id        bigint not null,
  type           text not null,
  role           text not null default '',
  department_ids bigint[] not null default '{}',
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index permission_controls_by_user on permission_controls (company_id, user_id, id);
