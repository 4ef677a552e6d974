-- Notice is one notice that is not deleted.
-- name: Notice :one
select * from notices where company_id = @company_id and id = @id and deleted_at is null;

-- Targets are the departments and users of a notice that is not for everyone.
-- name: Targets :many
select department_id, user_id, include_children from notice_targets
where company_id = @company_id and notice_id = @notice_id
order by department_id, user_id;

-- Attachments are the files of a notice in their order.
-- name: Attachments :many
select * from notice_attachments where company_id = @company_id and notice_id = @notice_id
order by position, id;
