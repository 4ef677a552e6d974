-- Records of attendance keep the name and the department of their date. Who was
-- called otherwise or belonged elsewhere is found by what they were until then.

-- +goose Up
create table user_history (
  company_id    bigint not null,
  id            bigint generated always as identity,
  user_id       bigint not null,
  department_id bigint,
  name          text not null,
  until         timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index user_history_by_department on user_history (company_id, department_id, until);
create index user_history_by_time on user_history (company_id, until);

-- +goose StatementBegin
create function keep_user_history() returns trigger language plpgsql as $$
begin
  insert into user_history (company_id, user_id, department_id, name, until)
  values (old.company_id, old.id, old.department_id, old.name, now());
  return null;
end $$;
-- +goose StatementEnd
create trigger users_history after update of name, department_id on users
  for each row when (old.name is distinct from new.name or old.department_id is distinct from new.department_id)
  execute function keep_user_history();

-- Arrivals outside of every window are few.
create index day_records_extra on day_records (company_id, work_date, user_id) where extra and deleted_at is null;
