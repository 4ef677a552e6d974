-- The last access of a user: lists of people show it, also of those whose sign-ins
-- have all ended.

-- +goose Up
create index sign_ins_seen on sign_ins (company_id, user_id, seen_at desc);
