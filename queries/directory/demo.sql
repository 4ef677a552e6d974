-- KeepOthersOut makes a second filling of the same database wait for the first.
-- name: KeepOthersOut :exec
lock table companies in exclusive mode;

-- name: AnyCompany :one
select exists (select from companies);

-- ContinueIDs lets the identity columns go on behind the ids that were given out.
-- name: ContinueIDs :exec
select setval(pg_get_serial_sequence('departments', 'id')::regclass, (select max(d.id) from departments d)),
  setval(pg_get_serial_sequence('ranks', 'id')::regclass, (select max(r.id) from ranks r)),
  setval(pg_get_serial_sequence('roles', 'id')::regclass, (select max(r.id) from roles r)),
  setval(pg_get_serial_sequence('users', 'id')::regclass, (select max(u.id) from users u)),
  setval(pg_get_serial_sequence('policies', 'id')::regclass, (select max(p.id) from policies p)),
  setval(pg_get_serial_sequence('attendance_corrections', 'id')::regclass, (select max(c.id) from attendance_corrections c));
