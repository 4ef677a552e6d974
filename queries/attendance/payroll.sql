-- payrollFigures returns what payroll needs of users besides their months: from one
-- date to another, by the department of the records, the time by which they were late
-- or left early on the dates that count as such, and the policy of the latest record.
-- name: payrollFigures :many
select r.user_id, r.department_id, max(r.work_date)::date as latest,
  coalesce(sum(r.late_min) filter (where r.status in ('late', 'late_and_early')), 0)::bigint as late_min,
  coalesce(sum(r.early_min) filter (where r.status in ('early_leave', 'late_and_early')), 0)::bigint as early_min,
  (array_agg(r.policy_id order by r.work_date desc, r.extra))[1]::bigint as policy_id,
  (array_agg(r.version_no order by r.work_date desc, r.extra))[1]::integer as version_no
from day_records r
where r.company_id = @company_id and r.user_id = any (@user_ids::bigint[]) and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.deleted_at is null
group by r.user_id, r.department_id;

-- rankNames returns the names of the ranks of those users who have one.
-- name: rankNames :many
select u.id, r.name from users u join ranks r on r.company_id = u.company_id and r.id = u.rank_id
where u.company_id = @company_id and u.id = any (@user_ids::bigint[]);

-- name: versionNames :many
select v.policy_id, v.no, v.name
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::integer[]) as no) k
join policy_versions v on v.company_id = @company_id and v.policy_id = k.policy_id and v.no = k.no;
