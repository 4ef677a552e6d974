-- The texts by which changes are found.

-- +goose Up

-- change_texts has the search text of each change: the names of its object and actor
-- and the values that it changed. It is derived from changes in the order of
-- change_hashes. Partitioned by month; the rule that fills it creates the partitions.
create table change_texts (
  company_id bigint not null references companies,
  at         timestamptz not null,
  change_id  bigint not null,
  text       text not null,
  grams      integer[] not null,
  primary key (company_id, at, change_id)
) partition by range (at);
create index change_texts_search on change_texts using gin (company_id, grams);

-- change_text_ends is the last row of change_hashes that has a search text.
create table change_text_ends (
  company_id bigint primary key references companies,
  no         bigint not null
);
