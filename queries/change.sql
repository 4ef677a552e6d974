-- name: insertChange :exec
insert into changes (company_id, at, actor_user_id, actor_name, address, action, object_type, object_id, object_name, old, new)
values (@company_id, @at, @actor_user_id, @actor_name, @address, @action, @object_type, @object_id, @object_name, @old, @new);

-- name: changeByID :one
select * from changes where company_id = @company_id and id = @id;

-- The changes before a place, the latest first: of a company, of one object, of
-- the objects of a type and of one actor, each by an index of its own. What
-- else is asked for is looked at in what that index finds.

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

-- releasingVersions are those that policies got because another version took
-- targets from them, also cancelled ones.
-- name: releasingVersions :many
select policy_id, no from policy_versions
where company_id = @company_id and moved_for_policy_id = @policy_id and moved_for_no = @no
order by policy_id, no;
