-- Checks: what has to be true of the policies that apply to people, however the policies
-- or the directory change.

-- +goose Up

-- A check is about the people of departments with those below them and about single
-- people, or about everybody where it names none. relation is sign_in, whose value is an
-- address range, or compares setting with value; part is a platform or another part of
-- the setting, '' for all of them. A rule changes checks while it holds the company's
-- row, as a save of policies does, so that they do not change while one is evaluated.
create table policy_checks (
  company_id      bigint not null references companies,
  id              bigint generated always as identity,
  kind            text not null,
  name            text not null,
  department_ids  bigint[] not null,
  user_ids        bigint[] not null,
  quantifier      text not null check (quantifier in ('every', 'some')),
  relation        text not null check (relation in ('is', 'is_not', 'at_most', 'at_least', 'sign_in')),
  setting         text not null,
  part            text not null,
  value           text not null,
  severity        text not null check (severity in ('stop', 'warn')),
  version_no      integer not null default 1,
  created_by_name text not null,
  updated_at      timestamptz not null,
  updated_by_name text not null,
  primary key (company_id, id)
);
create index policy_checks_by_kind on policy_checks (company_id, kind, id);
