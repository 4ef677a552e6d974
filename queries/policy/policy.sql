-- name: insertPolicy :one
insert into policies (company_id, kind, owner_user_id, owner_department_id, created_at)
values (@company_id, @kind, @owner_user_id, @owner_department_id, @now)
returning id;

-- name: setPolicyOwner :exec
update policies set owner_user_id = @owner_user_id, owner_department_id = @owner_department_id
where company_id = @company_id and id = @id;

-- endPolicy ends every version of a deleted policy.
-- name: endPolicy :exec
update policy_versions set until = least(until, sqlc.arg(now)::timestamptz)
where company_id = @company_id and policy_id = @policy_id;

-- name: setPolicyDeleted :exec
update policies set deleted_at = @deleted_at where company_id = @company_id and id = @id;
