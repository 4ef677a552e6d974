-- What changed: the change log, which people read, and the outbox, the messages
-- for other programs.

-- +goose Up
create sequence changes_id;

-- old and new hold the object before and after the change: a creation has no
-- old, a deletion no new. Partitioned by month; EnsurePartitions creates the
-- partitions ahead of time.
create table changes (
  company_id    bigint not null references companies,
  id            bigint not null default nextval('changes_id'),
  at            timestamptz not null,
  actor_user_id bigint,
  actor_name    text not null,
  address       inet,
  action        text not null,
  object_type   text not null,
  object_id     bigint not null,
  object_name   text not null,
  old           jsonb,
  new           jsonb,
  primary key (company_id, at, id)
) partition by range (at);
create index changes_by_object on changes (company_id, object_type, object_id, at, id);
create index changes_by_actor on changes (company_id, actor_user_id, at, id);
-- The URL of a change contains its id alone.
create index changes_by_id on changes (company_id, id);
create index changes_by_type on changes (company_id, object_type, at, id);

-- The ids of a company grow in the order in which its transactions commit, so
-- that a reader who continues after the last id misses nothing.
create table outbox (
  company_id bigint not null references companies,
  id         bigint generated always as identity,
  at         timestamptz not null,
  type       text not null,
  payload    jsonb not null,
  primary key (company_id, id)
);
-- A job deletes old messages of every company.
create index outbox_by_age on outbox (at);
