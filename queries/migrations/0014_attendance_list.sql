-- What the lists of attendance walk along besides the indexes of 0011.

-- +goose Up

-- The states of a department's people are counted in this index alone.
drop index day_records_by_department;
create index day_records_by_department on day_records (company_id, work_date, department_id, name, user_id, extra) include (status, opens_at) where deleted_at is null;

-- Nobody looks for those who clocked with nothing.
create index day_records_by_device on day_records (company_id, work_date, device, name, user_id, extra) where deleted_at is null and device <> '';

create index attendance_edits_deleted on attendance_edits (company_id, work_date) where field = 'deleted';
