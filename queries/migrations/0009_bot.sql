-- The service bot, through which the programs of a company send messages.

-- +goose Up

-- The bot is a user of the directory, who has its name. image is the key of a
-- picture among the blobs; '' for none. allowed_addresses are IP ranges as they
-- were typed; none allows every address. hook_receivers are who gets what comes
-- by the address for Slack's format.
create table bots (
  company_id        bigint primary key references companies,
  user_id           bigint not null,
  enabled           boolean not null,
  image             text not null,
  allowed_addresses text[] not null,
  hook_receivers    jsonb not null,
  version_no        integer not null default 1,
  updated_at        timestamptz not null,
  foreign key (company_id, user_id) references users
);

-- Tokens by the SHA-256 of the secret, which is not stored, with its last
-- characters. A rotated token ends at ends_at, and stays here for a while, so
-- that calls with it get a clear answer.
create table bot_tokens (
  company_id bigint not null references bots,
  id         bigint generated always as identity,
  kind       text not null check (kind in ('notification', 'message', 'hook')),
  hash       bytea not null,
  ending     text not null,
  created_at timestamptz not null,
  ends_at    timestamptz,
  used_at    timestamptz,
  used_from  inet,
  used_by    text not null default '',
  primary key (company_id, id)
);
-- A request carries only the secret, so the hash is unique across companies.
create unique index bot_tokens_hash on bot_tokens (hash);
create unique index bot_tokens_current on bot_tokens (company_id, kind) where ends_at is null;

create sequence bot_messages_id;

-- What programs have sent: accepted messages and refused calls. kind is that of
-- the token; trigger is what sent it. code is the message id of a refusal, answer
-- the HTTP status. Partitioned by month; EnsurePartitions creates the partitions
-- ahead of time, and rows are deleted after thirty days.
create table bot_messages (
  company_id bigint not null,
  id         bigint not null default nextval('bot_messages_id'),
  at         timestamptz not null,
  kind       text not null,
  trigger    text not null,
  token_id   bigint,
  text       text not null,
  receivers  jsonb not null,
  accepted   boolean not null,
  code       text not null,
  answer     integer not null,
  took_us    integer not null,
  address    inet,
  agent      text not null,
  primary key (company_id, at, id)
) partition by range (at);
-- The URL of a message contains its id alone.
create index bot_messages_by_id on bot_messages (company_id, id);
create index bot_messages_by_kind on bot_messages (company_id, kind, at, id);
create index bot_messages_refused on bot_messages (company_id, at, id) where not accepted;
-- A job deletes old rows of every company.
create index bot_messages_by_age on bot_messages using brin (at);

-- The Idempotency-Key of messages, for a day.
create table bot_message_keys (
  company_id bigint not null references bots,
  kind       text not null,
  key        text not null,
  message_id bigint not null,
  at         timestamptz not null,
  primary key (company_id, kind, key)
);
create index bot_message_keys_by_age on bot_message_keys (at);
