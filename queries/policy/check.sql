-- policyChecks returns the checks of a company for a kind of policies, the oldest first.
-- name: policyChecks :many
select * from policy_checks where company_id = @company_id and kind = @kind order by id;

-- name: policyCheck :one
select * from policy_checks where company_id = @company_id and id = @id;

-- insertCheck inserts a check, or one that was deleted if it has an id.
-- name: insertCheck :one
insert into policy_checks (company_id, id, kind, name, department_ids, user_ids, quantifier, relation, setting, part, value, severity, version_no, created_by_name, updated_at, updated_by_name)
overriding system value
values (
  @company_id, coalesce(sqlc.narg(id)::bigint, nextval(pg_get_serial_sequence('policy_checks', 'id'))), @kind, @name, @department_ids, @user_ids, @quantifier, @relation,
  @setting, @part, @value, @severity, @version_no, @created_by_name, @updated_at, @updated_by_name
)
returning id;

-- name: updateCheck :exec
update policy_checks set
  name = @name, department_ids = @department_ids, user_ids = @user_ids, quantifier = @quantifier, relation = @relation, setting = @setting, part = @part, value = @value,
  severity = @severity, version_no = @version_no, updated_at = @updated_at, updated_by_name = @updated_by_name
where company_id = @company_id and id = @id;

-- name: deleteCheck :exec
delete from policy_checks where company_id = @company_id and id = @id;

-- namesAmong returns by name some of the users of departments, without those below them
-- and without some users, and of further users.
-- name: namesAmong :many
select u.id, u.name, d.name as department
from users u
join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and not u.bot and u.hidden_at is null
  and (u.id = any (@user_ids::bigint[]) or u.department_id = any (@department_ids::bigint[]) and u.id <> all (@except_ids::bigint[]))
order by u.name collate "ko-x-icu", u.id
limit @size;

-- checksOfCompany returns the checks of a company for all kinds of policies, the oldest
-- first.
-- name: checksOfCompany :many
select * from policy_checks where company_id = @company_id order by id;

-- name: policyVersion :one
select policy_version from companies where id = @company_id;

-- peopleBelow returns the users in and below some departments, without hidden ones.
-- name: peopleBelow :many
select u.id, d.ancestors
from departments d
join users u on u.company_id = d.company_id and u.department_id = d.id and not u.bot and u.hidden_at is null
where d.company_id = @company_id and d.ancestors && @department_ids::bigint[];

-- peopleByDepartmentBelow counts as peopleByDepartment does, in and below some
-- departments.
-- name: peopleByDepartmentBelow :many
select d.id, d.name, d.ancestors, count(*) as people
from departments d
join users u on u.company_id = d.company_id and u.department_id = d.id and not u.bot and u.hidden_at is null
where d.company_id = @company_id and d.ancestors && @department_ids::bigint[]
group by d.company_id, d.id;
