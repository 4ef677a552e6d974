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
