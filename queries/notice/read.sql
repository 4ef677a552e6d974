-- readable is a published notice that a user may read, and when they read it.
-- name: readable :one
select v.id, v.title, v.body, v.publish_at, a.name as author_name, coalesce(ad.name, '')::text as author_department, r.read_at
from readable_notices v
join users a on a.company_id = v.company_id and a.id = v.author_id
left join departments ad on ad.company_id = a.company_id and ad.id = a.department_id
left join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
where v.company_id = @company_id and v.user_id = @user_id and v.id = @id and v.publish_at <= @now::timestamptz;

-- removedFor is when a notice was deleted that was published before, for a user who
-- could read it if it were not deleted.
-- name: removedFor :one
select n.deleted_at::timestamptz as deleted_at
from notices n
join users u on u.company_id = n.company_id and u.id = @user_id and u.hidden_at is null and not u.bot
join departments d on d.company_id = u.company_id and d.id = u.department_id
where n.company_id = @company_id and n.id = @id and n.deleted_at is not null and n.announced_at is not null
  and (n.everyone or exists (
    select from notice_targets t
    where t.company_id = n.company_id and t.notice_id = n.id
      and (t.user_id = u.id or t.department_id = d.id or t.include_children and t.department_id = any (d.ancestors))
  ));

-- listReadable returns the published notices that a user may read before one of
-- them, the newest first: those that the user has read, those unread, or both.
-- Every case walks the same index. body is empty unless it is asked for.
-- name: listReadable :many
select v.id, v.title, v.publish_at, v.updated_at, coalesce(ad.name, a.name)::text as author,
  case when @with_body::bool then v.body else '' end::text as body,
  (select count(*) from notice_attachments f where f.company_id = v.company_id and f.notice_id = v.id) as files,
  r.read_at
from readable_notices v
left join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
join users a on a.company_id = v.company_id and a.id = v.author_id
left join departments ad on ad.company_id = a.company_id and ad.id = a.department_id
where v.company_id = @company_id and v.user_id = @user_id and v.publish_at <= @now::timestamptz
  and (v.publish_at, v.id) < (@before::timestamptz, @before_id::bigint)
  and (r.read_at is null and @unread::bool or r.read_at is not null and @read::bool)
  and v.search_text like @pattern1::text and v.search_text like @pattern2::text and v.search_text like @pattern3::text
order by v.publish_at desc, v.id desc limit @size;

-- isReader reports whether a user can read notices at all: one who is neither
-- hidden nor a bot.
-- name: isReader :one
select exists (select from users where company_id = @company_id and id = @id and hidden_at is null and not bot);

-- countUnread counts the published notices that a user has not read, at most
-- @most.
-- name: countUnread :one
select count(*) from (
  select from readable_notices v
  where v.company_id = @company_id and v.user_id = @user_id and v.publish_at <= @now::timestamptz
    and not exists (select from notice_reads r where r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id)
  order by v.publish_at desc limit @most
) x;

-- markRead stores who has read what and when, for the first time, and counts
-- them. It returns the number (from 1) of each mark that is known to be of a user
-- (reader) and of a notice that this user may read (readable), and whether it is
-- the first one (added). The order is the same for everybody, so that two
-- statements never wait for each other in a circle.
-- name: markRead :many
with mark as (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@notice_ids::bigint[]) as notice_id,
    unnest(@read_ats::timestamptz[]) as read_at, generate_subscripts(@user_ids::bigint[], 1) as no
), allowed as (
  select distinct on (v.id, v.user_id) m.no, v.id as notice_id, v.user_id,
    least(greatest(m.read_at, v.publish_at), @now::timestamptz) as read_at
  from mark m join readable_notices v on v.company_id = @company_id and v.id = m.notice_id and v.user_id = m.user_id
  where v.publish_at <= @now::timestamptz
  order by v.id, v.user_id, m.no
), added as (
  insert into notice_reads (company_id, notice_id, user_id, read_at)
  select @company_id, a.notice_id, a.user_id, a.read_at from allowed a order by a.notice_id, a.user_id
  on conflict do nothing
  returning notice_id, user_id
), counted as (
  insert into notice_read_counts (company_id, notice_id, shard, readers)
  select @company_id, a.notice_id, a.user_id % @shards::bigint, count(*) from added a group by 2, 3 order by 2, 3
  on conflict (company_id, notice_id, shard) do update set readers = notice_read_counts.readers + excluded.readers
)
select m.no::integer as no,
  exists (select from users u where u.company_id = @company_id and u.id = m.user_id and u.hidden_at is null and not u.bot) as reader,
  exists (select from allowed a where a.notice_id = m.notice_id and a.user_id = m.user_id) as readable,
  exists (select from added d join allowed a on a.notice_id = d.notice_id and a.user_id = d.user_id where a.no = m.no) as added
from mark m
order by m.no;
