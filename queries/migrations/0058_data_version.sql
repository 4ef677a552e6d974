-- Several processes over one database know when what they have cached is outdated.

-- +goose Up

-- data_versions counts the transactions that changed a part of a company's data of which
-- processes cache something. They say so with note_change.
create table data_versions (
  company_id bigint not null references companies,
  part text not null,
  version bigint not null,
  primary key (company_id, part)
);

-- note_change increments a version, and tells listeners when the transaction commits. The
-- row is locked until then, so rules call it with the lock that they take first, or last.
-- +goose StatementBegin
create function note_change(changed_company bigint, changed_part text) returns void language plpgsql as $$
declare
  reached bigint;
begin
  insert into data_versions as v values (changed_company, changed_part, 1)
  on conflict (company_id, part) do update set version = v.version + 1
  returning v.version into reached;
  perform pg_notify('officeconsole_versions', changed_company || ':' || changed_part || ':' || reached);
end
$$;
-- +goose StatementEnd

-- file_stores has the id of the store of files outside of the database. The store has a
-- file with the same id, so that a process that was given another store finds out.
create table file_stores (
  only_one boolean primary key default true check (only_one),
  id text not null,
  created_at timestamptz not null
);
