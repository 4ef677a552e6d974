-- versionSources returns who saved versions, when, with what description, and when their
-- policies were deleted.
-- name: versionSources :many
select v.policy_id, v.no, v.description, v.created_at, coalesce(u.name, '')::text as created_by_name, p.deleted_at
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) k
join policy_versions v on v.company_id = @company_id and v.policy_id = k.policy_id and v.no = k.no
join policies p on p.company_id = v.company_id and p.id = v.policy_id
left join users u on u.company_id = v.company_id and u.id = v.created_by;
