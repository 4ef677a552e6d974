-- name: insertChange :exec
insert into changes (company_id, at, actor_user_id, actor_name, address, action, object_type, object_id, object_name, old, new)
values (@company_id, @at, @actor_user_id, @actor_name, @address, @action, @object_type, @object_id, @object_name, @old, @new);
