-- The directory: companies, their departments, ranks, roles and users.
-- company_id leads every key, so that no statement reaches into another company
-- and the tables can be distributed by it.

-- +goose Up

-- For GIN indexes that begin with company_id.
create extension if not exists btree_gin;

-- directory_version counts the changes of departments and users, policy_version
-- those of policies: caches and ETags of what is derived from them compare the
-- number instead of the rows.
create table companies (
  id                bigint generated always as identity primary key,
  name              text not null check (length(name) between 1 and 100),
  host              text not null unique check (host = lower(host) and host <> ''),
  time_zone         text not null default 'Asia/Seoul',
  organization_url  text not null default '',
  product_settings  jsonb not null default '{}',
  map_licenses      jsonb not null default '[]',
  directory_version bigint not null default 1,
  created_at        timestamptz not null default now(),
  policy_version    bigint not null default 1
);

-- path holds the names from the root to the department, ancestors the ids, the
-- last of which is the department's own. Both are stored, because almost every
-- list shows the path or filters by the ancestors; the triggers below compute
-- them.
create table departments (
  company_id  bigint not null references companies,
  id          bigint generated always as identity,
  parent_id   bigint,
  name        text collate "ko-x-icu" not null check (length(name) between 1 and 100 and position('/' in name) = 0),
  path        text collate "C" not null,
  ancestors   bigint[] not null,
  search_text text not null default '',
  primary key (company_id, id),
  unique (company_id, path),
  foreign key (company_id, parent_id) references departments
);
create unique index departments_one_root on departments (company_id) where parent_id is null;
create index departments_children on departments (company_id, parent_id);
-- Finds a subtree: the departments whose ancestors contain an id.
create index departments_ancestors on departments using gin (company_id, ancestors);

-- set_department_path computes the path and the ancestors of a department from
-- those of its parent.
-- +goose StatementBegin
create function set_department_path() returns trigger language plpgsql as $$
declare
  parent departments;
begin
  if new.parent_id is null then
    new.path := new.name;
    new.ancestors := array[new.id];
    return new;
  end if;
  select * into parent from departments where company_id = new.company_id and id = new.parent_id;
  if parent.id is null then
    raise foreign_key_violation using message = 'department has no such parent', constraint = 'departments_parent';
  end if;
  if new.id = any (parent.ancestors) then
    raise check_violation using message = 'department would be its own ancestor', constraint = 'departments_no_cycle';
  end if;
  new.path := parent.path || '/' || new.name;
  new.ancestors := parent.ancestors || new.id;
  return new;
end $$;
-- +goose StatementEnd

-- update_department_children updates the children of a department that was
-- renamed or moved, which runs both triggers for them, level by level.
-- +goose StatementBegin
create function update_department_children() returns trigger language plpgsql as $$
begin
  update departments set parent_id = parent_id where company_id = new.company_id and parent_id = new.id;
  return null;
end $$;
-- +goose StatementEnd

create trigger departments_set_path before insert or update on departments
  for each row execute function set_department_path();
create trigger departments_update_children after update on departments
  for each row when (old.path is distinct from new.path or old.ancestors is distinct from new.ancestors)
  execute function update_department_children();

-- A smaller position is a higher rank. Positions are unique only at the end of a
-- statement or transaction, so that an import can exchange them.
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

-- department_id is the default department: a column, because every user but a
-- bot has exactly one. Further departments are in user_departments. search.Key
-- computes the search columns. Names sort by ko-x-icu for every reader, so that
-- one index serves all three languages.
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
  -- when the user agreed that places are recorded (Korean Act on location
  -- information, Article 15); without it GPS settings do not apply
  location_consent_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, department_id) references departments,
  foreign key (company_id, rank_id) references ranks,
  foreign key (company_id, role_id) references roles,
  check (bot or department_id is not null),
  check (bot or email <> '')
);
-- Somebody signs in with an email alone, so it is unique across companies.
create unique index users_email on users (lower(email)) where email <> '';
create unique index users_employee_id on users (company_id, employee_id) where employee_id <> '';
-- A search in the order of the names reads this index alone.
create index users_by_name on users (company_id, name, id) include (department_id, hidden_at, search_text);
create index users_by_department on users (company_id, department_id, name, id);
create index users_search on users using gin (company_id, search_grams);
-- Every save of a policy checks whether it would lock out an administrator.
create index users_administrators on users (company_id, id) where is_admin;

-- search_users returns at most size users who have all the grams, in no
-- order. The settings leave the planner only the index of the grams: it would
-- read the table from its beginning wherever it expects to meet size users soon,
-- and the users of a name are not spread evenly.
-- +goose StatementBegin
create function search_users(of_company bigint, grams text[], size bigint)
returns table (id bigint, name text, department_id bigint, hidden_at timestamptz, search_text text)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
  select u.id, u.name, u.department_id, u.hidden_at, u.search_text from users u
  where u.company_id = of_company and u.search_grams @> grams limit size
$$;
-- +goose StatementEnd

-- The departments of a user beside the default one.
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

-- The name and the default department that a user had until a time. Records of
-- attendance hold those of their date; this finds the users whose records differ
-- from the directory.
create table user_history (
  company_id    bigint not null,
  id            bigint generated always as identity,
  user_id       bigint not null,
  department_id bigint,
  name          text not null,
  until         timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index user_history_by_department on user_history (company_id, department_id, until);
create index user_history_by_time on user_history (company_id, until);

-- record_user_history records a user's former name and department. The time is
-- updated_at where the statement sets it: the program's clock, which may differ
-- from the database's.
-- +goose StatementBegin
create function record_user_history() returns trigger language plpgsql as $$
begin
  insert into user_history (company_id, user_id, department_id, name, until)
  values (old.company_id, old.id, old.department_id, old.name,
    case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end);
  return null;
end $$;
-- +goose StatementEnd
create trigger users_history after update of name, department_id on users
  for each row when (old.name is distinct from new.name or old.department_id is distinct from new.department_id)
  execute function record_user_history();

-- Permissions beyond those of every user. Of several controls of a type, the
-- one with the lowest id applies; its departments include all their descendants.
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

-- A user with what every page and call needs of the user and of the company.
create view people as
select u.company_id, u.id, u.name, u.email, u.is_admin, u.bot, u.image_hash, u.hidden_at, u.department_id,
  c.name as company_name, c.host as company_host, c.time_zone, c.organization_url, c.product_settings,
  c.map_licenses, c.directory_version, c.policy_version
from users u join companies c on c.id = u.company_id;
