-- viewerIDs returns the registrations that a search finds, the latest first,
-- without those of hidden users alone:
-- each pattern matches a user, the rank or a management department.
-- name: viewerIDs :many
select v.id from attendance_viewers v
left join ranks r on r.company_id = v.company_id and r.id = v.rank_id
where v.company_id = @company_id and v.deleted_at is null
  and (sqlc.narg(may_edit)::bool is null or v.may_edit = sqlc.narg(may_edit)::bool)
  and (v.rank_id is not null or exists (select from attendance_viewer_users x join users u on u.company_id = x.company_id and u.id = x.user_id
    where x.company_id = @company_id and x.viewer_id = v.id and u.hidden_at is null))
  and (not @searching::bool or concat_ws(E'\n', lower(r.name),
    (select string_agg(u.search_text, E'\n') from attendance_viewer_users x
      join users u on u.company_id = x.company_id and u.id = x.user_id and u.hidden_at is null
      where x.company_id = v.company_id and x.viewer_id = v.id),
    (select string_agg(d.search_text, E'\n') from attendance_viewer_departments x
      join departments d on d.company_id = x.company_id and d.id = x.department_id
      where x.company_id = v.company_id and x.viewer_id = v.id and not x.is_scope)) like all (@patterns::text[]))
order by v.id desc;

-- name: viewersByID :many
select v.id, v.rank_id, coalesce(r.name, '')::text as rank_name, v.whole_company, v.may_edit, v.version_no, v.created_at, coalesce(c.name, '')::text as created_by_name
from attendance_viewers v
left join ranks r on r.company_id = v.company_id and r.id = v.rank_id
left join users c on c.company_id = v.company_id and c.id = v.created_by
where v.company_id = @company_id and v.id = any (@ids::bigint[]) and v.deleted_at is null
order by v.id desc;

-- name: viewerPeople :many
select x.viewer_id, u.id, u.name, u.image_hash, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department, (u.hidden_at is not null)::bool as hidden
from attendance_viewer_users x
join users u on u.company_id = x.company_id and u.id = x.user_id
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where x.company_id = @company_id and x.viewer_id = any (@ids::bigint[])
order by x.viewer_id, u.name, u.id;

-- name: viewerDepartments :many
select x.viewer_id, x.is_scope, d.id, d.name, d.path, x.include_children
from attendance_viewer_departments x
join departments d on d.company_id = x.company_id and d.id = x.department_id
where x.company_id = @company_id and x.viewer_id = any (@ids::bigint[])
order by x.viewer_id, x.is_scope, d.path;

-- lockViewers serializes changes of a company's registrations.
-- name: lockViewers :exec
select pg_advisory_xact_lock(hashtextextended('attendance_viewers', @company_id::bigint));

-- name: insertViewer :one
insert into attendance_viewers (company_id, rank_id, whole_company, may_edit, created_by, created_at, updated_at)
values (@company_id, @rank_id, @whole_company, @may_edit, @created_by, @now::timestamptz, @now::timestamptz)
returning id;

-- name: updateViewer :execrows
update attendance_viewers set rank_id = @rank_id, whole_company = @whole_company, may_edit = @may_edit, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id and deleted_at is null;

-- setViewerUsers leaves hidden users in the registration: whoever saves it does not
-- see them.
-- name: setViewerUsers :exec
with chosen as (select distinct unnest(@user_ids::bigint[]) as id),
gone as (
  delete from attendance_viewer_users x
  where x.company_id = @company_id and x.viewer_id = @viewer_id and not exists (select from chosen where chosen.id = x.user_id)
    and not exists (select from users u where u.company_id = x.company_id and u.id = x.user_id and u.hidden_at is not null)
)
insert into attendance_viewer_users (company_id, viewer_id, user_id)
select @company_id, @viewer_id, chosen.id from chosen
on conflict do nothing;

