-- name: insertChange :exec
insert into changes (company_id, at, actor_user_id, actor_name, address, action, object_type, object_id, object_name, old, new)
values (@company_id, @at, @actor_user_id, @actor_name, @address, @action, @object_type, @object_id, @object_name, @old, @new);

-- insertChanges is insertChange for several changes of an actor. A missing old
-- or new is "".
-- name: insertChanges :exec
insert into changes (company_id, at, actor_user_id, actor_name, address, action, object_type, object_id, object_name, old, new)
select @company_id, @at, sqlc.narg(actor_user_id), @actor_name, sqlc.narg(address), c.action, c.object_type, c.object_id, c.object_name,
  nullif(c.old, '')::jsonb, nullif(c.new, '')::jsonb
from (select unnest(@actions::text[]) as action, unnest(@object_types::text[]) as object_type, unnest(@object_ids::bigint[]) as object_id,
  unnest(@object_names::text[]) as object_name, unnest(@olds::text[]) as old, unnest(@news::text[]) as new) c;
