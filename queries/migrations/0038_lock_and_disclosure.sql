-- Addresses whose lock against guessing passwords a company has lifted for its own
-- accounts, and whether viewers see personal data beyond names.

-- +goose Up
-- Tries of the company's accounts from an unlocked address are counted apart for the
-- time that a lock lasts, so that other companies stay protected against the address.
create table unlocked_addresses (
  company_id  bigint not null references companies,
  address     inet not null,
  unlocked_at timestamptz not null,
  primary key (company_id, address)
);

-- Without a row viewers see neither personal phone numbers nor device ids.
create table disclosures (
  company_id      bigint primary key references companies,
  version_no      integer not null default 1,
  personal_phones boolean not null,
  device_ids      boolean not null,
  updated_at      timestamptz not null,
  updated_by      bigint, -- null for a program
  updated_by_name text not null
);
