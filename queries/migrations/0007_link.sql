-- What the messenger offers to click on: a company's common links and which of
-- the built-in services it shows.

-- +goose Up
-- banner is the key of a picture among the blobs; '' for none. Positions of links that are
-- not deleted are 1, 2, 3 and so on.
create table links (
  company_id   bigint not null references companies,
  id           bigint generated always as identity,
  position     integer not null,
  name         text not null,
  description  text not null,
  url          text not null,
  visible      boolean not null,
  icon_visible boolean not null,
  banner       text not null,
  version_no   integer not null default 1,
  updated_at   timestamptz not null,
  deleted_at   timestamptz,
  primary key (company_id, id)
);
create index links_by_position on links (company_id, position) where deleted_at is null;

-- A company has all services here or none, which is the usual setting.
create table convenience_services (
  company_id bigint not null references companies,
  id         text not null,
  position   integer not null,
  platforms  text[] not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
