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

-- UserImage is the hash of a user's picture, by which it is among the blobs. Only
-- administrators find those of hidden users.
-- name: UserImage :one
select image_hash::text from users
where company_id = @company_id and id = @user_id and image_hash is not null and (hidden_at is null or @of_hidden::boolean);

-- ImagesInUse are those of some hashes that are of pictures of the company's users.
-- name: ImagesInUse :many
select distinct image_hash::text from users where company_id = @company_id and image_hash = any (@hashes::text[]);