-- setViewerDepartments takes the departments as three parallel arrays.
-- name: setViewerDepartments :exec
with chosen as (
  select unnest(@scopes::bool[]) as is_scope, unnest(@department_ids::bigint[]) as id, unnest(@include_children::bool[]) as include_children
),
gone as (
  delete from attendance_viewer_departments x
  where x.company_id = @company_id and x.viewer_id = @viewer_id
    and not exists (select from chosen where chosen.is_scope = x.is_scope and chosen.id = x.department_id)
)
insert into attendance_viewer_departments (company_id, viewer_id, is_scope, department_id, include_children)
select @company_id, @viewer_id, chosen.is_scope, chosen.id, chosen.include_children from chosen
on conflict (company_id, viewer_id, is_scope, department_id) do update set include_children = excluded.include_children;

-- name: deleteViewer :execrows
update attendance_viewers set deleted_at = @now::timestamptz, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id and deleted_at is null;

-- name: restoreViewer :execrows
update attendance_viewers set deleted_at = null, updated_at = @now::timestamptz, version_no = version_no + 1
where company_id = @company_id and id = @id and deleted_at > @since::timestamptz;

-- viewerVersion returns version_no of a registration, also of a deleted one.
-- name: viewerVersion :one
select version_no from attendance_viewers where company_id = @company_id and id = @id;

-- viewerTwin returns another registration that gives the same users (the rank
-- within the same departments, or one of the individuals) the same management
-- department.
-- name: viewerTwin :one
select exists (
  select from attendance_viewers mine join attendance_viewers v on v.company_id = mine.company_id and v.id <> mine.id and v.deleted_at is null
  where mine.company_id = @company_id and mine.id = @id
    and exists (
      select from attendance_viewer_departments x join attendance_viewer_departments y on y.company_id = x.company_id and y.department_id = x.department_id
      where x.company_id = mine.company_id and x.viewer_id = mine.id and not x.is_scope and y.viewer_id = v.id and not y.is_scope)
    and (
      mine.rank_id = v.rank_id and (mine.whole_company and v.whole_company or exists (
        select from attendance_viewer_departments x join attendance_viewer_departments y on y.company_id = x.company_id and y.department_id = x.department_id
        where x.company_id = mine.company_id and x.viewer_id = mine.id and x.is_scope and y.viewer_id = v.id and y.is_scope))
      or exists (
        select from attendance_viewer_users x join attendance_viewer_users y on y.company_id = x.company_id and y.user_id = x.user_id
        where x.company_id = mine.company_id and x.viewer_id = mine.id and y.viewer_id = v.id))
);

-- viewerChoices returns which of the chosen rank, users and departments exist
-- in the company, and the users of the registration @viewer_id. Hidden users count only
-- as those.
-- name: viewerChoices :one
select exists (select from ranks r where r.company_id = @company_id and r.id = @rank_id::bigint) as rank_known,
  array(select d.id from departments d where d.company_id = @company_id and d.id = any (@department_ids::bigint[]))::bigint[] as department_ids,
  array(select u.id from users u where u.company_id = @company_id and u.id = any (@user_ids::bigint[]) and not u.bot and u.hidden_at is null)::bigint[] as user_ids,
  array(select x.user_id from attendance_viewer_users x where x.company_id = @company_id and x.viewer_id = @viewer_id order by x.user_id)::bigint[] as registered_ids,
  array(select x.user_id from attendance_viewer_users x join users u on u.company_id = x.company_id and u.id = x.user_id
    where x.company_id = @company_id and x.viewer_id = @viewer_id and u.hidden_at is not null)::bigint[] as hidden_ids;

