-- Searching people goes back to one index over the bigrams: the parts of the
-- names were kept up by triggers for more than they gained (see user_search.go).

-- +goose Up
drop trigger users_inserted on users;
drop trigger users_renamed on users;
drop function mark_name_part, search_users, next_part;
drop table gram_parts, name_parts;

create index users_search on users using gin (company_id, search_grams);

-- +goose StatementBegin
-- users_with_grams gives at most size people who have all the grams, in no order.
-- Only the index of the grams may find them: the planner would read the table from
-- its beginning instead wherever it believes that size people are met soon, and
-- those of a name are not spread evenly.
create function users_with_grams(of_company bigint, grams text[], size bigint)
returns table (id bigint, name text, department_id bigint, hidden_at timestamptz, search_text text)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
  select u.id, u.name, u.department_id, u.hidden_at, u.search_text from users u
  where u.company_id = of_company and u.search_grams @> grams limit size
$$;
-- +goose StatementEnd
