-- The change log is append-only, and each of its rows is chained to the one
-- before it in its company, so that a row that was removed or altered is found.

-- +goose Up

-- change_hashes are the rows of changes in the order in which they were committed:
-- hash is hash_change of the row and of the hash before.
create table change_hashes (
  company_id bigint not null references companies,
  no         bigint not null, -- from 1, without gaps
  change_id  bigint not null,
  at         timestamptz not null,
  hash       bytea not null,
  primary key (company_id, no),
  unique (company_id, change_id)
);

-- What was found when the change log of a company was last verified: the number of
-- rows that have hashes and the last of these, and the first row that is not as it
-- was written, if any, by its id.
create table change_verifications (
  company_id bigint primary key references companies,
  at         timestamptz not null,
  checked    bigint not null,
  last_hash  bytea not null,
  broken_id  bigint,
  broken_how text not null default '' -- a Damage of the area audit
);

-- +goose StatementBegin
create function hash_change(previous bytea, c changes) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(c.company_id, c.id, (extract(epoch from c.at) * 1000000)::bigint,
    c.actor_user_id, c.actor_name, c.address::text, c.action, c.object_type, c.object_id, c.object_name, c.old, c.new)::text, 'UTF8'))
$$;
-- +goose StatementEnd

-- chain_change adds the hash of a new row. It runs when the transaction commits,
-- so that no transaction waits for another one while it holds the lock.
-- +goose StatementBegin
create function chain_change() returns trigger language plpgsql as $$
declare
  last change_hashes;
begin
  perform pg_advisory_xact_lock(hashtextextended('changes', new.company_id));
  select * into last from change_hashes where company_id = new.company_id order by no desc limit 1;
  insert into change_hashes (company_id, no, change_id, at, hash)
  select c.company_id, coalesce(last.no, 0) + 1, c.id, c.at, hash_change(coalesce(last.hash, ''), c)
  from changes c where c.company_id = new.company_id and c.at = new.at and c.id = new.id;
  return null;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function refuse_to_alter_changes() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never altered or removed', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
-- +goose StatementEnd

-- Rows from before get their hashes in the order in which they were written.
-- +goose StatementBegin
do $$
declare
  c changes;
  last change_hashes;
begin
  for c in select * from changes order by company_id, id loop
    if last.company_id is distinct from c.company_id then
      last := null;
    end if;
    insert into change_hashes values (c.company_id, coalesce(last.no, 0) + 1, c.id, c.at, hash_change(coalesce(last.hash, ''), c))
    returning * into last;
  end loop;
end
$$;
-- +goose StatementEnd

create constraint trigger chain after insert on changes deferrable initially deferred for each row execute function chain_change();
create trigger append_only before update or delete on changes for each row execute function refuse_to_alter_changes();
create trigger append_only_as_a_whole before truncate on changes for each statement execute function refuse_to_alter_changes();
create trigger append_only before update or delete on change_hashes for each row execute function refuse_to_alter_changes();
create trigger append_only_as_a_whole before truncate on change_hashes for each statement execute function refuse_to_alter_changes();

-- The list by action.
create index changes_by_action on changes (company_id, action, at, id);
