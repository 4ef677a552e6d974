-- a day (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1]

-- a day after a record (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.name, r.user_id, r.extra) > ($5::text, $3::bigint, $4::boolean) order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 김철수]

-- a day before a record (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.name, r.user_id, r.extra) < ($5::text, $3::bigint, $4::boolean) order by r.name desc, r.user_id desc, r.extra desc limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name desc, r.user_id desc, r.extra desc limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 김철수]

-- a day, names descending (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.name, r.user_id, r.extra) < ($5::text, $3::bigint, $4::boolean) order by r.name desc, r.user_id desc, r.extra desc limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name desc, r.user_id desc, r.extra desc limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 김철수]

-- a day of a subtree (generic plan)
with walk as ((select w.* from (
  select r.* from unnest($3::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date order by w.name, w.user_id, w.extra))
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [3 4]]

-- a day of a large subtree (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.department_id = any ($3::bigint[]) order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65]]

-- a day of a scope (generic plan)
with walk as (select r.* from ((select w.* from (
  select r.* from unnest($6::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.name, r.user_id, r.extra) > ($5::text, $3::bigint, $4::boolean) and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.name, r.user_id, r.extra) > ($5::text, $3::bigint, $4::boolean) and r.user_id = $7::bigint and not r.department_id = any ($8::bigint[]) order by r.name, r.user_id, r.extra limit 21)) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 김철수 [2 3 4] 3 [2 3 4]]

-- a day of a large scope (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.department_id = any ($3::bigint[]) or r.user_id = $4::bigint) order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65] 3]

