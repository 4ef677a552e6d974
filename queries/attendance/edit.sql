-- editsBetween returns the edits that are in force.
-- name: editsBetween :many
select * from attendance_edits
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and undone_at is null
order by id;

-- name: grantsBetween :many
select * from attendance_grants
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- name: insertEdit :exec
insert into attendance_edits (company_id, user_id, work_date, extra, at, editor_id, editor_name, field, old_at, new_at, old_text, new_text, reason, correction_id)
values (@company_id, @user_id, @work_date, @extra, @at, @editor_id, @editor_name, @field, @old_at, @new_at, @old_text, @new_text, @reason, @correction_id);

-- editsOf returns the edits of a record, the latest first.
-- name: editsOf :many
select * from attendance_edits
where company_id = @company_id and user_id = @user_id and work_date = @work_date and extra = @extra
order by id desc;

-- lastEditID returns the id of the last edit of a company, 0 for none.
-- name: lastEditID :one
select coalesce(max(id), 0)::bigint from attendance_edits where company_id = @company_id;

-- name: putGrant :exec
insert into attendance_grants (company_id, user_id, work_date, leave, overtime_min)
values (@company_id, @user_id, @work_date, @leave, @overtime_min)
on conflict (company_id, user_id, work_date) do update set leave = excluded.leave, overtime_min = excluded.overtime_min;

-- name: hideRecord :one
update day_records set deleted_at = @deleted_at
where company_id = @company_id and user_id = @user_id and work_date = @work_date and extra = @extra
returning *;

-- name: editsByID :many
select * from attendance_edits where company_id = @company_id and id = any (@ids::bigint[]) and undone_at is null order by id;

-- undoEdits puts edits out of force.
-- name: undoEdits :exec
update attendance_edits set undone_at = @now where company_id = @company_id and id = any (@ids::bigint[]);

-- isOnlyAdministrator reports whether a company has no administrator besides a user. Those
-- whom the user has hidden count: otherwise hiding the others for a moment would be enough
-- to edit one's own records.
-- name: isOnlyAdministrator :one
select count(*) = 0 from users u
left join hidings h on h.company_id = u.company_id and h.user_id = u.id and h.shown_at is null
where u.company_id = @company_id and u.is_admin and not u.bot and u.id <> @user_id::bigint
  and (u.hidden_at is null or h.hidden_by = @user_id::bigint);
