-- lastLockedMonth returns the first day of the latest month whose attendance is
-- locked; no row without one.
-- name: lastLockedMonth :one
select month from attendance_locks where company_id = @company_id order by month desc limit 1;

-- lockAttendance waits for the transactions that derive records or lock months of
-- a company, and keeps them waiting until this transaction ends.
-- name: lockAttendance :exec
select pg_advisory_xact_lock(hashtextextended('attendance', @company_id::bigint));

-- insertRecomputation requests that the records of a company are computed again.
-- name: insertRecomputation :exec
insert into attendance_recomputations (company_id, policy_id, version_no, policy_name, policy_ids, first_date, last_date, created_at, created_by, created_by_name)
values (@company_id, @policy_id, @version_no, @policy_name, @policy_ids, @first_date, @last_date, @created_at, @created_by, @created_by_name);

-- withdrawVersion ends a version before it has begun, as if it had not been saved.
-- name: withdrawVersion :exec
update policy_versions set cancelled_at = sqlc.arg(now)::timestamptz, until = effective_from
where company_id = @company_id and policy_id = @policy_id and no = @no;
