-- When each token was last used, to find those that nobody needs any more. It is
-- noted at most once a minute.

-- +goose Up
alter table tokens add column used_at timestamptz;

-- The remarkable rows of a kind, a result or an address are found and counted in these
-- indexes alone.
drop index access_events_new_address;
drop index access_events_new_device;
drop index access_events_failures;
create index access_events_new_address on access_events (company_id, at, id) include (kind, result, ip) where new_address;
create index access_events_new_device on access_events (company_id, at, id) include (kind, result, ip) where new_device;
create index access_events_failures on access_events (company_id, at, id) include (kind, result, ip) where failures > 0 or address_failures > 0;
