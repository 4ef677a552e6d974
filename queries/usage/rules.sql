-- name: storedRules :one
select * from installation_rules where company_id = @company_id;

-- lockRules makes other transactions that save rules of the company wait, also where
-- it has none yet.
-- name: lockRules :exec
select pg_advisory_xact_lock(hashtextextended('installation_rules', sqlc.arg(company_id)::bigint));

-- name: storeRules :exec
insert into installation_rules (company_id, version_no, rules, updated_at, updated_by, updated_by_name)
values (@company_id, 1, @rules, @now, @updated_by, @updated_by_name)
on conflict (company_id) do update set version_no = installation_rules.version_no + 1, rules = excluded.rules, updated_at = excluded.updated_at,
  updated_by = excluded.updated_by, updated_by_name = excluded.updated_by_name;

-- knownTargets counts those of some departments and people that the company has, and of
-- hidden people only the former ones.
-- name: knownTargets :one
select ((select count(*) from departments d where d.company_id = @company_id and d.id = any (@departments::bigint[]))
  + (select count(*) from users u where u.company_id = @company_id and u.id = any (@users::bigint[]) and not u.bot
    and (u.hidden_at is null or u.id = any (@former_users::bigint[]))))::bigint as known;

-- ruleUser returns a person's department with all above it.
-- name: ruleUser :one
select u.id, coalesce(d.ancestors, '{}')::bigint[] as ancestors from users u
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = @id and not u.bot and u.hidden_at is null;

-- targetNames returns the names of departments and of people who are not hidden.
-- name: targetNames :many
select 'department'::text as type, d.id, d.name, d.path from departments d where d.company_id = @company_id and d.id = any (@departments::bigint[])
union all
select 'user', u.id, u.name, coalesce(d.path, '') from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@users::bigint[]) and u.hidden_at is null
order by 1, 3, 2;
