-- +goose Up

-- The rows of an account that the company does not have, in the order of the list.
create index access_events_by_account on access_events (company_id, lower(account), at, id) where user_id is null and account <> '';
