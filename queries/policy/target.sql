-- targetNames returns the names of the targets that exist, in the order in
-- which a version lists them: departments by path, then users. Bots cannot be
-- targets; a hidden user has the name HiddenName.
-- name: targetNames :many
select t.department_id, t.user_id, t.name
from (
  select d.id as department_id, 0::bigint as user_id, d.name, d.path from departments d
  where d.company_id = @company_id and d.id = any (@department_ids::bigint[])
  union all
  select 0, u.id, case when u.hidden_at is null then u.name else '—' end, null from users u where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot
) t
order by t.user_id <> 0, t.path, t.name, t.user_id;

-- name: insertTargets :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id, include_children)
select @company_id, @policy_id, @no, nullif(t.department_id, 0), nullif(t.user_id, 0), t.include_children
from (
  select unnest(@department_ids::bigint[]) as department_id, unnest(@user_ids::bigint[]) as user_id, unnest(@include_children::boolean[]) as include_children
) t;

-- name: InsertDemoTarget :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id)
values (@company_id, @policy_id, @no, @department_id, @user_id);
