-- Deactivated users: people who have left. They are absent wherever hidden users
-- are, until somebody reactivates them.

-- +goose Up

-- deactivated_at is set while a user is deactivated; hidden_at while a user is
-- hidden or deactivated, so that a statement that leaves out absent users reads one
-- column.
alter table users add column deactivated_at timestamptz;
alter table users add constraint users_deactivated_are_hidden check (deactivated_at is null or hidden_at is not null);

-- A user can be hidden and deactivated at the same time, for different reasons.
-- source is what did it: an administrator, an import or another directory
-- (provisioning).
alter table hidings add column state text not null default 'hidden' check (state in ('hidden', 'deactivated'));
alter table hidings add column source text not null default 'administrator' check (source in ('administrator', 'import', 'provisioning'));
drop index hidings_open;
create unique index hidings_open on hidings (company_id, user_id, state) where shown_at is null;
drop index hidings_by_time;
create index hidings_by_time on hidings (company_id, state, hidden_at, id) where shown_at is null;

create or replace view people as
select u.company_id, u.id, u.name, u.email, u.is_admin, u.bot, u.image_hash, u.hidden_at, u.department_id,
  c.name as company_name, c.host as company_host, c.time_zone, c.organization_url, c.product_settings,
  c.map_licenses, c.directory_version, c.policy_version, u.deactivated_at
from users u join companies c on c.id = u.company_id;
