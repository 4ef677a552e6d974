-- Targets are the departments and users of a notice that is not for everyone.
-- name: Targets :many
select department_id, user_id, include_children from notice_targets
where company_id = @company_id and notice_id = @notice_id
order by department_id, user_id;

-- Attachments are the files of a notice in their order.
-- name: Attachments :many
select * from notice_attachments where company_id = @company_id and notice_id = @notice_id
order by position, id;

-- lockNotice is a notice, also a deleted one, that nobody else changes until the
-- end of the transaction.
-- name: lockNotice :one
select * from notices where company_id = @company_id and id = @id for update;

-- anyNotice is a notice, also a deleted one.
-- name: anyNotice :one
select * from notices where company_id = @company_id and id = @id;

-- name: insertNotice :one
insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at, announced_at)
values (@company_id, @title, @body, @search_text, @everyone, @publish_at, @author_id, @now, @now, sqlc.narg(announced_at))
returning *;

-- name: updateNotice :one
update notices set title = @title, body = @body, search_text = @search_text, everyone = @everyone, publish_at = @publish_at,
  announced_at = sqlc.narg(announced_at), updated_at = @now, version_no = version_no + 1
where company_id = @company_id and id = @id
returning *;

-- deleteNotice marks a notice as deleted. One whose time has come counts as
-- announced from then on, even if it was not: so it can be told from a
-- reservation.
-- name: deleteNotice :exec
update notices set deleted_at = @now::timestamptz, updated_at = @now::timestamptz, version_no = version_no + 1,
  announced_at = case when publish_at <= @now::timestamptz then coalesce(announced_at, @now::timestamptz) end
where company_id = @company_id and id = @id;

-- name: restoreNotice :one
update notices set deleted_at = null, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id
returning *;

-- announceNotices marks notices of any company whose time has come, and returns
-- them. Several servers can run it at the same time.
-- name: announceNotices :many
update notices set announced_at = @now::timestamptz
where (company_id, id) in (
  select n.company_id, n.id from notices n
  where n.announced_at is null and n.deleted_at is null and n.publish_at <= @now::timestamptz
  order by n.publish_at limit @size for update skip locked
)
returning *;

-- lastChange is who has done one of some actions to a notice last, and when.
-- name: lastChange :one
select coalesce(actor_user_id, 0)::bigint as by_user_id, actor_name, at from changes
where company_id = @company_id and object_type = 'notice' and object_id = @notice_id and at >= @since::timestamptz and action = any (@actions::text[])
order by at desc, id desc limit 1;

-- earlierRecord is a notice in a version that has been changed since.
-- name: earlierRecord :one
select old from changes
where company_id = @company_id and object_type = 'notice' and object_id = @notice_id and at >= @since::timestamptz
  and (old ->> 'version_no')::integer = @version_no::integer
order by at, id limit 1;
