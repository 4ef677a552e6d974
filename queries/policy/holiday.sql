-- companyHolidays returns the holidays of a company by date.
-- name: companyHolidays :many
select * from company_holidays where company_id = @company_id order by first_date;

-- name: insertHoliday :one
insert into company_holidays (company_id, first_date, last_date, name, updated_at, updated_by_name)
values (@company_id, @first_date, @last_date, @name, @updated_at, @updated_by_name)
returning id;

-- restoreHoliday inserts a holiday that was deleted.
-- name: restoreHoliday :exec
insert into company_holidays (company_id, id, first_date, last_date, name, version_no, updated_at, updated_by_name) overriding system value
values (@company_id, @id, @first_date, @last_date, @name, @version_no, @updated_at, @updated_by_name);

-- name: updateHoliday :exec
update company_holidays set first_date = @first_date, last_date = @last_date, name = @name, version_no = version_no + 1, updated_at = @updated_at, updated_by_name = @updated_by_name
where company_id = @company_id and id = @id;

-- name: deleteHoliday :exec
delete from company_holidays where company_id = @company_id and id = @id;

-- anyRecordOn reports whether there are records on dates.
-- name: anyRecordOn :one
select exists (
  select from day_records where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and deleted_at is null
);

-- anyLockOn reports whether the attendance of a month is locked, by the first days of
-- months.
-- name: anyLockOn :one
select exists (
  select from attendance_locks where company_id = @company_id and month between sqlc.arg(first)::date and sqlc.arg(last)::date
);

-- OutdateRecords requests that the records of dates are computed again.
-- name: OutdateRecords :exec
insert into attendance_outdated (company_id, first, last) values (@company_id, @first, @last);
