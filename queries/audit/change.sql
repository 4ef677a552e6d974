-- name: changeByID :one
select * from changes where company_id = @company_id and id = @id;

-- The changes before a position, the latest first: of a company, of one object,
-- of the objects of a type, and of one actor, each by an index of its own. The
-- other filters are applied to what the index finds.

-- name: changesOfCompany :many
select * from changes
where company_id = @company_id and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfObject :many
select * from changes
where company_id = @company_id and object_type = @object_type and object_id = @object_id
  and (sqlc.narg(actor_user_id)::bigint is null or actor_user_id = sqlc.narg(actor_user_id)::bigint)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfType :many
select * from changes
where company_id = @company_id and object_type = @object_type
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfActor :many
select * from changes
where company_id = @company_id and actor_user_id = @actor_user_id
  and (@object_type::text = '' or object_type = @object_type::text)
  and at >= @since::timestamptz and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;
