-- lockLinks makes two changes of a company's links or services wait for each other.
-- name: lockLinks :exec
select pg_advisory_xact_lock(hashtextextended('links', @company_id::bigint));

-- Links are a company's links in their order.
-- name: Links :many
select * from links where company_id = @company_id and deleted_at is null
order by position;

-- Link is one link that is not deleted.
-- name: Link :one
select * from links where company_id = @company_id and id = @id and deleted_at is null;

-- earlierRecord is a link in a version that has been changed or deleted since. A move
-- changes no version.
-- name: earlierRecord :one
select old from changes
where company_id = @company_id and object_type = 'link' and object_id = @link_id and (old ->> 'version_no')::integer = @version_no::integer
order by at desc, id desc limit 1;

-- name: companyHost :one
select host from companies where id = @id;

-- insertLink puts a link after the others.
-- name: insertLink :one
insert into links (company_id, position, name, description, url, visible, icon_visible, banner, updated_at)
select @company_id, coalesce(max(position), 0) + 1, @name::text, @description::text, @url::text, @visible::bool, @icon_visible::bool, @banner::text, @now::timestamptz
from links where company_id = @company_id and deleted_at is null
returning id;

-- name: updateLink :exec
update links set name = @name, description = @description, url = @url, visible = @visible, icon_visible = @icon_visible,
  banner = @banner, version_no = version_no + 1, updated_at = @now::timestamptz
where company_id = @company_id and id = @id and deleted_at is null;

-- name: deleteLink :exec
update links set deleted_at = @now::timestamptz, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id and deleted_at is null;

-- name: restoreLink :execrows
update links set deleted_at = null, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id and deleted_at > @since::timestamptz;

-- orderLinks numbers links in the order of their ids here.
-- name: orderLinks :exec
update links l set position = x.position, updated_at = @now::timestamptz
from unnest(@ids::bigint[]) with ordinality as x (id, position)
where l.company_id = @company_id and l.id = x.id and l.position <> x.position;

-- Reader is what the messenger needs to show links and services to a person who
-- is not hidden. count and updated_at change with every change of them.
-- name: Reader :one
select c.host, count(changed.updated_at)::bigint as count, coalesce(max(changed.updated_at), 'epoch')::timestamptz as updated_at
from companies c join users u on u.company_id = c.id
left join lateral (
  select l.updated_at from links l where l.company_id = c.id
  union all
  select s.updated_at from convenience_services s where s.company_id = c.id
) changed on true
where c.id = @company_id and u.id = @user_id and u.hidden_at is null and not u.bot
group by c.id, c.host;

-- BannersInUse are those of some blobs that a link of the company refers to, or
-- one that was deleted after a time and can be restored.
-- name: BannersInUse :many
select distinct banner from links
where company_id = @company_id and banner = any (@keys::text[]) and (deleted_at is null or deleted_at > @since::timestamptz);

-- deletedLinks are the links that were deleted after a time, the latest first.
-- name: deletedLinks :many
select id, name, description, url, deleted_at::timestamptz as deleted_at from links
where company_id = @company_id and deleted_at > @since::timestamptz
order by deleted_at desc, id desc;
