-- name: storedMaps :one
select map_licenses, map_version_no, map_updated_at, map_updated_by_name from companies where id = @company_id;

-- name: storeMaps :exec
update companies set map_licenses = @map_licenses, map_version_no = map_version_no + 1, map_updated_at = @now, map_updated_by_name = @name where id = @company_id;
