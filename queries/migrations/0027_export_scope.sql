-- What the reader of an export could see when it was written. A file is sent only to
-- somebody who may still see all of that.

-- +goose Up
alter table exports
  add column everybody boolean not null default true, -- also of earlier files, so that only administrators get them
  add column department_ids bigint[] not null default '{}';
