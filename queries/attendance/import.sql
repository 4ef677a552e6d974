-- employeeIDs returns the users of a company who have an employee id.
-- name: employeeIDs :many
select id, employee_id from users where company_id = @company_id and employee_id <> '' and not bot order by id;

-- clockedDays returns the arrivals and departures of users between two times.
-- name: clockedDays :many
select user_id, at, event_id, kind from clock_events
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and at >= sqlc.arg(since)::timestamptz and at < sqlc.arg(until)::timestamptz
  and kind in ('in', 'out')
order by user_id, at;

-- name: begunDays :many
select user_id, work_date from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not extra;
