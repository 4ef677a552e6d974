-- Service tokens have a name, an end and addresses, and are replaced by new ones.

-- +goose Up
-- ending are the last characters of the secret, '' for tokens of earlier versions.
-- allowed_addresses are IP ranges as they were typed; none allows every address.
-- rotated_at is when another token replaced this one, which then ends at expires_at.
alter table tokens add column name text not null default '';
alter table tokens add column ending text not null default '';
alter table tokens add column allowed_addresses text[] not null default '{}';
alter table tokens add column used_from inet;
alter table tokens add column rotated_at timestamptz;
update tokens set name = array_to_string(scopes, ', ');
