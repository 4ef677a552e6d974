-- targetNames returns the names of the targets that exist, in the order in
-- which a version lists them: departments by path, then users. Bots cannot be
-- targets; a hidden user has the name HiddenName.
-- name: targetNames :many
select t.department_id, t.user_id, t.name, t.hidden::bool as hidden
from (
  select d.id as department_id, 0::bigint as user_id, d.name, d.path, false as hidden from departments d
  where d.company_id = @company_id and d.id = any (@department_ids::bigint[])
  union all
  select 0, u.id, case when u.hidden_at is null then u.name else '—' end, null, u.hidden_at is not null from users u where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot
) t
order by t.user_id <> 0, t.path, t.name, t.user_id;

-- usersOfPolicies returns those of some users who are or were targets of policies, who
-- own them, and whom versions of them exempt from the ranges of addresses.
-- name: usersOfPolicies :one
select array(
    select t.user_id from policy_targets t where t.company_id = @company_id and t.policy_id = any (@policy_ids::bigint[]) and t.user_id = any (@user_ids::bigint[])
  )::bigint[] as targets,
  array(select p.owner_user_id from policies p where p.company_id = @company_id and p.id = any (@policy_ids::bigint[]) and p.owner_user_id = any (@user_ids::bigint[]))::bigint[] as owners,
  array(
    select exempt.id::bigint from policy_versions v cross join jsonb_array_elements_text(v.settings -> 'ip_exempt_user_ids') as exempt (id)
    where v.company_id = @company_id and v.policy_id = any (@policy_ids::bigint[]) and exempt.id::bigint = any (@user_ids::bigint[])
  )::bigint[] as exempt;

-- name: insertTargets :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id, include_children)
select @company_id, @policy_id, @no, nullif(t.department_id, 0), nullif(t.user_id, 0), t.include_children
from (
  select unnest(@department_ids::bigint[]) as department_id, unnest(@user_ids::bigint[]) as user_id, unnest(@include_children::boolean[]) as include_children
) t;

-- name: InsertDemoTarget :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id)
values (@company_id, @policy_id, @no, @department_id, @user_id);
