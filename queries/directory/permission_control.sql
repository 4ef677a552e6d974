-- PermissionControls returns the controls of a user. Of each type, the first
-- one applies.
-- name: PermissionControls :many
select * from permission_controls where company_id = @company_id and user_id = @user_id order by id;
