-- dataVersions returns all versions. There are a few of each company.
-- name: dataVersions :many
select company_id, part, version::bigint as reached from data_versions;
