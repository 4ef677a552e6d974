-- profile returns what the profile page shows besides the Person. The first one
-- of the departments is the default department.
-- name: profile :one
select u.employee_id, u.company_phone, u.personal_phone,
  coalesce(ranks.name, '')::text as rank, coalesce(roles.name, '')::text as role,
  array(
    select d.path from departments d
    where d.company_id = u.company_id and (d.id = u.department_id or d.id in (
      select ud.department_id from user_departments ud where ud.company_id = u.company_id and ud.user_id = u.id))
    order by d.id <> u.department_id, d.path
  )::text[] as department_paths,
  array(
    select d.path from unnest(@viewed_ids::bigint[]) with ordinality as viewed (id, position)
    join departments d on d.company_id = u.company_id and d.id = viewed.id
    order by position
  )::text[] as viewed_paths
from users u
left join ranks on ranks.company_id = u.company_id and ranks.id = u.rank_id
left join roles on roles.company_id = u.company_id and roles.id = u.role_id
where u.company_id = @company_id and u.id = @user_id;

-- name: UserImage :one
select i.content_type, i.content, coalesce(u.image_hash, '')::text as hash
from user_images i join users u on u.company_id = i.company_id and u.id = i.user_id
where i.company_id = @company_id and i.user_id = @user_id and u.image_hash is not null;
