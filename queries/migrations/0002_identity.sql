-- Who is signed in: passwords, browser sessions, API tokens and the limit on
-- failed attempts.

-- +goose Up
create table passwords (
  company_id bigint not null,
  user_id    bigint not null,
  hash       text not null,
  changed_at timestamptz not null default now(),
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- The session library reads and writes this table and defines its columns; a
-- session exists before its company is known.
create table sessions (
  token  text primary key,
  data   bytea not null,
  expiry timestamptz not null
);
create index sessions_expiry on sessions (expiry);

-- A browser that a user is signed in with. idle_seconds is the session time of
-- the user's communication policy, read again whenever seen_at is updated.
create table sign_ins (
  company_id   bigint not null,
  id           bigint generated always as identity,
  user_id      bigint not null,
  created_at   timestamptz not null,
  seen_at      timestamptz not null,
  expires_at   timestamptz not null,
  idle_seconds integer not null,
  ended_at     timestamptz,
  address      inet not null,
  user_agent   text not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index sign_ins_open on sign_ins (company_id, user_id, seen_at desc) where ended_at is null;

-- Bearer tokens, by the SHA-256 of the secret, which is not stored. A token
-- without a user is a service token of the messenger.
create table tokens (
  company_id bigint not null references companies,
  id         bigint generated always as identity,
  user_id    bigint,
  hash       bytea not null,
  scopes     text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
-- A request carries only the secret, so the hash is unique across companies.
create unique index tokens_hash on tokens (hash);
create index tokens_by_user on tokens (company_id, user_id);

-- Failed sign-ins by account and by address, in the database so that they
-- survive a restart and every process counts the same. subject is
-- "account:EMAIL" or "address:IP"; an address belongs to no company.
create table sign_in_failures (
  subject  text primary key,
  failures integer not null,
  since    timestamptz not null
);
