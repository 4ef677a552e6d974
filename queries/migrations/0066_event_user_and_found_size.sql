-- The id of an event is unique for its user: the same id of somebody else is another
-- event. Each new key has all columns of the one that it replaces, so no stored rows
-- violate it. The logs can be read while the first two indexes are created: only the
-- statements at the end wait for readers.

-- +goose Up
create unique index saved_files_by_event_user on saved_files (company_id, event_id, user_id, saved_at);
-- Of the events without a user, an id is unique for the account. account is empty where
-- there is a user, and user_id null where there is none.
create unique index access_events_by_event_user on access_events (company_id, event_id, user_id, account, at) nulls not distinct where event_id <> '';
alter table client_events drop constraint client_events_pkey, add primary key (company_id, event_id, user_id, occurred_at);
drop index saved_files_by_event;
drop index access_events_by_event;

-- search_saved_files returns the size, too, so that what a search finds is added up where
-- it is found. Otherwise it is as before.
drop function search_saved_files(bigint, integer[], timestamptz, timestamptz, bigint);
-- +goose StatementBegin
create function search_saved_files(of_company bigint, grams integer[], from_at timestamptz, before_at timestamptz, most bigint)
returns table (saved_at timestamptz, id bigint, user_id bigint, department_id bigint, receiver_ids bigint[], deceptive boolean, platform text, search_text text, size bigint)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
  select f.saved_at, f.id, f.user_id, f.department_id, f.receiver_ids, f.deceptive, f.platform, f.search_text, f.size from saved_files f
  where f.company_id = of_company and f.search_grams @> grams and f.saved_at >= from_at and f.saved_at < before_at limit most
$$;
-- +goose StatementEnd