-- SavedManagers returns the viewing-authority persons after a position: a row
-- for each individual, and one for each registration by position, whose user_id
-- is 0.
-- name: SavedManagers :many
select v.id, coalesce(u.id, 0)::bigint as user_id, coalesce(u.name, '')::text as name, v.rank_id, coalesce(r.name, '')::text as position, v.may_edit,
  array(select y.department_id from attendance_viewer_departments y
    where y.company_id = v.company_id and y.viewer_id = v.id and not y.is_scope order by y.department_id)::bigint[] as department_ids,
  array(select y.include_children from attendance_viewer_departments y
    where y.company_id = v.company_id and y.viewer_id = v.id and not y.is_scope order by y.department_id)::bool[] as include_children
from attendance_viewers v
left join attendance_viewer_users x on x.company_id = v.company_id and x.viewer_id = v.id
left join users u on u.company_id = x.company_id and u.id = x.user_id
left join ranks r on r.company_id = v.company_id and r.id = coalesce(v.rank_id, u.rank_id)
where v.company_id = @company_id and v.deleted_at is null and (v.rank_id is not null or u.id is not null and u.hidden_at is null)
  and (v.id, coalesce(u.id, 0)) > (@after_id::bigint, @after_user_id::bigint)
order by v.id, coalesce(u.id, 0) limit @size;

-- ViewersState returns a value that changes with every change of a company's
-- registrations.
-- name: ViewersState :one
select count(*) filter (where deleted_at is null)::bigint as count, coalesce(max(updated_at), 'epoch')::timestamptz as updated_at
from attendance_viewers where company_id = @company_id;

-- visibleDepartments returns the departments whose users a user may see, and
-- whether the user may also edit their attendance: the subtrees of the first
-- commute control, and the management departments of the registrations that
-- include the user, as an individual or by the rank where it counts.
-- name: visibleDepartments :many
with me as (
  select u.id, u.company_id, mine.position, d.ancestors, u.department_id from users u
  left join ranks mine on mine.company_id = u.company_id and mine.id = u.rank_id
  left join departments d on d.company_id = u.company_id and d.id = u.department_id
  where u.company_id = @company_id and u.id = @user_id
),
own as (
  select v.company_id, v.id, v.may_edit from me join attendance_viewer_users x on x.company_id = me.company_id and x.user_id = me.id
  join attendance_viewers v on v.company_id = x.company_id and v.id = x.viewer_id and v.deleted_at is null and v.rank_id is null
  union all
  select v.company_id, v.id, v.may_edit from me join attendance_viewers v on v.company_id = me.company_id and v.deleted_at is null
  join ranks least on least.company_id = v.company_id and least.id = v.rank_id and me.position <= least.position
  where v.whole_company or exists (
    select from attendance_viewer_departments x where x.company_id = v.company_id and x.viewer_id = v.id and x.is_scope
      and (x.department_id = me.department_id or x.include_children and x.department_id = any (me.ancestors)))
),
seen as (
  select d.id, control.role = @edit_role::text as may_edit
  from (select pc.company_id, pc.role, pc.department_ids from me join permission_controls pc on pc.company_id = me.company_id and pc.user_id = me.id
    where pc.type = 'commute' order by pc.id limit 1) control
  join departments d on d.company_id = control.company_id and d.ancestors && control.department_ids
  union all
  select x.department_id, own.may_edit from own
  join attendance_viewer_departments x on x.company_id = own.company_id and x.viewer_id = own.id and not x.is_scope
  union all
  select d.id, own.may_edit from own
  join attendance_viewer_departments x on x.company_id = own.company_id and x.viewer_id = own.id and not x.is_scope and x.include_children
  join departments d on d.company_id = x.company_id and d.ancestors @> array[x.department_id]
)
select seen.id, bool_or(seen.may_edit)::bool as may_edit from seen group by seen.id order by seen.id;

-- ChosenPeople returns users as a form shows those that were chosen.
-- name: ChosenPeople :many
select u.id, u.name, u.image_hash, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department
from users u
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and not u.bot and u.hidden_at is null
order by u.name, u.id;

-- ChosenDepartments returns departments of a company by path.
-- name: ChosenDepartments :many
select id, name, path from departments where company_id = @company_id and id = any (@ids::bigint[]) order by path;
