-- A version counts from effective_from until "until": null is for ever, the
-- moment of a deletion or cancellation ends it, and one that still has to be
-- confirmed ends by itself at confirm_by, where the version before resumes.

-- +goose Up
alter table policy_versions
  add column until               timestamptz,
  add column confirm_by          timestamptz,
  add column confirmed_at        timestamptz,
  -- the version that took targets away from this one's policy
  add column moved_for_policy_id bigint,
  add column moved_for_no        integer,
  add foreign key (company_id, moved_for_policy_id, moved_for_no) references policy_versions;
update policy_versions set until = cancelled_at where cancelled_at is not null;
create index policy_versions_moved_for on policy_versions (company_id, moved_for_policy_id, moved_for_no) where moved_for_policy_id is not null;