-- a day of a subtree in a scope (generic plan)
with walk as (select r.* from ((select w.* from (
  select r.* from unnest($3::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = $4::bigint and r.department_id = any ($5::bigint[]) and not r.department_id = any ($6::bigint[]) order by r.name, r.user_id, r.extra limit 21)) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [3] 3 [3 9] [3]]

-- a day of a user without a scope (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = $3::bigint order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 2]

-- a day of a subtree without a scope (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = $3::bigint and r.department_id = any ($4::bigint[]) order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 2 [3]]

-- a day, late (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.status = $3::text order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 late]

-- a day, late in a scope (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.department_id = any ($3::bigint[]) or r.user_id = $4::bigint) and r.status = $5::text order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [2 3 4] 3 late]

-- a day, on time in a scope (generic plan)
with walk as (select r.* from ((select w.* from (
  select r.* from unnest($4::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.status = $3::text and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.status = $3::text and r.user_id = $5::bigint and not r.department_id = any ($6::bigint[]) order by r.name, r.user_id, r.extra limit 21)) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 on_time [2 3 4] 3 [2 3 4]]

-- a day, before work (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.status = 'before' and r.opens_at <= $3::timestamptz order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 2026-11-13 06:00:00 +0000 UTC]

-- a day, not due (generic plan)
with walk as (select r.* from unnest(array['not_due', 'before']) as part (status) cross join lateral (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.status = part.status and (part.status = 'not_due' or r.opens_at > $3::timestamptz) order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 2026-11-13 06:00:00 +0000 UTC]

-- a day, not due in a scope (generic plan)
with walk as (select r.* from ((select w.* from (
  select r.* from unnest($4::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.status = 'not_due' or r.status = 'before' and r.opens_at > $3::timestamptz) and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and (r.status = 'not_due' or r.status = 'before' and r.opens_at > $3::timestamptz) and r.user_id = $5::bigint and not r.department_id = any ($6::bigint[]) order by r.name, r.user_id, r.extra limit 21)) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 2026-11-13 06:00:00 +0000 UTC [2 3 4] 3 [2 3 4]]

-- a day, of a device (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.device <> '' and r.device = $3::text order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 mobile]

-- a day, edited (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.flags & 1024 <> 0 order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1]

-- a day by arrival (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.arrival_at is not null and (r.arrival_at, r.user_id, r.extra) > ($5::timestamptz, $3::bigint, $4::boolean) order by r.arrival_at, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.arrival_at, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 2026-11-13 05:00:00 +0000 UTC]

-- a day by arrival, those without one (generic plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.arrival_at is null and r.user_id >= $3::bigint and (r.user_id, r.extra) > ($3::bigint, $4::boolean) order by r.arrival_at, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.arrival_at, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false]

-- a day by worked time, descending (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.worked_min is not null and (r.worked_min, r.user_id, r.extra) < ($5::integer, $3::bigint, $4::boolean) and (r.department_id = any ($6::bigint[]) or r.user_id = $7::bigint) order by r.worked_min desc, r.user_id desc, r.extra desc limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.worked_min desc, r.user_id desc, r.extra desc limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 6 false 480 [2 3 4] 3]

-- a day, searched along the list (custom plan)
with walk as (select r.* from day_records r where r.work_date = $3::date and r.company_id = $4::bigint and r.deleted_at is null order by r.name, r.user_id, r.extra limit 210)
select r.*, u.employee_id, u.hidden_at is not null, coalesce(d.name, ''), (select count(*) from walk)
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id join users u on u.company_id = r.company_id and u.id = r.user_id and u.search_text like $1::text and u.search_text like $2::text order by r.name, r.user_id, r.extra limit 21;
-- [%김철% %hanbit% 2026-11-13 00:00:00 +0000 UTC 1]

-- a day of users who were found (custom plan)
with walk as (select r.* from (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = any ($3::bigint[]) and (r.department_id = any ($4::bigint[]) or r.user_id = $5::bigint) offset 0) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [6 11] [2 3 4] 3]

-- a day of the first users who were found (generic plan)
with walk as (select r.* from (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = any ($3::bigint[]) and (r.name, r.user_id) <= ((select name from users where company_id = $5::bigint and id = $4::bigint), $4::bigint) offset 0) r order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [6 11] 11 1]

-- a day of many users who were found (custom plan)
with walk as (select r.* from day_records r where r.work_date = $1::date and r.company_id = $2::bigint and r.deleted_at is null and r.user_id = any ($3::bigint[]) order by r.name, r.user_id, r.extra limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.name, r.user_id, r.extra limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 1 [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 

-- the log (custom plan)
with walk as (select r.* from generate_series(0, $4::integer) as day (no) cross join lateral (select r.* from day_records r where r.work_date = $1::date - day.no and r.work_date between $2::date and $3::date and r.company_id = $5::bigint and r.deleted_at is null order by r.name, r.user_id, r.extra limit 21) r limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.work_date desc, r.name, r.user_id, r.extra limit 21;
-- [2026-11-20 00:00:00 +0000 UTC 2026-11-13 00:00:00 +0000 UTC 2026-11-20 00:00:00 +0000 UTC 7 1]

-- the log, backward (custom plan)
with walk as (select r.* from generate_series(0, $4::integer) as day (no) cross join lateral (select r.* from day_records r where r.work_date = $1::date + day.no and r.work_date between $2::date and $3::date and r.company_id = $5::bigint and r.deleted_at is null order by r.name desc, r.user_id desc, r.extra desc limit 21) r limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.work_date, r.name desc, r.user_id desc, r.extra desc limit 21;
-- [2026-11-13 00:00:00 +0000 UTC 2026-11-13 00:00:00 +0000 UTC 2026-11-20 00:00:00 +0000 UTC 7 1]

-- the log of a scope (custom plan)
with walk as (select r.* from generate_series(0, $4::integer) as day (no) cross join lateral (select r.* from ((select w.* from (
  select r.* from unnest($6::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $1::date - day.no and r.work_date between $2::date and $3::date and r.company_id = $5::bigint and r.deleted_at is null and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 21) r order by r.name, r.user_id, r.extra limit 21
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $1::date - day.no and w.work_date between $2::date and $3::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $1::date - day.no and r.work_date between $2::date and $3::date and r.company_id = $5::bigint and r.deleted_at is null and r.user_id = $7::bigint and not r.department_id = any ($8::bigint[]) order by r.name, r.user_id, r.extra limit 21)) r order by r.name, r.user_id, r.extra limit 21) r limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.work_date desc, r.name, r.user_id, r.extra limit 21;
-- [2026-11-20 00:00:00 +0000 UTC 2026-11-13 00:00:00 +0000 UTC 2026-11-20 00:00:00 +0000 UTC 7 1 [2 3 4] 3 [2 3 4]]

-- the log, deleted records (custom plan)
with walk as (select r.* from generate_series(0, $4::integer) as day (no) cross join lateral (select r.* from (select r.* from day_records r where r.work_date = $1::date - day.no and r.work_date between $2::date and $3::date and r.company_id = $5::bigint and r.deleted_at is not null and r.user_id = any ($6::bigint[]) offset 0) r order by r.name, r.user_id, r.extra limit 21) r limit 21)
select r.*, coalesce((select u.employee_id from users u where u.company_id = r.company_id and u.id = r.user_id), ''), exists (select from users u where u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is not null), coalesce(d.name, ''), 0
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id  order by r.work_date desc, r.name, r.user_id, r.extra limit 21;
-- [2026-11-20 00:00:00 +0000 UTC 2026-11-13 00:00:00 +0000 UTC 2026-11-20 00:00:00 +0000 UTC 7 1 [6]]

-- the log, searched along the list (custom plan)
with walk as (select r.* from generate_series(0, $6::integer) as day (no) cross join lateral (select r.* from ((select w.* from (
  select r.* from unnest($8::bigint[]) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra from day_records r where r.work_date = $3::date - day.no and r.work_date between $4::date and $5::date and r.company_id = $7::bigint and r.deleted_at is null and r.department_id = subtree.id order by r.name, r.user_id, r.extra limit 210) r order by r.name, r.user_id, r.extra limit 210
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and w.work_date = $3::date - day.no and w.work_date between $4::date and $5::date order by w.name, w.user_id, w.extra) union all (select r.* from day_records r where r.work_date = $3::date - day.no and r.work_date between $4::date and $5::date and r.company_id = $7::bigint and r.deleted_at is null and r.user_id = $9::bigint and not r.department_id = any ($10::bigint[]) order by r.name, r.user_id, r.extra limit 210)) r order by r.name, r.user_id, r.extra limit 210) r limit 210)
select r.*, u.employee_id, u.hidden_at is not null, coalesce(d.name, ''), (select count(*) from walk)
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id join users u on u.company_id = r.company_id and u.id = r.user_id and u.search_text like $1::text and u.search_text like $2::text order by r.work_date desc, r.name, r.user_id, r.extra limit 21;
-- [%김철% %hanbit% 2026-11-20 00:00:00 +0000 UTC 2026-11-13 00:00:00 +0000 UTC 2026-11-20 00:00:00 +0000 UTC 7 1 [2 3 4] 3 [2 3 4]]

