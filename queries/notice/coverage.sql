-- readersByDepartment counts, for each department, the users of its own who have
-- read a notice, as far as they may still read it.
-- name: readersByDepartment :many
select v.department_id, count(*) as readers
from readable_notices v
join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
where v.company_id = @company_id and v.id = @id
group by v.department_id;

-- readsByTime counts who began to read a notice in each span of some seconds
-- since its publication, as far as they may still read it. Spans without anybody
-- are missing.
-- name: readsByTime :many
select floor(extract(epoch from r.read_at - v.publish_at) / @seconds::bigint)::integer as span, count(*) as readers
from readable_notices v
join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
where v.company_id = @company_id and v.id = @id
group by 1 order by 1;

-- name: countDownloads :one
select count(*) from notice_downloads where company_id = @company_id and notice_id = @notice_id;

-- Reminders are the reminders of a notice, the earliest first.
-- name: Reminders :many
select * from notice_reminders where company_id = @company_id and notice_id = @notice_id order by at, id;
