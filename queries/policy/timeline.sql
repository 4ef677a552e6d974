-- policySpans returns the versions of a kind that can be in force at a time or
-- later: not those that have ended, nor those that a newer version without an
-- end replaces.
-- name: policySpans :many
select p.id as policy_id, p.is_default, v.no, v.name, v.enabled, v.settings, v.effective_from, v.until,
  (v.confirm_by is not null and v.confirmed_at is null)::boolean as unconfirmed
from policies p join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id
where p.company_id = @company_id and p.kind = @kind
  and (v.until is null or v.until > v.effective_from and v.until > sqlc.arg(at)::timestamptz)
  and not exists (
    select from policy_versions newer
    where newer.company_id = v.company_id and newer.policy_id = v.policy_id and newer.until is null and newer.effective_from <= sqlc.arg(at)::timestamptz
      and (newer.effective_from, newer.no) > (v.effective_from, v.no)
  )
order by p.id, v.effective_from desc, v.no desc;

-- name: spanTargets :many
select t.policy_id, t.no, t.department_id, t.user_id, t.include_children
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) span
join policy_targets t on t.company_id = @company_id and t.policy_id = span.policy_id and t.no = span.no
order by t.policy_id, t.no, t.department_id, t.user_id;
