-- countNotices counts the notices of each status, at most @most of each.
-- name: countNotices :one
select
  (select count(*) from (select from notices n where n.company_id = @company_id and n.deleted_at is null and n.publish_at > @now::timestamptz limit @most) x) as reserved,
  (select count(*) from (select from notices n where n.company_id = @company_id and n.deleted_at is null
    and n.publish_at <= @now::timestamptz and n.publish_at > @expired_at::timestamptz limit @most) x) as published,
  (select count(*) from (select from notices n where n.company_id = @company_id and n.deleted_at is null and n.publish_at <= @expired_at::timestamptz limit @most) x) as expired;

-- authors are the people who have written notices that are not deleted. It finds
-- each by the index of authors instead of reading every notice.
-- name: authors :many
with recursive author (id) as (
  (select n.author_id from notices n where n.company_id = @company_id and n.deleted_at is null order by n.author_id limit 1)
  union all
  select (select n.author_id from notices n where n.company_id = @company_id and n.deleted_at is null and n.author_id > author.id order by n.author_id limit 1)
  from author where author.id is not null
)
select u.id, u.name from author join users u on u.company_id = @company_id and u.id = author.id
order by u.name, u.id;

-- readCount is how many have ever read a notice.
-- name: readCount :one
select coalesce(sum(readers), 0)::bigint from notice_read_counts
where company_id = @company_id and notice_id = @notice_id;

-- formerReaders counts those who have read each of some notices and may no longer.
-- Of a notice for everyone only users who were hidden since its publication can be
-- among them, and they have an index. The readers of a notice with targets are compared
-- with its users and with its departments, which are found once and not for each reader.
-- name: formerReaders :many
with covered as materialized (
  select t.notice_id, t.department_id from notice_targets t
  where t.company_id = @company_id and t.notice_id = any (@with_targets::bigint[]) and t.department_id is not null
  union
  select t.notice_id, d.id from notice_targets t
  join departments d on d.company_id = t.company_id and d.ancestors @> array[t.department_id]
  where t.company_id = @company_id and t.notice_id = any (@with_targets::bigint[]) and t.include_children
)
select x.notice_id, count(*) as readers
from (
  select r.notice_id
  from users u
  join notices n on n.company_id = u.company_id and n.publish_at <= u.hidden_at
  join notice_reads r on r.company_id = n.company_id and r.notice_id = n.id and r.user_id = u.id
  where u.company_id = @company_id and u.hidden_at is not null and n.id = any (@for_everyone::bigint[])
  union all
  select r.notice_id
  from notice_reads r
  join users u on u.company_id = r.company_id and u.id = r.user_id
  where r.company_id = @company_id and r.notice_id = any (@with_targets::bigint[]) and (u.hidden_at is not null or
    not exists (select from covered c where c.notice_id = r.notice_id and c.department_id = u.department_id) and
    not exists (select from notice_targets t where t.company_id = r.company_id and t.notice_id = r.notice_id and t.user_id = u.id))
) x
group by x.notice_id;

-- name: userName :one
select name from users where company_id = @company_id and id = @id;

-- FoundTitles returns those of the latest notices that a search finds, the latest
-- first.
-- name: FoundTitles :many
select n.id, n.title, n.publish_at from (
  select l.id, l.title, l.publish_at, l.search_text from notices l
  where l.company_id = @company_id and l.deleted_at is null
  order by l.publish_at desc, l.id desc limit @latest
) n
where n.search_text like @pattern1::text and n.search_text like @pattern2::text and n.search_text like @pattern3::text
order by n.publish_at desc, n.id desc limit @size;
