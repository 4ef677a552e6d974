-- NoteDemoOpenings: everybody has the records of the dates.
-- name: NoteDemoOpenings :exec
insert into attendance_openings (company_id, work_date, directory_version, policy_version)
select c.id, d.work_date, c.directory_version, c.policy_version
from companies c, generate_series(sqlc.arg(first)::date, sqlc.arg(last)::date, interval '1 day') d (work_date);
