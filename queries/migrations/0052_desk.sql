-- The desk: what of the attendance needs a person, and what was decided about it.

-- +goose Up

-- Clock events that policies refused, as one row for each person, date, kind and code,
-- so that a device that tries again and again adds nothing but to attempts. The date is
-- the company's. A job deletes old rows.
create table clock_refusals (
  company_id bigint not null,
  work_date  date not null,
  user_id    bigint not null,
  kind       text not null check (kind in ('in', 'out', 'break_start', 'break_end')),
  code       text not null,
  attempts   integer not null check (attempts > 0),
  last_at    timestamptz not null,
  platform   text not null,
  primary key (company_id, work_date, user_id, kind, code),
  foreign key (company_id, user_id) references users on delete cascade
);
create index clock_refusals_by_user on clock_refusals (company_id, user_id);

create sequence attendance_review_sets;

-- What was decided about an item of the desk. The facts of the record at that moment are
-- stored beside it: an item whose facts differ now is on the desk again. flags has only
-- the bits that such items are about (attendance.deskFlags), and edit_ids has the edits
-- that the decision made. set_id is of what was decided at once, which is undone at once.
create table attendance_reviews (
  company_id    bigint not null,
  id            bigint generated always as identity,
  set_id        bigint not null,
  user_id       bigint not null,
  work_date     date not null,
  extra         boolean not null default false,
  kind          text not null,
  decision      text not null check (decision in ('approved', 'as_is', 'rejected')),
  comment       text not null check (length(comment) <= 200),
  department_id bigint not null,
  correction_id bigint,
  edit_ids      bigint[] not null default '{}',
  at            timestamptz not null,
  reviewer_id   bigint,
  reviewer_name text not null,
  undone_at     timestamptz,
  arrival_at    timestamptz,
  departure_at  timestamptz,
  flags         integer not null,
  uncounted     integer not null,
  refused_at    timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade,
  check (decision <> 'rejected' or comment <> '')
);
create index attendance_reviews_by_record on attendance_reviews (company_id, user_id, work_date, kind) where undone_at is null;
create index attendance_reviews_by_set on attendance_reviews (company_id, set_id);

-- An edit that was undone stays in the history of its record, but is not in force.
alter table attendance_edits add column undone_at timestamptz;

-- 448 is workday.FlagOutside, FlagUnproven and FlagMock. The desk looks back 31 days, so
-- only the months since then are indexed, which takes seconds however many there are; the
-- months to come inherit the index.
create index day_records_unproven on only day_records (company_id, work_date, name, user_id, extra) where flags & 448 <> 0 and deleted_at is null;
-- +goose StatementBegin
do $$
declare
  month name;
begin
  for month in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'day_records'::regclass and c.relname >= to_char(now() - interval '33 days', '"day_records_"YYYY_MM')
  loop
    execute format('create index %1$I on %2$I (company_id, work_date, name, user_id, extra) where flags & 448 <> 0 and deleted_at is null', month || '_unproven', month);
    execute format('alter index day_records_unproven attach partition %I', month || '_unproven');
  end loop;
end $$;
-- +goose StatementEnd
