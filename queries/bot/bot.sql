-- lockBot makes two changes of a company's bot wait for each other.
-- name: lockBot :exec
select pg_advisory_xact_lock(hashtextextended('bot', @company_id::bigint));

-- bot is a company's bot with its name.
-- name: bot :one
select b.company_id, b.user_id, u.name, b.enabled, b.image, b.allowed_addresses, b.hook_receivers, b.version_no, b.updated_at
from bots b join users u on u.company_id = b.company_id and u.id = b.user_id
where b.company_id = @company_id;

-- name: insertBot :exec
insert into bots (company_id, user_id, enabled, image, allowed_addresses, hook_receivers, updated_at)
values (@company_id, @user_id, true, '', '{}', '{}', @now);

-- name: updateBot :exec
update bots set enabled = @enabled, image = @image, allowed_addresses = @allowed_addresses, hook_receivers = @hook_receivers,
  version_no = version_no + 1, updated_at = @now
where company_id = @company_id;

-- ImagesInUse are those of some blobs that the company's bot refers to.
-- name: ImagesInUse :many
select image from bots where company_id = @company_id and image = any (@keys::text[]);
