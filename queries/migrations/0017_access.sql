-- The access history: who signed in, failed to, was refused, signed out or was
-- signed out, from where and by which client. The console and its API record what
-- happens to them; the messenger reports the rest. The rows never change.

-- +goose Up
create sequence access_events_id;

-- user_id is null for an account that the company does not have, which account
-- names as it was typed, and for a service token. event_id is that of the
-- messenger's event and empty for the console's own. actor_id and actor_name say
-- who ended or unlocked something for somebody else. The last four columns are what
-- usage.RecordAccess found remarkable when the row was stored: the number of
-- failures where it passed the threshold, otherwise 0.
-- Partitioned by month; EnsurePartitions creates the partitions ahead of time.
create table access_events (
  company_id       bigint not null,
  id               bigint not null default nextval('access_events_id'),
  at               timestamptz not null,
  event_id         text not null check (length(event_id) <= 100),
  user_id          bigint,
  account          text not null,
  kind             text not null,
  result           text not null check (result in ('ok', 'failed', 'refused')),
  reason           text not null,
  source           text not null check (source in ('console', 'api', 'messenger', 'command')),
  platform         text not null check (platform in ('', 'pc', 'web', 'mobile', 'mobile_web')),
  ip               inet,
  user_agent       text not null,
  actor_id         bigint,
  actor_name       text not null,
  received_at      timestamptz not null,
  new_address      boolean not null,
  new_device       boolean not null,
  failures         integer not null,
  address_failures integer not null,
  primary key (company_id, at, id)
) partition by range (at);
-- An event that is sent again has the same id and time. Two transactions that
-- store it at the same moment violate this index, and the later one decides again.
create unique index access_events_by_event on access_events (company_id, event_id, at) where event_id <> '';
-- One index for each filter, in the order of the list.
create index access_events_by_user on access_events (company_id, user_id, at, id);
create index access_events_by_user_kind on access_events (company_id, user_id, kind, result, at, id);
create index access_events_by_address on access_events (company_id, ip, kind, result, at, id);
create index access_events_by_kind on access_events (company_id, kind, result, at, id);
create index access_events_new_address on access_events (company_id, at, id) where new_address;
create index access_events_new_device on access_events (company_id, at, id) where new_device;
create index access_events_failures on access_events (company_id, at, id) where failures > 0 or address_failures > 0;
create index access_events_remarkable on access_events (company_id, user_id, at, id) where new_address or new_device or failures > 0 or address_failures > 0;

-- The addresses and kinds of devices from which users have signed in: origin is
-- "address:203.0.113.5" or "device:" and the client without its version.
create table access_origins (
  company_id bigint not null,
  user_id    bigint not null,
  origin     text not null,
  first_at   timestamptz not null,
  primary key (company_id, user_id, origin),
  foreign key (company_id, user_id) references users on delete cascade
);

-- Tokens that may have expired without being revoked.
create index tokens_open on tokens (expires_at) where revoked_at is null;
