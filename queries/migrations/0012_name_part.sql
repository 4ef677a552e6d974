-- Searching people in the order of their names in a time that does not grow with
-- the company: its list of names is cut into parts of a size, and for every gram
-- it is noted in which parts it occurs. A search reads only parts that have all
-- its grams, and those of them that come next. This replaces an index that cut
-- the names of every company alike, whose parts grew with it.

-- +goose Up
drop index users_search;
drop function mark_grams, name_part, last_name_part, part_begin;

-- A part is read from this index alone.
drop index users_by_name;
create index users_by_name on users (company_id, name, id) include (department_id, hidden_at, search_text);

-- The parts of a list of names, numbered from 0. Each holds who comes behind a
-- place (a name and an id), the first one before every name, up to the place where
-- the next begins. A company without parts is searched as a whole.
create table name_parts (
  company_id bigint not null references companies,
  no         integer not null,
  name       text collate "ko-x-icu" not null,
  id         bigint not null,
  primary key (company_id, no)
);
create unique index name_parts_by_name on name_parts (company_id, name, id);

-- One bit for each part of the names, from the first: whether somebody there may
-- have the gram. A bit stays when the last one who had it has gone.
create table gram_parts (
  company_id bigint not null references companies,
  gram       text collate "C" not null,
  parts      bit varying not null,
  primary key (company_id, gram)
);

-- +goose StatementBegin
-- next_part is the first part, from one on, whose bit is set; null when none is.
create function next_part(parts bit varying, no integer) returns integer language sql immutable parallel safe as $$
  select no + nullif(position(B'1' in substring(parts from no + 1)), 0) - 1
$$;

-- search_users gives who is found by every gram and pattern (of LIKE), in order,
-- behind a place: it walks along the names of the parts that have all the grams
-- until there are enough. within is the departments, null for all. A stable
-- function sees one state, so the names may be cut meanwhile. Its statements need
-- no other plan for other arguments; compiling them or starting workers would take
-- longer than they do.
create function search_users(
  of_company bigint, with_hidden boolean, within bigint[], grams text[], patterns text[], after_name text, after_id bigint, size integer
) returns setof bigint language plpgsql stable
set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  -- No name is as long, and no letter comes behind this one.
  behind_all constant text := repeat(U&'\FFFF', 101);
  wanted bit varying;
  part integer;
  end_name text := behind_all;
  end_id bigint := 0;
  rows integer;
begin
  select p.no into part from name_parts p
  where p.company_id = of_company and (p.name, p.id) <= (after_name, after_id)
  order by p.name desc, p.id desc limit 1;
  if found then
    select bit_and(g.parts) into wanted from gram_parts g
    where g.company_id = of_company and g.gram = any (grams) having count(*) = cardinality(grams);
    part := next_part(wanted, part);
    if part is null then return; end if;
  end if;
  loop
    if part is not null then
      select case when (p.name, p.id) > (after_name, after_id) then p.name else after_name end,
        case when (p.name, p.id) > (after_name, after_id) then p.id else after_id end,
        coalesce(next.name, behind_all), coalesce(next.id, 0)
      into after_name, after_id, end_name, end_id
      from name_parts p left join name_parts next on next.company_id = p.company_id and next.no = p.no + 1
      where p.company_id = of_company and p.no = part;
    end if;
    return query select u.id from users u
    where u.company_id = of_company and (with_hidden or u.hidden_at is null)
      and (within is null or u.department_id = any (within)) and u.search_text like all (patterns)
      and (u.name, u.id) > (after_name, after_id) and (u.name, u.id) <= (end_name, end_id)
    order by u.name, u.id limit size;
    get diagnostics rows = row_count;
    size := size - rows;
    part := next_part(wanted, part + 1);
    exit when size = 0 or part is null;
  end loop;
end
$$;

-- mark_name_part notes the grams of a new or changed person. The lock makes the
-- changes of a company's people, and the cutting of its names, wait for each other.
create function mark_name_part() returns trigger language plpgsql as $$
declare
  part integer;
begin
  perform from companies where id = new.company_id for no key update;
  select p.no into part from name_parts p
  where p.company_id = new.company_id and (p.name, p.id) < (new.name, new.id)
  order by p.name desc, p.id desc limit 1;
  if found then
    update gram_parts g set parts = set_bit(g.parts, part, 1)
    where g.company_id = new.company_id and g.gram = any (new.search_grams) and get_bit(g.parts, part) = 0;
    insert into gram_parts (company_id, gram, parts)
    select new.company_id, gram, set_bit(repeat('0', p.no + 1)::bit varying, part, 1)
    from unnest(new.search_grams) as gram
    cross join (select max(no) as no from name_parts where company_id = new.company_id) p
    on conflict do nothing;
  end if;
  return new;
end
$$;
-- +goose StatementEnd

create trigger users_inserted before insert on users for each row execute function mark_name_part();
create trigger users_renamed before update of name, search_grams on users for each row
  when (old.name <> new.name or old.search_grams <> new.search_grams) execute function mark_name_part();
