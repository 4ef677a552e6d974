-- name: importDepartments :many
select id, coalesce(parent_id, 0)::bigint as parent_id, name, path, code from departments where company_id = @company_id order by path;

-- updateDepartment renames or moves a department, or changes its code.
-- name: updateDepartment :exec
update departments set parent_id = nullif(@parent_id::bigint, 0), name = @name, search_text = @search_text, code = @code
where company_id = @company_id and id = @id;

-- releaseDepartment gives up the path and the code of a department for others, until
-- updateDepartment gives it its own.
-- name: releaseDepartment :exec
update departments set parent_id = @root, name = @name, code = '' where company_id = @company_id and id = @id;

-- name: insertCodedDepartment :one
insert into departments (company_id, parent_id, name, search_text, code)
values (@company_id, @parent_id, @name, @search_text, @code)
returning id;

-- name: rankNames :many
select id, name, position from ranks where company_id = @company_id order by position;

-- name: roleNames :many
select id, name, position from roles where company_id = @company_id order by position;

-- name: insertRank :one
insert into ranks (company_id, name, position) values (@company_id, @name, @position) returning id;

-- name: insertRole :one
insert into roles (company_id, name, position) values (@company_id, @name, @position) returning id;

-- importUsers returns every user of a company as a file can change them.
-- name: importUsers :many
select u.id, coalesce(u.department_id, 0)::bigint as department_id, coalesce(u.rank_id, 0)::bigint as rank_id, coalesce(u.role_id, 0)::bigint as role_id,
  u.name, u.email, u.employee_id, u.company_phone, u.personal_phone, u.bot, u.is_admin, u.imported, (u.hidden_at is not null)::boolean as hidden,
  coalesce(h.source, '')::text as deactivated_by
from users u
left join hidings h on h.company_id = u.company_id and h.user_id = u.id and h.state = 'deactivated' and h.shown_at is null
where u.company_id = @company_id order by u.id;

-- AdministratorIDs returns the administrators of a company who can sign in.
-- name: AdministratorIDs :many
select id from users where company_id = @company_id and is_admin and hidden_at is null and not bot order by id;

-- emailsElsewhere returns which emails, in lower case, users of other companies have.
-- name: emailsElsewhere :many
select lower(u.email)::text from users u
where lower(u.email) = any (@emails::text[]) and u.email <> '' and u.company_id <> @company_id;

-- releaseKeys takes the emails and employee ids away from users that others get,
-- until importChangedPeople gives them their own: the unique indexes compare each row.
-- name: releaseKeys :exec
update users set email = case when email = '' then '' else '#' || id end, employee_id = ''
where company_id = @company_id and id = any (@user_ids::bigint[]);

-- markImported notes that a file has named users whom it did not change.
-- name: markImported :exec
update users set imported = true where company_id = @company_id and id = any (@user_ids::bigint[]);

-- importNewPeople creates users and returns the administrators among them. Arrays of
-- arrays must be rectangular in PostgreSQL, so rows with grams are passed as JSON.
-- name: importNewPeople :many
with created as (insert into users (company_id, department_id, rank_id, role_id, name, email, employee_id, company_phone, personal_phone,
  bot, is_admin, imported, created_at, updated_at, search_text, search_grams)
select @company_id, nullif(r.department_id, 0), nullif(r.rank_id, 0), nullif(r.role_id, 0), r.name, r.email, r.employee_id, r.company_phone, r.personal_phone,
  r.bot, r.is_admin, true, @now, @now, r.search_text, r.search_grams
from jsonb_to_recordset(@people::jsonb) as r(department_id bigint, rank_id bigint, role_id bigint, name text, email text, employee_id text,
  company_phone text, personal_phone text, bot boolean, is_admin boolean, search_text text, search_grams text[])
returning id, name, email, employee_id, is_admin)
select id, name, email, employee_id from created where is_admin order by id;

-- name: importChangedPeople :exec
update users u set department_id = nullif(r.department_id, 0), rank_id = nullif(r.rank_id, 0), role_id = nullif(r.role_id, 0), name = r.name,
  email = r.email, employee_id = r.employee_id, company_phone = r.company_phone, personal_phone = r.personal_phone,
  bot = r.bot, is_admin = r.is_admin, imported = true, updated_at = @now, search_text = r.search_text, search_grams = r.search_grams
from jsonb_to_recordset(@people::jsonb) as r(id bigint, department_id bigint, rank_id bigint, role_id bigint, name text, email text, employee_id text,
  company_phone text, personal_phone text, bot boolean, is_admin boolean, search_text text, search_grams text[])
where u.company_id = @company_id and u.id = r.id;

-- A user's default department is not also a further one.
-- name: dropDoubledMemberships :exec
delete from user_departments m using users u
where m.company_id = @company_id and m.user_id = any (@user_ids::bigint[])
  and u.company_id = m.company_id and u.id = m.user_id and u.department_id = m.department_id;
