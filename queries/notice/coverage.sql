-- countReaders counts who has read a notice, as far as they may still read it:
-- in rows with a department_id its own users, and in rows without one, by time,
-- those who read it within some seconds from span on. Rows of nobody are missing.
-- name: countReaders :many
select coalesce(x.department_id, 0)::bigint as department_id, coalesce(x.span, 'epoch')::timestamptz as span, count(*) as readers
from (
  select v.department_id, date_bin(make_interval(secs => @seconds::float8), r.read_at, v.publish_at) as span
  from readable_notices v
  join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
  where v.company_id = @company_id and v.id = @id
) x
group by grouping sets ((x.department_id), (x.span))
order by x.span;

-- countDownloads counts who has downloaded a file of a notice, as far as they may still
-- read it.
-- name: countDownloads :one
select count(*) from notice_downloads d
join readable_notices v on v.company_id = d.company_id and v.id = d.notice_id and v.user_id = d.user_id
where d.company_id = @company_id and d.notice_id = @notice_id;

-- Reminders are the reminders of a notice, the earliest first.
-- name: Reminders :many
select * from notice_reminders where company_id = @company_id and notice_id = @notice_id order by at, id;
