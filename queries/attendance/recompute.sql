-- nextRecomputation returns the records that are to be computed again next.
-- name: nextRecomputation :one
select * from attendance_recomputations order by company_id, first limit 1;

-- name: noteRecomputation :exec
update attendance_recomputations set after_user_id = @after_user_id where company_id = @company_id and first = @first and last = @last;

-- name: endRecomputation :exec
delete from attendance_recomputations where company_id = @company_id and first = @first and last = @last;

-- recomputedPeople returns the next users by id, also hidden ones.
-- name: recomputedPeople :many
select u.id from users u
where u.company_id = @company_id and u.id > @after_id and not u.bot and u.department_id is not null
order by u.id limit @size;
