-- name: insertChange :exec
insert into changes (company_id, at, actor_user_id, actor_name, address, action, object_type, object_id, object_name, old, new)
values (@company_id, @at, @actor_user_id, @actor_name, @address, @action, @object_type, @object_id, @object_name, @old, @new);

-- The changes before a place, the latest first: of a company, of one object
-- and of one actor, each by an index of its own.

-- name: changesOfCompany :many
select * from changes
where company_id = @company_id and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfObject :many
select * from changes
where company_id = @company_id and object_type = @object_type and object_id = @object_id
  and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;

-- name: changesOfActor :many
select * from changes
where company_id = @company_id and actor_user_id = @actor_user_id
  and (at, id) < (@before_at::timestamptz, @before_id::bigint)
order by at desc, id desc limit @size;
