-- What people were until a change is noted by the clock that the change is noted
-- by, that of users.updated_at, which need not be the database's.

-- +goose Up
-- +goose StatementBegin
create or replace function keep_user_history() returns trigger language plpgsql as $$
begin
  insert into user_history (company_id, user_id, department_id, name, until)
  values (old.company_id, old.id, old.department_id, old.name,
    case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end);
  return null;
end $$;
-- +goose StatementEnd
