-- forecastPeople returns the people among users, without bots and hidden users.
-- name: forecastPeople :many
select id, name, employee_id from users
where company_id = @company_id and id = any (@ids::bigint[]) and not bot and hidden_at is null;

-- recordTimes returns when users arrived and left on some dates, which are parallel
-- to the users.
-- name: recordTimes :many
select r.user_id, r.work_date, r.extra, r.arrival_at, r.departure_at
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@days::date[]) as day) k
join day_records r on r.user_id = k.user_id and r.work_date = k.day
where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.arrival_at is not null and r.deleted_at is null;

-- noticesOf returns who was told something about a day, and when.
-- name: noticesOf :many
select user_id, noticed_at from clock_notices
where company_id = @company_id and day = @day and kind = @kind and user_id = any (@user_ids::bigint[]);

-- managersOf returns who may edit the attendance of departments: by the first
-- commute control, or by a registration as an individual or by the rank where it
-- counts, as visibleDepartments says for one user. Hidden users manage nobody.
-- name: managersOf :many
with chosen as (select d.id, d.ancestors from departments d where d.company_id = @company_id and d.id = any (@department_ids::bigint[])),
registered as (
  select x.viewer_id, c.id as department_id from chosen c
  join attendance_viewer_departments x on x.company_id = @company_id and not x.is_scope
    and (x.department_id = c.id or x.include_children and x.department_id = any (c.ancestors))
  join attendance_viewers v on v.company_id = @company_id and v.id = x.viewer_id and v.deleted_at is null and v.may_edit
),
managers as (
  select c.id as department_id, control.user_id from chosen c
  join (select distinct on (pc.user_id) pc.user_id, pc.role, pc.department_ids from permission_controls pc
    where pc.company_id = @company_id and pc.type = 'commute' order by pc.user_id, pc.id) control
    on control.role = @edit_role::text and c.ancestors && control.department_ids
  union
  select r.department_id, x.user_id from registered r
  join attendance_viewers v on v.company_id = @company_id and v.id = r.viewer_id and v.rank_id is null
  join attendance_viewer_users x on x.company_id = @company_id and x.viewer_id = v.id
  union
  select r.department_id, u.id from registered r
  join attendance_viewers v on v.company_id = @company_id and v.id = r.viewer_id
  join ranks least on least.company_id = @company_id and least.id = v.rank_id
  join ranks mine on mine.company_id = @company_id and mine.position <= least.position
  join users u on u.company_id = @company_id and u.rank_id = mine.id
  left join departments d on d.company_id = @company_id and d.id = u.department_id
  where v.whole_company or exists (select from attendance_viewer_departments s where s.company_id = @company_id and s.viewer_id = v.id and s.is_scope
    and (s.department_id = u.department_id or s.include_children and s.department_id = any (d.ancestors)))
)
select m.department_id, u.id, u.name from managers m
join users u on u.company_id = @company_id and u.id = m.user_id and u.hidden_at is null and not u.bot
order by m.department_id, u.name, u.id;
