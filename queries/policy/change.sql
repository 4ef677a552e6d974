-- releasingVersions are those that policies got because another version took
-- targets from them, also cancelled ones.
-- name: releasingVersions :many
select policy_id, no from policy_versions
where company_id = @company_id and moved_for_policy_id = @policy_id and moved_for_no = @no
order by policy_id, no;
