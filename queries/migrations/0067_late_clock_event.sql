-- +goose Up

-- Clock events that were received after the month of their work date was locked. They do
-- not count until the month is unlocked, which deletes their rows. The date, and extra, are
-- of the record that shows the event; the department is the person's on that date.
create table late_clock_events (
  company_id    bigint not null,
  id            bigint generated always as identity,
  user_id       bigint not null,
  work_date     date not null,
  extra         boolean not null default false,
  department_id bigint not null,
  at            timestamptz not null,
  event_id      text not null,
  kind          text not null check (kind in ('in', 'out', 'break_start', 'break_end')),
  received_at   timestamptz not null,
  primary key (company_id, id),
  unique (company_id, user_id, at, event_id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index late_clock_events_by_date on late_clock_events (company_id, work_date, id);

-- The work date of an event that is stored already follows from all events around it, which
-- only the program computes. The date four hours before the event, when days off end, is right
-- but for some night shifts, and the department is the present one. Each month is a statement
-- of its own, so that it reads only its own events.
-- +goose StatementBegin
do $$
declare
  locked record;
begin
  for locked in
    select l.company_id, l.month, l.locked_at, c.time_zone from attendance_locks l join companies c on c.id = l.company_id
  loop
    insert into late_clock_events (company_id, user_id, work_date, department_id, at, event_id, kind, received_at)
    select e.company_id, e.user_id, (e.at at time zone locked.time_zone - interval '4 hours')::date, u.department_id, e.at, e.event_id, e.kind, e.received_at
    from clock_events e join users u on u.company_id = e.company_id and u.id = e.user_id and not u.bot
    where e.company_id = locked.company_id and e.received_at >= locked.locked_at
      and e.at >= (locked.month + interval '4 hours') at time zone locked.time_zone
      and e.at < (locked.month + interval '1 month 4 hours') at time zone locked.time_zone
    order by e.received_at, e.user_id, e.at, e.event_id;
  end loop;
end $$;
-- +goose StatementEnd
