-- The outgoing webhook of a company: where the messages of the outbox are sent,
-- and what became of each.

-- +goose Up

-- types are those of the messages that are sent; without any, all are. Messages
-- up to last_message_id have their deliveries or are not sent. secret is stored
-- as it is, because it signs; until previous_until messages are signed with the
-- previous one too. One process at a time sends: until leased_until.
--
-- failures is the number of attempts since the last one that succeeded,
-- failing_since the time of the first of them. While paused_until is set, only
-- one attempt is made, after that time. gone_at is when the receiver said that
-- it wants no more messages, which disables the webhook.
create table webhooks (
  company_id      bigint primary key references companies,
  url             text not null,
  types           text[] not null,
  enabled         boolean not null,
  secret          text not null,
  secret_at       timestamptz not null,
  previous_secret text,
  previous_until  timestamptz,
  version_no      integer not null default 1,
  updated_at      timestamptz not null,
  last_message_id bigint not null,
  leased_until    timestamptz,
  last_success_at timestamptz,
  failures        integer not null default 0,
  failing_since   timestamptz,
  paused_until    timestamptz,
  gone_at         timestamptz
);

-- A message on its way, or a test, which has no message_id. requested means that
-- somebody wants it to be sent now, even while the webhook is paused. Of the last
-- attempt: status is that of the answer, 0 without one, answer its text; failure
-- says why there was none.
create table webhook_deliveries (
  company_id  bigint not null references webhooks on delete cascade,
  id          bigint generated always as identity,
  message_id  bigint,
  type        text not null,
  at          timestamptz not null,
  payload     jsonb not null,
  created_at  timestamptz not null,
  state       text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts    integer not null default 0,
  next_at     timestamptz not null,
  requested   boolean not null default false,
  last_at     timestamptz,
  status      integer not null default 0,
  answer      text not null default '',
  failure     text not null default '',
  duration_ms integer not null default 0,
  primary key (company_id, id)
);
create unique index webhook_deliveries_by_message on webhook_deliveries (company_id, message_id) where message_id is not null;
create index webhook_deliveries_by_state on webhook_deliveries (company_id, state, id);
create index webhook_deliveries_due on webhook_deliveries (company_id, next_at) where state = 'waiting';
create index webhook_deliveries_requested on webhook_deliveries (company_id, id) where state = 'waiting' and requested;
create index webhook_deliveries_by_last_attempt on webhook_deliveries (company_id, last_at) where last_at is not null;
-- A job deletes old deliveries of every company.
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
