-- listedPolicies returns all policies of a kind as the list shows them: with
-- the version in force (or the first planned one, or the last one that was in
-- force), the latest change and the next planned change. name_rank is the
-- position of the name in the order of the collation.
-- name: listedPolicies :many
select p.id, p.is_default, v.no, v.name, v.description, v.settings, v.enabled, v.effective_from, v.until, v.search_text, v.in_force,
  v.confirm_by, v.confirmed_at, v.moved_for_policy_id,
  rank() over (order by v.name) as name_rank,
  newest.created_at as last_modified,
  coalesce(case when changer.hidden_at is null then changer.name else '—' end, '')::text as changed_by_name,
  coalesce(plan.no, 0)::integer as plan_no, coalesce(plan.effective_from, 'epoch')::timestamptz as plan_from,
  p.owner_user_id, p.owner_department_id,
  coalesce(case when owner.hidden_at is null then owner.name else '—' end, '')::text as owner_name, coalesce(department.name, '')::text as owner_department
from policies p
join lateral (
  select pv.*, (pv.effective_from <= @at and (pv.until is null or pv.until > @at))::boolean as in_force
  from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null and coalesce(pv.until > pv.effective_from, true)
  order by in_force desc, pv.effective_from > @at desc, case when pv.effective_from <= @at then pv.effective_from end desc, pv.effective_from, pv.no desc
  limit 1
) v on true
join lateral (
  select pv.created_at, pv.created_by from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null
  order by pv.no desc limit 1
) newest on true
left join lateral (
  select pv.no, pv.effective_from from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null and coalesce(pv.until > pv.effective_from, true) and pv.effective_from > @at
  order by pv.effective_from, pv.no limit 1
) plan on true
left join users changer on changer.company_id = p.company_id and changer.id = newest.created_by
left join users owner on owner.company_id = p.company_id and owner.id = p.owner_user_id
left join departments department on department.company_id = p.company_id and department.id = p.owner_department_id
where p.company_id = @company_id and p.kind = @kind and p.deleted_at is null
order by p.id;

-- listedTargets returns the targets of some versions, departments first. Hidden
-- users are left out.
-- name: listedTargets :many
select t.policy_id, coalesce(t.department_id, 0)::bigint as department_id, coalesce(t.user_id, 0)::bigint as user_id,
  t.include_children, coalesce(d.name, u.name)::text as name, coalesce(d.search_text, u.search_text)::text as search_text,
  coalesce(d.ancestors, home.ancestors)::bigint[] as ancestors
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) shown
join policy_targets t on t.company_id = @company_id and t.policy_id = shown.policy_id and t.no = shown.no
left join departments d on d.company_id = t.company_id and d.id = t.department_id
left join users u on u.company_id = t.company_id and u.id = t.user_id
left join departments home on home.company_id = u.company_id and home.id = u.department_id
where t.user_id is null or u.hidden_at is null
order by t.policy_id, t.user_id is not null, d.path, u.name, t.department_id, t.user_id;

-- UpperDepartments returns the root department and its children.
-- name: UpperDepartments :many
select id, name, (parent_id is null)::boolean as root from departments
where company_id = @company_id and (parent_id is null or cardinality(ancestors) = 2)
order by path;

-- deletedPolicies returns the policies of a kind that were deleted after a time,
-- the latest first, with the version that was in force then, or else the first that was
-- planned then, or else the latest.
-- name: deletedPolicies :many
select p.id, p.deleted_at::timestamptz as deleted_at, v.name, v.description, v.search_text
from policies p
join lateral (
  select pv.* from policy_versions pv, lateral (
    select pv.effective_from < p.deleted_at as began, pv.cancelled_at is null and (pv.until is null or pv.until >= p.deleted_at) as ended
  ) s
  where pv.company_id = p.company_id and pv.policy_id = p.id
  order by s.began and s.ended desc, s.ended and pv.moved_for_policy_id is null desc,
    case when s.ended and pv.moved_for_policy_id is null and not s.began then pv.effective_from end, pv.effective_from desc, pv.no desc
  limit 1
) v on true
where p.company_id = @company_id and p.kind = @kind and p.deleted_at > @since::timestamptz
order by p.deleted_at desc, p.id desc;

-- policyDeletedBy returns the name of the person who last deleted a policy.
-- name: policyDeletedBy :one
select c.actor_name from changes c
where c.company_id = @company_id and c.object_type = 'policy' and c.object_id = @id and c.action = 'policy.deleted'
order by c.at desc, c.id desc
limit 1;
