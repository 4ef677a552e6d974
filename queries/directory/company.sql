-- name: Company :one
select * from companies where id = @company_id;

-- name: CompanyByHost :one
select * from companies where host = lower(@host);

-- name: Companies :many
select * from companies order by id;

-- name: InsertCompany :one
insert into companies (name, host, time_zone, organization_url, product_settings, map_licenses)
values (@name, @host, @time_zone, @organization_url, @product_settings, @map_licenses)
returning *;

-- touchDirectory makes cached copies of the company's directory stale.
-- name: touchDirectory :exec
update companies set directory_version = directory_version + 1 where id = @company_id;

-- TouchPolicies makes cached copies of the company's policies stale and locks
-- the company's row. It answers the company's time zone.
-- name: TouchPolicies :one
update companies set policy_version = policy_version + 1 where id = @company_id returning time_zone;

-- lockCompany makes two changes of the whole directory wait for each other.
-- name: lockCompany :one
select id from companies where id = @company_id for no key update;

-- name: insertDepartment :one
insert into departments (company_id, parent_id, name, search_text)
values (@company_id, @parent_id, @name, @search_text)
returning id;

-- name: insertDefaultPolicy :exec
with policy as (
  insert into policies (company_id, kind, is_default, created_at) values (@company_id, @kind, true, @now) returning company_id, id
)
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, search_text, created_at)
select company_id, id, 1, @now, true, @name, @search_text, @now from policy;
