-- name: nextReviewSet :one
select nextval('attendance_review_sets')::bigint;

-- insertReviews stores decisions with the facts of their records as they are now. The
-- edits after @after_edit_id are those of the decisions.
-- name: insertReviews :many
insert into attendance_reviews (company_id, set_id, user_id, work_date, extra, kind, decision, comment, department_id, correction_id, edit_ids, at, reviewer_id, reviewer_name,
  arrival_at, departure_at, flags, uncounted, refused_at)
select @company_id, @set_id, k.user_id, k.work_date, k.extra, k.kind, k.decision, @comment, k.department_id, nullif(k.correction_id, 0),
  array(
    select e.id from attendance_edits e
    where e.company_id = @company_id and e.user_id = k.user_id and e.work_date = k.work_date and e.extra = k.extra and e.id > @after_edit_id and k.decision = 'approved'
    order by e.id
  ), @at, sqlc.narg(reviewer_id)::bigint, @reviewer_name, r.arrival_at, r.departure_at, coalesce(r.flags & sqlc.arg(mask)::integer, 0), coalesce(r.uncounted, 0),
  (select max(f.last_at) from clock_refusals f where k.kind = 'refused' and f.company_id = @company_id and f.work_date = k.work_date and f.user_id = k.user_id)
from (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra, unnest(@kinds::text[]) as kind,
    unnest(@decisions::text[]) as decision, unnest(@department_ids::bigint[]) as department_id, unnest(@correction_ids::bigint[]) as correction_id
) k
left join day_records r on r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.user_id = k.user_id and r.work_date = k.work_date and r.extra = k.extra
returning *;

-- name: reviewsOfSet :many
select * from attendance_reviews where company_id = @company_id and set_id = @set_id order by id;

-- name: reviewsByID :many
select * from attendance_reviews where company_id = @company_id and id = any (@ids::bigint[]) order by id;

-- name: undoReviews :execrows
update attendance_reviews set undone_at = @now where company_id = @company_id and id = any (@ids::bigint[]) and undone_at is null;

-- reopenCorrection makes a decided request wait for a decision again.
-- name: reopenCorrection :execrows
update attendance_corrections set status = 'pending', decided_at = null, decided_by = null, decider_name = '', answer = ''
where company_id = @company_id and id = @id and status in ('approved', 'refused');
