-- attachmentFor is a file of a notice with the publication of the notice, for a
-- user: an administrator of the company, or who may read the notice.
-- name: attachmentFor :one
select a.name, a.size, a.md5, a.content_type, a.blob, a.uploaded_at, a.notice_id::bigint as notice_id, n.publish_at
from notice_attachments a join notices n on n.company_id = a.company_id and n.id = a.notice_id
where a.company_id = @company_id and a.id = @id and n.deleted_at is null
  and (@administrator::bool or exists (
    select from readable_notices v
    where v.company_id = @company_id and v.id = n.id and v.user_id = @user_id and v.publish_at <= @now::timestamptz
  ));

-- attachmentsFor are the files of a notice in their order, for the same users.
-- name: attachmentsFor :many
select a.name, a.size, a.md5, a.content_type, a.blob, a.uploaded_at, a.notice_id::bigint as notice_id, n.publish_at
from notices n join notice_attachments a on a.company_id = n.company_id and a.notice_id = n.id
where n.company_id = @company_id and n.id = @id and n.deleted_at is null
  and (@administrator::bool or exists (
    select from readable_notices v
    where v.company_id = @company_id and v.id = n.id and v.user_id = @user_id and v.publish_at <= @now::timestamptz
  ))
order by a.position, a.id;

-- noteDownload stores that a user who may read a notice has downloaded files of
-- it, for the first time.
-- name: noteDownload :exec
insert into notice_downloads (company_id, notice_id, user_id, downloaded_at)
select v.company_id, v.id, v.user_id, @now::timestamptz from readable_notices v
where v.company_id = @company_id and v.id = @notice_id and v.user_id = @user_id and v.publish_at <= @now::timestamptz
on conflict do nothing;

-- FilesOfNotices are the files of some notices, in their order.
-- name: FilesOfNotices :many
select a.notice_id::bigint as notice_id, a.id, a.name, a.size, a.content_type from notice_attachments a
where a.company_id = @company_id and a.notice_id = any (@notice_ids::bigint[])
order by a.notice_id, a.position, a.id;
