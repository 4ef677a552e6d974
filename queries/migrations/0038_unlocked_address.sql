-- Addresses whose lock against guessing passwords a company has lifted for its own
-- accounts.

-- +goose Up
-- Tries of the company's accounts from an unlocked address are counted apart for the
-- time that a lock lasts, so that other companies stay protected against the address.
create table unlocked_addresses (
  company_id  bigint not null references companies,
  address     inet not null,
  unlocked_at timestamptz not null,
  primary key (company_id, address)
);
