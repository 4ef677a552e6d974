-- nextOutdated returns the records that are to be computed again next.
-- name: nextOutdated :one
select * from attendance_outdated order by company_id, id limit 1;

-- name: noteOutdated :exec
update attendance_outdated set after_user_id = @after_user_id where company_id = @company_id and id = @id;

-- name: endOutdated :exec
delete from attendance_outdated where company_id = @company_id and id = @id;

-- outdatedPeople returns the next users by id, also hidden ones.
-- name: outdatedPeople :many
select u.id from users u
where u.company_id = @company_id and u.id > @after_id and not u.bot and u.department_id is not null
order by u.id limit @size;
