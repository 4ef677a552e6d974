-- updateCompany stores the descriptions of a company, and invalidates caches of its directory.
-- name: updateCompany :one
update companies set name = @name, host = @host, organization_url = @organization_url, directory_version = directory_version + 1
where id = @company_id returning *;

-- renameRoot renames the root department if it still has the name that the company gave it.
-- name: renameRoot :exec
update departments set name = @name, search_text = @search_text
where company_id = @company_id and parent_id is null and name = @before;
