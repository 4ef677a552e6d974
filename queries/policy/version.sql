-- versions returns a policy with each of its versions, the newest first. The
-- targets of a version are a JSON array: departments by path, then users. A hidden
-- user has the name — (HiddenName), which keeps their place.
-- name: versions :many
select p.id, p.kind, p.is_default, p.owner_user_id, p.owner_department_id, p.deleted_at,
  coalesce(case when owner.hidden_at is null then owner.name else '—' end, '')::text as owner_name, coalesce(department.name, '')::text as owner_department,
  v.no, v.effective_from, v.enabled, v.name, v.description, v.settings, v.reason, v.created_by, coalesce(u.name, '')::text as created_by_name,
  v.created_at, v.cancelled_at, v.until, v.confirm_by, v.confirmed_at, v.reverts_no, v.moved_for_policy_id, v.moved_for_no,
  coalesce(listed.targets, '[]')::json as targets
from policies p
join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id
left join users owner on owner.company_id = p.company_id and owner.id = p.owner_user_id
left join departments department on department.company_id = p.company_id and department.id = p.owner_department_id
left join users u on u.company_id = v.company_id and u.id = v.created_by
left join (
  select t.no, json_agg(json_build_object(
    'type', case when t.user_id is null then 'department' else 'user' end, 'id', coalesce(t.department_id, t.user_id),
    'include_children', t.user_id is not null or t.include_children, 'name', coalesce(d.name, case when person.hidden_at is null then person.name else '—' end)
  ) order by t.user_id is not null, d.path, person.name, t.user_id) as targets
  from policy_targets t
  left join departments d on d.company_id = t.company_id and d.id = t.department_id
  left join users person on person.company_id = t.company_id and person.id = t.user_id
  where t.company_id = @company_id and t.policy_id = @policy_id
  group by t.no
) listed on listed.no = v.no
where p.company_id = @company_id and p.id = @policy_id
order by v.no desc;

-- insertVersionRow inserts a version and returns its settings as they are stored.
-- name: insertVersionRow :one
insert into policy_versions (company_id, policy_id, no, effective_from, until, enabled, name, description, settings, search_text, reason,
  created_by, created_at, confirm_by, reverts_no, moved_for_policy_id, moved_for_no)
values (@company_id, @policy_id, @no, @effective_from, @until, @enabled, @name, @description, @settings, @search_text, @reason,
  @created_by, @now, @confirm_by, @reverts_no, @moved_for_policy_id, @moved_for_no)
returning settings;

-- name: cancelVersion :exec
update policy_versions set cancelled_at = sqlc.arg(now)::timestamptz, until = sqlc.arg(now)::timestamptz
where company_id = @company_id and policy_id = @policy_id and no = @no;

-- name: endVersion :exec
update policy_versions set until = sqlc.arg(now)::timestamptz
where company_id = @company_id and policy_id = @policy_id and no = @no;

-- movedVersions returns the planned versions that release targets to another
-- planned version.
-- name: movedVersions :many
select policy_id, no from policy_versions
where policy_versions.company_id = @company_id and moved_for_policy_id = @policy_id and moved_for_no = @no and cancelled_at is null and effective_from > @at
order by policy_id;

-- releasingVersions returns the versions that release targets to another
-- version, including cancelled ones.
-- name: releasingVersions :many
select policy_id, no from policy_versions
where company_id = @company_id and moved_for_policy_id = @policy_id and moved_for_no = @no
order by policy_id, no;

-- confirmVersions confirms a provisional version and those that release targets to
-- it.
-- name: confirmVersions :many
update policy_versions v set until = null, confirmed_at = sqlc.arg(now)::timestamptz
where v.company_id = @company_id and v.confirm_by is not null and v.confirmed_at is null and v.until > sqlc.arg(now)::timestamptz
  and (v.policy_id = @policy_id and v.no = @no or v.moved_for_policy_id = @policy_id and v.moved_for_no = @no)
returning v.policy_id, v.no;

-- name: InsertDemoVersion :exec
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, reason, created_by, created_at)
values (@company_id, @policy_id, @no, @effective_from, @enabled, @name, @description, @settings, @search_text, @reason, @created_by, @created_at);
