-- Who changed the map services of a company (companies.map_licenses), so that two people
-- do not overwrite each other.

-- +goose Up
alter table companies
  add column map_version_no      integer not null default 0,
  add column map_updated_at      timestamptz,
  add column map_updated_by_name text not null default '';
