-- +goose Up

-- The people of a recomputation that a transaction computes at once: those with ids
-- behind after_user_id until until_user_id. A row is deleted in the transaction that
-- computes them, so that several can work at the same time and after a restart the
-- others remain. The last row of a recomputation has no end.
create table attendance_recomputation_steps (
  company_id       bigint not null,
  recomputation_id bigint not null,
  after_user_id    bigint not null,
  until_user_id    bigint not null,
  primary key (company_id, recomputation_id, after_user_id),
  foreign key (company_id, recomputation_id) references attendance_recomputations on delete cascade
);

-- Recomputations that have begun go on with a hundred people at a time.
insert into attendance_recomputation_steps (company_id, recomputation_id, after_user_id, until_user_id)
select company_id, id, lag(until, 1, after_user_id) over w, case when lead(until) over w is null then 9223372036854775807 else until end
from (
  select r.company_id, r.id, r.after_user_id, u.until
  from attendance_recomputations r, lateral (
    select max(n.id) as until
    from (
      select id, (row_number() over (order by id) - 1) / 100 as step from users
      where company_id = r.company_id and not bot and department_id is not null and id > r.after_user_id
    ) n
    group by n.step
  ) u
  where r.started_at is not null and r.finished_at is null
) s
window w as (partition by company_id, id order by until);

alter table attendance_recomputations drop column after_user_id;
