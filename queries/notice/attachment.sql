-- name: insertUpload :one
insert into notice_attachments (company_id, name, size, md5, content_type, blob, uploaded_by, uploaded_at)
values (@company_id, @name, @size, @md5, @content_type, @blob, @uploaded_by, @now)
returning *;

-- lockAttachments are some files of a company, each with the publication of its
-- notice and when that was deleted; nobody else attaches or deletes them until
-- the end of the transaction.
-- name: lockAttachments :many
select a.id, coalesce(a.notice_id, 0)::bigint as notice_id, n.publish_at, n.deleted_at
from notice_attachments a left join notices n on n.company_id = a.company_id and n.id = a.notice_id
where a.company_id = @company_id and a.id = any (@ids::bigint[])
for update of a;

-- AttachmentsByID are some files of a company, attached or not.
-- name: AttachmentsByID :many
select a.* from unnest(@ids::bigint[]) with ordinality as o (id, position)
join notice_attachments a on a.company_id = @company_id and a.id = o.id
order by o.position;

-- attach gives files to a notice, in the order of their ids here.
-- name: attach :exec
update notice_attachments a set notice_id = @notice_id::bigint, position = o.position
from unnest(@ids::bigint[]) with ordinality as o (id, position)
where a.company_id = @company_id and a.id = o.id;

-- detach takes the files of a notice from it, except for some. They are uploads
-- again, so that the change can be reverted.
-- name: detach :exec
update notice_attachments set notice_id = null, position = 0, uploaded_at = @now::timestamptz
where company_id = @company_id and notice_id = @notice_id::bigint and id <> all (@ids::bigint[]);

-- copyAttachment copies a file of another notice.
-- name: copyAttachment :one
insert into notice_attachments (company_id, name, size, md5, content_type, blob, uploaded_by, uploaded_at)
select a.company_id, a.name, a.size, a.md5, a.content_type, a.blob, @uploaded_by, @now
from notice_attachments a where a.company_id = @company_id and a.id = @id
returning id;

-- deleteUploads deletes the files of every company that were uploaded before a
-- time and belong to no notice.
-- name: deleteUploads :exec
delete from notice_attachments where notice_id is null and uploaded_at < @before::timestamptz;

-- BlobsInUse are those of some blobs of a company that hold a file of a notice
-- published after a time, which is not deleted or was so after a time, or an
-- upload.
-- name: BlobsInUse :many
select distinct a.blob from notice_attachments a left join notices n on n.company_id = a.company_id and n.id = a.notice_id
where a.company_id = @company_id and a.blob = any (@keys::text[])
  and (a.notice_id is null or n.publish_at > @published_after::timestamptz and (n.deleted_at is null or n.deleted_at > @deleted_after::timestamptz));
