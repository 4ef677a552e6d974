-- PermissionControls are a person's, the deciding one of each type first.
-- name: PermissionControls :many
select * from permission_controls where company_id = @company_id and user_id = @user_id order by id;
