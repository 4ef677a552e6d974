-- companiesUnconfirmed returns the companies with provisional versions that have ended
-- without a confirmation and are not settled.
-- name: companiesUnconfirmed :many
select distinct company_id from policy_versions
where confirm_by is not null and confirmed_at is null and settled_at is null and confirm_by <= sqlc.arg(now)::timestamptz
order by company_id;

-- unconfirmedVersions returns these versions of a company, the earliest end first.
-- name: unconfirmedVersions :many
select v.policy_id, v.no, (v.until = v.confirm_by and v.cancelled_at is null and p.deleted_at is null)::boolean as reverts
from policy_versions v join policies p on p.company_id = v.company_id and p.id = v.policy_id
where v.company_id = @company_id and p.kind = @kind and v.confirm_by is not null and v.confirmed_at is null and v.settled_at is null and v.confirm_by <= sqlc.arg(now)::timestamptz
order by v.confirm_by, v.policy_id, v.no;

-- name: settleVersion :exec
update policy_versions set settled_at = sqlc.arg(now)::timestamptz where company_id = @company_id and policy_id = @policy_id and no = @no;
