-- keepOthersOut makes a second filling of the same database wait for the first.
-- name: keepOthersOut :exec
lock table companies in exclusive mode;

-- name: anyCompany :one
select exists (select from companies);

-- name: insertDemoVersion :exec
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, reason, created_by, created_at)
values (@company_id, @policy_id, @no, @effective_from, @enabled, @name, @description, @settings, @search_text, @reason, @created_by, @created_at);

-- name: insertDemoTarget :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id)
values (@company_id, @policy_id, @no, @department_id, @user_id);

-- continueIDs lets the identity columns go on behind the ids that were given out.
-- name: continueIDs :exec
select setval(pg_get_serial_sequence('departments', 'id')::regclass, (select max(d.id) from departments d)),
  setval(pg_get_serial_sequence('ranks', 'id')::regclass, (select max(r.id) from ranks r)),
  setval(pg_get_serial_sequence('roles', 'id')::regclass, (select max(r.id) from roles r)),
  setval(pg_get_serial_sequence('users', 'id')::regclass, (select max(u.id) from users u)),
  setval(pg_get_serial_sequence('policies', 'id')::regclass, (select max(p.id) from policies p)),
  setval(pg_get_serial_sequence('attendance_corrections', 'id')::regclass, (select max(c.id) from attendance_corrections c));

-- noteDemoOpenings: everybody has the records of the dates.
-- name: noteDemoOpenings :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
select c.id, d.work_date, c.directory_version, c.policy_version
from companies c, generate_series(sqlc.arg(first)::date, sqlc.arg(last)::date, interval '1 day') d (work_date);
