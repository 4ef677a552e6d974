-- Clients: which messenger is installed where, what the messenger reports about it,
-- and the rules of who may install which client.

-- +goose Up

-- What the messenger reported, so that an event that is sent again changes nothing.
-- The rows never change. Partitioned by month; EnsurePartitions creates the
-- partitions ahead of time.
create table client_events (
  company_id  bigint not null,
  event_id    text not null check (length(event_id) between 1 and 100),
  occurred_at timestamptz not null,
  user_id     bigint not null,
  platform    text not null check (platform in ('pc', 'mobile')),
  device_id   text not null,
  kind        text not null check (kind in ('install', 'uninstall', 'login', 'logout')),
  version     text not null,
  os          text not null,
  device_name text not null,
  push_alive  boolean,
  received_at timestamptz not null,
  primary key (company_id, event_id, occurred_at)
) partition by range (occurred_at);

-- One client on one device of a user, as its events say. Events arrive in any order:
-- state_at is the time of the one that decides whether it is installed, described_at
-- of the one that has the version, push_at of the one that has push_alive; an
-- earlier event does not change these columns. Of events of one time, that with the
-- greater id counts.
create table installations (
  company_id      bigint not null references companies,
  user_id         bigint not null,
  platform        text not null check (platform in ('pc', 'mobile')),
  device_id       text not null check (length(device_id) between 1 and 200),
  installed       boolean not null,
  state_at        timestamptz not null,
  state_event     text not null,
  version         text not null,
  os              text not null,
  device_name     text not null,
  described_at    timestamptz,
  described_event text not null,
  push_alive      boolean,
  push_at         timestamptz,
  push_event      text not null,
  first_login_at  timestamptz,
  last_login_at   timestamptz,
  primary key (company_id, user_id, platform, device_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- What the lists show of a person and platform: the installed client that was used
-- last, or the last one that was removed. Whatever changes installations updates the
-- row in the same transaction. system is windows, macos, linux, android or ios, or
-- empty; version_number and os_number compare as versions do (usage.Version), 0 where
-- unknown. first_login_at and last_login_at are those of all devices.
create table client_people (
  company_id     bigint not null,
  user_id        bigint not null,
  platform       text not null check (platform in ('pc', 'mobile')),
  installed      boolean not null,
  devices        integer not null, -- with the client installed
  system         text not null,
  version        text not null,
  version_number bigint not null,
  os             text not null,
  os_number      bigint not null,
  device_name    text not null,
  push_alive     boolean,
  first_login_at timestamptz,
  last_login_at  timestamptz,
  primary key (company_id, user_id, platform),
  foreign key (company_id, user_id) references users on delete cascade
);
-- Whoever has an outdated version, and how many have each.
create index client_people_by_version on client_people (company_id, platform, system, version_number, version, os_number, user_id) where installed;
-- Who has not used the client for some time.
create index client_people_by_login on client_people (company_id, platform, last_login_at, user_id) where installed;
-- The counts leave out hidden users, who are few.
create index users_hidden on users (company_id, id) where hidden_at is not null;

-- How many people had each version at the end of a company's day, in its time zone,
-- so that a picture over time reads a few rows a day.
create table client_days (
  company_id bigint not null references companies,
  day        date not null,
  platform   text not null,
  version    text not null,
  people     bigint not null,
  primary key (company_id, platform, day, version)
);

-- The rules of a company; usage.Rules says what they are. Without a row, the default
-- ones apply.
create table installation_rules (
  company_id bigint primary key references companies,
  version_no integer not null default 1,
  rules      jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint, -- null for a program
  updated_by_name text not null
);
