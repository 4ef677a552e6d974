-- policyList is every policy of a kind as the list shows it: the version in
-- force (or the first planned one, or the last that was), the newest change and
-- the next planned change. name_rank is the place of the name in the order of
-- the collation.
-- name: policyList :many
select p.id, p.is_default, v.no, v.name, v.description, v.settings, v.enabled, v.effective_from, v.until, v.search_text, v.in_force,
  v.confirm_by, v.confirmed_at, v.moved_for_policy_id,
  rank() over (order by v.name) as name_rank,
  newest.created_at as last_modified,
  coalesce(plan.no, 0)::integer as plan_no, coalesce(plan.effective_from, 'epoch')::timestamptz as plan_from,
  coalesce(owner.name, '')::text as owner_name, coalesce(department.name, '')::text as owner_department
from policies p
join lateral (
  select pv.*, (pv.effective_from <= @at and (pv.until is null or pv.until > @at))::boolean as in_force
  from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null
  order by in_force desc, pv.effective_from > @at desc, case when pv.effective_from <= @at then pv.effective_from end desc, pv.effective_from, pv.no desc
  limit 1
) v on true
join lateral (
  select pv.created_at from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null
  order by pv.no desc limit 1
) newest on true
left join lateral (
  select pv.no, pv.effective_from from policy_versions pv
  where pv.company_id = p.company_id and pv.policy_id = p.id and pv.cancelled_at is null and pv.effective_from > @at
  order by pv.effective_from, pv.no limit 1
) plan on true
left join users owner on owner.company_id = p.company_id and owner.id = p.owner_user_id
left join departments department on department.company_id = p.company_id and department.id = p.owner_department_id
where p.company_id = @company_id and p.kind = @kind and p.deleted_at is null
order by p.id;

-- policyListTargets are the targets of some versions, departments first.
-- name: policyListTargets :many
select t.policy_id, coalesce(t.department_id, 0)::bigint as department_id, coalesce(t.user_id, 0)::bigint as user_id,
  t.include_children, coalesce(d.name, u.name)::text as name, coalesce(d.search_text, u.search_text)::text as search_text,
  coalesce(d.lineage, home.lineage)::bigint[] as lineage
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) shown
join policy_targets t on t.company_id = @company_id and t.policy_id = shown.policy_id and t.no = shown.no
left join departments d on d.company_id = t.company_id and d.id = t.department_id
left join users u on u.company_id = t.company_id and u.id = t.user_id
left join departments home on home.company_id = u.company_id and home.id = u.department_id
order by t.policy_id, t.user_id is not null, d.path, u.name, t.department_id, t.user_id;

-- Branch is a department with the ids from the root down to it.
-- name: Branch :one
select id, name, lineage from departments where company_id = @company_id and id = @id;

-- UpperDepartments are the root and the departments right below it.
-- name: UpperDepartments :many
select id, name, (parent_id is null)::boolean as root from departments
where company_id = @company_id and (parent_id is null or cardinality(lineage) = 2)
order by path;

-- policyWithVersions is a policy with each of its versions, the newest first. The
-- targets of a version are a JSON array: departments, by path, then people.
-- name: policyWithVersions :many
select p.id, p.kind, p.is_default, p.owner_user_id, p.owner_department_id, p.deleted_at,
  coalesce(owner.name, '')::text as owner_name, coalesce(department.name, '')::text as owner_department,
  v.no, v.effective_from, v.enabled, v.name, v.description, v.settings, v.reason, v.created_by, coalesce(u.name, '')::text as created_by_name,
  v.created_at, v.cancelled_at, v.until, v.confirm_by, v.confirmed_at, v.moved_for_policy_id, v.moved_for_no,
  coalesce(listed.targets, '[]')::json as targets
