-- A change of the log has an address of its own, its id, and the log can be
-- read by the type of the objects. Registrations count their changes.

-- +goose Up
create index changes_by_id on changes (company_id, id);
create index changes_by_type on changes (company_id, object_type, at, id);
alter table attendance_viewers add column version_no integer not null default 1;
