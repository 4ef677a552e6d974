-- Which personal data about others people see who are no administrators of the console.

-- +goose Up
-- A company without a row discloses nothing.
create table disclosures (
  company_id      bigint primary key references companies,
  version_no      integer not null default 1,
  personal_phones boolean not null,
  device_ids      boolean not null, -- of the devices that people clock with
  updated_at      timestamptz not null,
  updated_by      bigint, -- null for a program
  updated_by_name text not null
);
