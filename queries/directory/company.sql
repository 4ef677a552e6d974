-- name: Company :one
select * from companies where id = @company_id;

-- name: CompanyByHost :one
select * from companies where host = lower(@host);

-- name: Companies :many
select * from companies order by id;

-- HasCompany reports whether there is any company.
-- name: HasCompany :one
select exists (select from companies);

-- name: InsertCompany :one
insert into companies (name, host, time_zone, organization_url, product_settings, map_licenses)
values (@name, @host, @time_zone, @organization_url, @product_settings, @map_licenses)
returning *;

-- touchDirectory increments the company's directory_version, which invalidates
-- caches of the directory.
-- name: touchDirectory :exec
update companies set directory_version = directory_version + 1 where id = @company_id;

-- TouchPolicies increments the company's policy_version, which invalidates
-- caches of policies, and so locks the company's row. It returns the time zone.
-- name: TouchPolicies :one
update companies set policy_version = policy_version + 1 where id = @company_id returning time_zone;

-- lockCompany serializes changes of the whole directory of a company.
-- name: lockCompany :one
select id from companies where id = @company_id for no key update;

-- LockCompanies serializes fillings of the same database.
-- name: LockCompanies :exec
lock table companies in exclusive mode;

-- name: insertDefaultPolicy :exec
with policy as (
  insert into policies (company_id, kind, is_default, created_at) values (@company_id, @kind, true, @now) returning company_id, id
)
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
select company_id, id, 1, @now, true, @name, @settings, @search_text, @now from policy;

-- AdvanceIDs sets the sequences of the identity columns to the highest ids in use,
-- after rows were inserted with ids of their own.
-- name: AdvanceIDs :exec
select setval(pg_get_serial_sequence('departments', 'id')::regclass, (select max(d.id) from departments d)),
  setval(pg_get_serial_sequence('ranks', 'id')::regclass, (select max(r.id) from ranks r)),
  setval(pg_get_serial_sequence('roles', 'id')::regclass, (select max(r.id) from roles r)),
  setval(pg_get_serial_sequence('users', 'id')::regclass, (select max(u.id) from users u)),
  setval(pg_get_serial_sequence('policies', 'id')::regclass, (select max(p.id) from policies p)),
  setval(pg_get_serial_sequence('attendance_corrections', 'id')::regclass, (select max(c.id) from attendance_corrections c));
