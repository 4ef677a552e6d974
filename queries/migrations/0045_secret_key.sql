-- The keys with which the secrets in the database are sealed: client secrets of
-- providers and secrets of webhooks. Those that were stored before are sealed by the
-- next start of the server, because the database must not have the key.

-- +goose Up

-- id is what the program knows a key by, which says nothing about it. Every key that
-- may have sealed something has a row, so that a server with another key refuses to
-- start instead of sealing what the others cannot open.
create table secret_keys (
  id         text primary key,
  created_at timestamptz not null
);
