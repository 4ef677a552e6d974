-- +goose Up

-- When users were last active on their dates, of the dates on which that is the
-- departure of somebody who did not clock out.
create table attendance_activities (
  company_id bigint not null,
  user_id    bigint not null,
  work_date  date not null,
  at         timestamptz not null,
  primary key (company_id, user_id, work_date),
  foreign key (company_id, user_id) references users on delete cascade
);
