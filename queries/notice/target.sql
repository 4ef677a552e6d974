-- name: deleteTargets :exec
delete from notice_targets where company_id = @company_id and notice_id = @notice_id;

-- name: insertTargets :exec
insert into notice_targets (company_id, notice_id, department_id, user_id, include_children)
select @company_id, @notice_id, nullif(t.department_id, 0), nullif(t.user_id, 0), t.include_children
from (
  select unnest(@department_ids::bigint[]) as department_id, unnest(@user_ids::bigint[]) as user_id, unnest(@include_children::boolean[]) as include_children
) t;

-- knownTargets are those of some departments and users that exist and can be
-- targets: departments by path, then users by name. path, department, rank and
-- employee_id tell those of the same name apart. A hidden user has the name — and
-- nothing else.
-- name: knownTargets :many
select t.department_id, t.user_id, t.name, coalesce(t.path, '')::text as path, t.department, t.rank, t.employee_id
from (
  select d.id as department_id, 0::bigint as user_id, d.name, d.path, '' as department, '' as rank, '' as employee_id from departments d
  where d.company_id = @company_id and d.id = any (@department_ids::bigint[])
  union all
  select 0, u.id, u.name, null, d.name, coalesce(k.name, ''), u.employee_id
  from users u
  join departments d on d.company_id = u.company_id and d.id = u.department_id
  left join ranks k on k.company_id = u.company_id and k.id = u.rank_id
  where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot and u.hidden_at is null
  union all
  select 0, u.id, '—', null, '', '', '' from users u
  where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot and u.hidden_at is not null
) t
order by t.user_id <> 0, t.path, t.name, t.user_id;

-- hasNewHidden reports whether a hidden user is among some users who never was a target
-- of a notice: for somebody who chooses, they do not exist.
-- name: hasNewHidden :one
select exists (
  select from users u where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and u.hidden_at is not null
    and not exists (select from notice_targets t where t.company_id = @company_id and t.notice_id = @notice_id and t.user_id = u.id)
    and not exists (
      select from changes c where c.company_id = @company_id and c.object_type = 'notice' and c.object_id = @notice_id and c.old -> 'targets' -> 'users' @> to_jsonb(u.id)
    )
);

-- targetsOfNotices are the targets of some notices with their names, departments
-- by path, then users by name. home is the department of a user who can read
-- notices, and 0 for a bot. Hidden users are left out.
-- name: targetsOfNotices :many
select t.notice_id, coalesce(t.department_id, 0)::bigint as department_id, coalesce(t.user_id, 0)::bigint as user_id, t.include_children,
  coalesce(d.name, u.name)::text as name, coalesce(d.path, '')::text as path, coalesce(ud.name, '')::text as department,
  coalesce(case when not u.bot then u.department_id end, 0)::bigint as home
from notice_targets t
left join departments d on d.company_id = t.company_id and d.id = t.department_id
left join users u on u.company_id = t.company_id and u.id = t.user_id
left join departments ud on ud.company_id = u.company_id and ud.id = u.department_id
where t.company_id = @company_id and t.notice_id = any (@notice_ids::bigint[]) and (t.user_id is null or u.hidden_at is null)
order by t.notice_id, t.user_id is not null, d.path, u.name, u.id;

-- homes are the departments of those users who can read notices.
-- name: homes :many
select id, coalesce(department_id, 0)::bigint as home from users
where company_id = @company_id and id = any (@user_ids::bigint[]) and hidden_at is null and not bot;

-- visibleUsers are those of some users who are not hidden.
-- name: visibleUsers :many
select id from users where company_id = @company_id and id = any (@user_ids::bigint[]) and hidden_at is null order by id;

-- name: directoryVersion :one
select directory_version from companies where id = @company_id;
