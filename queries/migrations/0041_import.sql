-- What an import of the directory recognises: departments by a code, which remains
-- when they are renamed or moved, and the people whom an earlier file has named.

-- +goose Up
alter table departments add column code text not null default '' check (length(code) <= 50);
create unique index departments_code on departments (company_id, code) where code <> '';

alter table users add column imported boolean not null default false;
