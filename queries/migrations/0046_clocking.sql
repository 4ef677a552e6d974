-- Clock events are recognized by the person and the id, and people are reminded to
-- clock and told of long weeks.

-- +goose Up

-- Whether an event is stored already is answered by the primary key: the last month of
-- a person has some hundred rows. An index that begins with the id would read those of
-- everybody where clients count their events from one. Dropping it touches no rows.
drop index clock_events_by_id;

-- Policies knew one kind of web. Those that allow it go on allowing that of phones, in
-- every version, so that no version differs from the one before it by this alone.
update policy_versions v set settings = jsonb_set(v.settings, '{clock_platforms}', v.settings -> 'clock_platforms' || '["mobile_web"]')
from policies p
where p.company_id = v.company_id and p.id = v.policy_id and p.kind = 'workingattitude'
  and v.settings -> 'clock_platforms' @> '["web"]' and not v.settings -> 'clock_platforms' @> '["mobile_web"]';

-- What a person was told about a date: reminders of a work date, and limits of the week
-- that begins on it. The key is why nobody is told twice.
create table clock_notices (
  company_id bigint not null,
  day        date not null,
  user_id    bigint not null,
  kind       text not null check (kind in ('remind_in', 'remind_out', 'week_warn', 'week_cap')),
  noticed_at timestamptz not null,
  primary key (company_id, day, user_id, kind),
  foreign key (company_id, user_id) references users on delete cascade
);
create index clock_notices_by_user on clock_notices (company_id, user_id);

create index policy_versions_reminding on policy_versions (company_id)
  where settings ->> 'remind_in' is not null or settings ->> 'remind_out' is not null;

-- Whose arrival or departure is still to come, by the hours of their day. Only the
-- months that have not ended are indexed, which takes seconds however many there are;
-- the months to come inherit the indexes.
create index day_records_awaiting_arrival on only day_records (company_id, starts_at)
  where starts_at is not null and arrival_at is null and deleted_at is null and not extra;
create index day_records_awaiting_departure on only day_records (company_id, ends_at)
  where ends_at is not null and arrival_at is not null and departure_at is null and deleted_at is null and not extra;
-- +goose StatementBegin
do $$
declare
  month name;
begin
  for month in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'day_records'::regclass and c.relname >= to_char(now() - interval '3 days', '"day_records_"YYYY_MM')
  loop
    execute format('create index %1$I on %2$I (company_id, starts_at)
      where starts_at is not null and arrival_at is null and deleted_at is null and not extra', month || '_awaiting_arrival', month);
    execute format('alter index day_records_awaiting_arrival attach partition %I', month || '_awaiting_arrival');
    execute format('create index %1$I on %2$I (company_id, ends_at)
      where ends_at is not null and arrival_at is not null and departure_at is null and deleted_at is null and not extra', month || '_awaiting_departure', month);
    execute format('alter index day_records_awaiting_departure attach partition %I', month || '_awaiting_departure');
  end loop;
end $$;
-- +goose StatementEnd
