-- name: lockDisclosure :exec
select pg_advisory_xact_lock(hashtextextended('disclosure', @company_id::bigint));

-- name: storedDisclosure :one
select version_no, personal_phones, device_ids, ip_addresses, updated_at, updated_by_name from disclosures where company_id = @company_id;

-- name: storeDisclosure :exec
insert into disclosures (company_id, personal_phones, device_ids, ip_addresses, updated_at, updated_by, updated_by_name)
values (@company_id, @personal_phones, @device_ids, @ip_addresses, @updated_at, @updated_by, @updated_by_name)
on conflict (company_id) do update set version_no = disclosures.version_no + 1, personal_phones = excluded.personal_phones, device_ids = excluded.device_ids, ip_addresses = excluded.ip_addresses,
  updated_at = excluded.updated_at, updated_by = excluded.updated_by, updated_by_name = excluded.updated_by_name;
