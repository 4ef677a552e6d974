-- A provisional version that nobody confirms is followed by a version of its own.

-- +goose Up

-- settled_at is when a job found that a provisional version had ended without a
-- confirmation. reverts_no is the version of the same policy whose end a version follows:
-- it has what applied before.
alter table policy_versions
  add column settled_at timestamptz,
  add column reverts_no integer,
  add foreign key (company_id, policy_id, reverts_no) references policy_versions;

-- Those that ended before somebody saved the policy again need nothing any more.
update policy_versions v set settled_at = v.confirm_by
where v.confirm_by < now() and v.confirmed_at is null and exists (
  select from policy_versions newer where newer.company_id = v.company_id and newer.policy_id = v.policy_id and newer.no > v.no
);

create index policy_versions_unconfirmed on policy_versions (company_id, confirm_by)
  where confirm_by is not null and confirmed_at is null and settled_at is null;
