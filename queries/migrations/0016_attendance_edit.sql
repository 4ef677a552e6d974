-- An edit that granted what an employee asked for says which request it was.

-- +goose Up
alter table attendance_edits add column correction_id bigint;
create index attendance_corrections_oldest on attendance_corrections (company_id, id) where status = 'pending';
