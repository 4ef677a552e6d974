-- When each token was last used, to find those that nobody needs any more. It is
-- noted at most once a minute.

-- +goose Up
alter table tokens add column used_at timestamptz;
