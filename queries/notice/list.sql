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

-- ReaderCounts are how many have read each of some notices.
-- name: ReaderCounts :many
select notice_id, sum(readers)::bigint as readers from notice_read_counts
where company_id = @company_id and notice_id = any (@notice_ids::bigint[])
group by notice_id;

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
