-- Every save of a policy looks at whom of the administrators it would lock out.

-- +goose Up
create index users_administrators on users (company_id, id) where is_admin;
