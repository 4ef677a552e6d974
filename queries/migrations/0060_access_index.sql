-- +goose Up

-- Somebody may have many rows of which few come from an address, and the address many
-- of others.
create index access_events_by_user_address on access_events (company_id, user_id, ip, at, id);

-- The remarkable rows of a kind and those of an address are found and counted by
-- indexes of their own, those of a user in one index alone. There are few remarkable
-- rows, so that these indexes are small.
create index access_events_new_address_by_kind on access_events (company_id, kind, result, at, id) where new_address;
create index access_events_new_address_by_address on access_events (company_id, ip, at, id) include (kind, result) where new_address;
create index access_events_new_device_by_kind on access_events (company_id, kind, result, at, id) where new_device;
create index access_events_new_device_by_address on access_events (company_id, ip, at, id) include (kind, result) where new_device;
create index access_events_failures_by_kind on access_events (company_id, kind, result, at, id) where failures > 0 or address_failures > 0;
create index access_events_failures_by_address on access_events (company_id, ip, at, id) include (kind, result) where failures > 0 or address_failures > 0;
drop index access_events_remarkable;
create index access_events_remarkable on access_events (company_id, user_id, at, id)
  include (kind, result, ip, new_address, new_device, failures, address_failures)
  where new_address or new_device or failures > 0 or address_failures > 0;
