-- name: services :many
select id, platforms from convenience_services where company_id = @company_id order by position;

-- setServices stores every service of a company in the order given, the
-- platforms of each joined by commas.
-- name: setServices :exec
insert into convenience_services (company_id, id, position, platforms, updated_at)
select @company_id, unnest(@ids::text[]), generate_subscripts(@ids::text[], 1), string_to_array(unnest(@platforms::text[]), ','), @now::timestamptz
on conflict (company_id, id) do update set position = excluded.position, platforms = excluded.platforms, updated_at = excluded.updated_at
where (convenience_services.position, convenience_services.platforms) is distinct from (excluded.position, excluded.platforms);