from policies p
join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id
left join users owner on owner.company_id = p.company_id and owner.id = p.owner_user_id
left join departments department on department.company_id = p.company_id and department.id = p.owner_department_id
left join users u on u.company_id = v.company_id and u.id = v.created_by
left join (
  select t.no, json_agg(json_build_object(
    'type', case when t.user_id is null then 'department' else 'user' end, 'id', coalesce(t.department_id, t.user_id),
    'include_children', t.user_id is not null or t.include_children, 'name', coalesce(d.name, person.name)
  ) order by t.user_id is not null, d.path, person.name, t.user_id) as targets
  from policy_targets t
  left join departments d on d.company_id = t.company_id and d.id = t.department_id
  left join users person on person.company_id = t.company_id and person.id = t.user_id
  where t.company_id = @company_id and t.policy_id = @policy_id
  group by t.no
) listed on listed.no = v.no
where p.company_id = @company_id and p.id = @policy_id
order by v.no desc;

-- name: insertPolicy :one
insert into policies (company_id, kind, owner_user_id, owner_department_id, created_at)
values (@company_id, @kind, @owner_user_id, @owner_department_id, @now)
returning id;

-- name: setPolicyOwner :exec
update policies set owner_user_id = @owner_user_id, owner_department_id = @owner_department_id
where company_id = @company_id and id = @id;

-- insertVersionRow answers the settings as they are stored.
-- name: insertVersionRow :one
insert into policy_versions (company_id, policy_id, no, effective_from, until, enabled, name, description, settings, search_text, reason,
  created_by, created_at, confirm_by, moved_for_policy_id, moved_for_no)
values (@company_id, @policy_id, @no, @effective_from, @confirm_by, @enabled, @name, @description, @settings, @search_text, @reason,
  @created_by, @now, @confirm_by, @moved_for_policy_id, @moved_for_no)
returning settings;

-- name: insertTargets :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id, include_children)
select @company_id, @policy_id, @no, nullif(t.department_id, 0), nullif(t.user_id, 0), t.include_children
from (
  select unnest(@department_ids::bigint[]) as department_id, unnest(@user_ids::bigint[]) as user_id, unnest(@include_children::boolean[]) as include_children
) t;

-- name: cancelVersion :exec
update policy_versions set cancelled_at = sqlc.arg(now)::timestamptz, until = sqlc.arg(now)::timestamptz
where company_id = @company_id and policy_id = @policy_id and no = @no;

-- movedVersions are the plans that lie ahead because of another plan.
-- name: movedVersions :many
select policy_id, no from policy_versions
where policy_versions.company_id = @company_id and moved_for_policy_id = @policy_id and moved_for_no = @no and cancelled_at is null and effective_from > @at
order by policy_id;

-- endPolicy ends every version of a deleted policy.
-- name: endPolicy :exec
update policy_versions set until = least(until, sqlc.arg(now)::timestamptz)
where company_id = @company_id and policy_id = @policy_id;

-- name: setPolicyDeleted :exec
update policies set deleted_at = @deleted_at where company_id = @company_id and id = @id;

-- confirmVersions confirms a version and those that other policies have because of it.
-- name: confirmVersions :many
update policy_versions v set until = null, confirmed_at = sqlc.arg(now)::timestamptz
where v.company_id = @company_id and v.confirm_by is not null and v.confirmed_at is null and v.until > sqlc.arg(now)::timestamptz
  and (v.policy_id = @policy_id and v.no = @no or v.moved_for_policy_id = @policy_id and v.moved_for_no = @no)
returning v.policy_id, v.no;

-- targetNames names the targets that exist, in the order in which a version lists
-- them: departments, by path, then people, but no bots.
-- name: targetNames :many
select t.department_id, t.user_id, t.name
from (
  select d.id as department_id, 0::bigint as user_id, d.name, d.path from departments d
  where d.company_id = @company_id and d.id = any (@department_ids::bigint[])
  union all
  select 0, u.id, u.name, null from users u where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot
) t
order by t.user_id <> 0, t.path, t.name, t.user_id;
