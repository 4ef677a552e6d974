-- employeeIDs are the people of a company that files can name.
-- name: employeeIDs :many
select id, employee_id from users where company_id = @company_id and employee_id <> '' and not bot order by id;

-- clockedDays are all arrivals and departures of people in a time.
-- name: clockedDays :many
select user_id, at, event_id, kind from clock_events
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and at >= sqlc.arg(since)::timestamptz and at < sqlc.arg(until)::timestamptz
  and kind in ('in', 'out')
order by user_id, at;

-- name: begunDays :many
select user_id, work_date from day_records
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and not extra;
