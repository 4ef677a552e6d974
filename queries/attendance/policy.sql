-- name: versionSettings :many
select v.policy_id, v.no, v.settings
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) k
join policy_versions v on v.company_id = @company_id and v.policy_id = k.policy_id and v.no = k.no;
