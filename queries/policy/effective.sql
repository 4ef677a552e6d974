-- personWithAncestors returns a user with the ancestors of the department, and
-- the policy_version of the timeline by which to resolve the policy.
-- name: personWithAncestors :one
select u.name, d.path, d.ancestors, c.policy_version, (u.hidden_at is not null)::bool as hidden
from users u
join companies c on c.id = u.company_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = @user_id and not u.bot;

-- name: peopleWithAncestors :many
select u.id, d.ancestors, c.policy_version, (u.hidden_at is not null)::bool as hidden
from users u
join companies c on c.id = u.company_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot;

-- companyWithAncestors returns the users of a company without hidden ones (number
-- is the department), its departments (the rows with ancestors) and the company (id 0,
-- number is the policy_version). One statement reads them in one snapshot; a
-- join would repeat the ancestors for each user.
-- name: companyWithAncestors :many
select 0::bigint as id, c.policy_version as number, null::bigint[] as ancestors from companies c where c.id = @company_id
union all
select d.id, 0, d.ancestors from departments d where d.company_id = @company_id
union all
select u.id, coalesce(u.department_id, 0), null from users u where u.company_id = @company_id and not u.bot and u.hidden_at is null;
