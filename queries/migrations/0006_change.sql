-- What changed, for people to read (changes), and what others are told (outbox).

-- +goose Up
create sequence changes_id;

-- Partitions are made ahead by EnsurePartitions. old and new hold what the
-- object was and became; a creation has no old, a deletion no new.
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

-- ids grow in the order in which a company's transactions commit.
create table outbox (
  company_id bigint not null references companies,
  id         bigint generated always as identity,
  at         timestamptz not null,
  type       text not null,
  payload    jsonb not null,
  primary key (company_id, id)
);
create index outbox_by_age on outbox (at);
