-- clockedToday reports whether any user of a policy has arrived on a work date.
-- name: clockedToday :one
select exists (
  select from day_records
  where company_id = @company_id and work_date = @work_date and policy_id = @policy_id and arrival_at is not null and deleted_at is null
);
