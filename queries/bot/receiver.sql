-- knownReceivers are those of some users and departments that can get messages.
-- name: knownReceivers :one
select array(select u.id from users u where u.company_id = @company_id and u.id = any (@users::bigint[]) and u.hidden_at is null and not u.bot order by u.id)::bigint[] as users,
  array(select d.id from departments d where d.company_id = @company_id and d.id = any (@departments::bigint[]) order by d.id)::bigint[] as departments;

-- receiverNames are the names of departments and users by their ids; a hidden user
-- has the name —.
-- name: receiverNames :many
select 'department' as type, d.id, d.name::text as name from departments d where d.company_id = @company_id and d.id = any (@departments::bigint[])
union all
select 'user', u.id, case when u.hidden_at is null then u.name else '—' end::text from users u where u.company_id = @company_id and u.id = any (@users::bigint[]);
