-- directoryRoot returns the root department, and whether the company is empty,
-- so that the department may be renamed.
-- name: directoryRoot :one
select d.id, d.name,
  (not exists (select from departments c where c.company_id = d.company_id and c.parent_id = d.id)
  and not exists (select from users u where u.company_id = d.company_id and u.department_id is not null))::boolean as free
from departments d
where d.company_id = @company_id and d.parent_id is null;

-- name: departmentPaths :many
select id, path from departments where company_id = @company_id;

-- name: renameDepartment :exec
update departments set name = @name, search_text = @search_text where company_id = @company_id and id = @id;

-- name: rankNames :many
select id, name, position from ranks where company_id = @company_id order by position;

-- name: roleNames :many
select id, name, position from roles where company_id = @company_id order by position;

-- name: insertRank :one
insert into ranks (company_id, name, position) values (@company_id, @name, @position) returning id;

-- name: insertRole :one
insert into roles (company_id, name, position) values (@company_id, @name, @position) returning id;

-- importMatches returns the users that rows of a file may name: users of the
-- company by employee id, and users of every company by email. The emails must
-- be in lower case.
-- name: importMatches :many
select u.company_id, u.id, coalesce(u.department_id, 0) as department_id, coalesce(u.rank_id, 0) as rank_id, coalesce(u.role_id, 0) as role_id,
  u.name, u.email, u.employee_id, u.company_phone, u.personal_phone, u.bot, u.is_admin
from users u
where u.company_id = @company_id and u.employee_id = any (@employee_ids::text[]) and u.employee_id <> ''
union
select u.company_id, u.id, coalesce(u.department_id, 0), coalesce(u.rank_id, 0), coalesce(u.role_id, 0),
  u.name, u.email, u.employee_id, u.company_phone, u.personal_phone, u.bot, u.is_admin
from users u
where lower(u.email) = any (@emails::text[]) and u.email <> '';

-- Arrays of arrays must be rectangular in PostgreSQL, so rows with grams are
-- passed as JSON.
-- name: importNewPeople :exec
insert into users (company_id, department_id, rank_id, role_id, name, email, employee_id, company_phone, personal_phone,
  bot, is_admin, created_at, updated_at, search_text, search_grams)
select @company_id, nullif(r.department_id, 0), nullif(r.rank_id, 0), nullif(r.role_id, 0), r.name, r.email, r.employee_id, r.company_phone, r.personal_phone,
  r.bot, r.is_admin, @now, @now, r.search_text, r.search_grams
from jsonb_to_recordset(@people::jsonb) as r(department_id bigint, rank_id bigint, role_id bigint, name text, email text, employee_id text,
  company_phone text, personal_phone text, bot boolean, is_admin boolean, search_text text, search_grams text[]);

-- name: importChangedPeople :exec
update users u set department_id = nullif(r.department_id, 0), rank_id = nullif(r.rank_id, 0), role_id = nullif(r.role_id, 0), name = r.name,
  email = r.email, employee_id = r.employee_id, company_phone = r.company_phone, personal_phone = r.personal_phone,
  bot = r.bot, is_admin = r.is_admin, updated_at = @now, search_text = r.search_text, search_grams = r.search_grams
from jsonb_to_recordset(@people::jsonb) as r(id bigint, department_id bigint, rank_id bigint, role_id bigint, name text, email text, employee_id text,
  company_phone text, personal_phone text, bot boolean, is_admin boolean, search_text text, search_grams text[])
where u.company_id = @company_id and u.id = r.id;

-- A user's default department is not also a further one.
-- name: dropDoubledMemberships :exec
delete from user_departments m using users u
where m.company_id = @company_id and m.user_id = any (@user_ids::bigint[])
  and u.company_id = m.company_id and u.id = m.user_id and u.department_id = m.department_id;
