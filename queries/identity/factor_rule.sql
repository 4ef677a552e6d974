-- name: storedFactorRule :one
select * from factor_rules where company_id = @company_id;

-- lockFactorRule makes another save of the rule wait.
-- name: lockFactorRule :exec
select from companies where id = @company_id for no key update;

-- name: storeFactorRule :exec
insert into factor_rules (company_id, required_of, grace_days, trusts_sign_on, administrators_due_at, everybody_due_at, updated_at, updated_by, updated_by_name)
values (@company_id, @required_of, @grace_days, @trusts_sign_on, sqlc.narg(administrators_due_at), sqlc.narg(everybody_due_at), @updated_at, sqlc.narg(updated_by), @updated_by_name)
on conflict (company_id) do update set version_no = factor_rules.version_no + 1, required_of = excluded.required_of, grace_days = excluded.grace_days,
  trusts_sign_on = excluded.trusts_sign_on, administrators_due_at = excluded.administrators_due_at, everybody_due_at = excluded.everybody_due_at,
  updated_at = excluded.updated_at, updated_by = excluded.updated_by, updated_by_name = excluded.updated_by_name;

-- countWithoutFactor counts the people who can sign in, and those of them who have no
-- second factor.
-- name: countWithoutFactor :one
with people as (
  select u.is_admin, not exists (select from authenticator_apps a where a.company_id = u.company_id and a.user_id = u.id and a.confirmed_at is not null)
    and not exists (select from passkeys k where k.company_id = u.company_id and k.user_id = u.id) as lacks
  from users u where u.company_id = @company_id and not u.bot and u.hidden_at is null
)
select count(*)::integer as people, count(*) filter (where lacks)::integer as lacking,
  count(*) filter (where is_admin)::integer as administrators, count(*) filter (where is_admin and lacks)::integer as administrators_lacking
from people;
