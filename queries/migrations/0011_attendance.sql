-- Attendance: clock events are facts and never change; the record of a day is
-- derived from them (domain §6). Both are partitioned by month, made ahead by
-- EnsurePartitions.

-- +goose Up

-- at is the time that counts (workday.Event.At): the device's, or that of the
-- receipt where the device's clock was wrong.
create table clock_events (
  company_id  bigint not null,
  user_id     bigint not null,
  at          timestamptz not null,
  event_id    text not null check (length(event_id) between 1 and 100),
  kind        text not null check (kind in ('in', 'out', 'break_start', 'break_end')),
  occurred_at timestamptz not null,
  sent_at     timestamptz,
  received_at timestamptz not null,
  offline     boolean not null default false,
  platform    text not null default '',
  device_id   text not null default '',
  ip          inet,
  lat         double precision check (lat between -90 and 90),
  lng         double precision check (lng between -180 and 180),
  accuracy_m  real,
  place       text not null default '',
  proof       text not null default 'none' check (proof in ('ip', 'gps', 'none')),
  mock        boolean not null default false,
  outside     boolean not null default false,
  device_new  boolean not null default false,
  reason      text not null default '',
  source      text not null default 'manual',
  primary key (company_id, user_id, at, event_id)
) partition by range (at);
create index clock_events_by_id on clock_events (company_id, event_id);

-- The devices that a person has clocked with.
create table clock_devices (
  company_id bigint not null,
  user_id    bigint not null,
  device_id  text not null,
  first_at   timestamptz not null,
  primary key (company_id, user_id, device_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- A row for every person and date that has begun, also of days off and of days
-- on which nobody came; extra is the one beside it (workday.Record.Extra). The
-- name and the department are those at that date, so that every list is one
-- walk along an index. settles_at is when time alone changes the record.
create table day_records (
  company_id    bigint not null,
  user_id       bigint not null,
  work_date     date not null,
  extra         boolean not null default false,
  name          text collate "ko-x-icu" not null,
  department_id bigint not null,
  policy_id     bigint not null,
  version_no    integer not null,
  day_type      text not null,
  holiday       text not null default '',
  starts_at     timestamptz,
  ends_at       timestamptz,
  opens_at      timestamptz not null,
  closes_at     timestamptz not null,
  settles_at    timestamptz,
  presence      text not null,
  status        text not null,
  flags         integer not null default 0,
  arrival_at    timestamptz,
  departure_at  timestamptz,
  worked_min    integer,
  break_min     integer not null default 0,
  overtime_min  integer not null default 0,
  night_min     integer not null default 0,
  late_min      integer not null default 0,
  early_min     integer not null default 0,
  required_min  integer not null default 0,
  device        text not null default '',
  place         text not null default '',
  deleted_at    timestamptz,
  primary key (company_id, user_id, work_date, extra)
) partition by range (work_date);
create index day_records_by_name on day_records (company_id, work_date, name, user_id, extra) where deleted_at is null;
create index day_records_by_status on day_records (company_id, work_date, status, name, user_id, extra) where deleted_at is null;
create index day_records_by_department on day_records (company_id, work_date, department_id, name, user_id, extra) where deleted_at is null;
create index day_records_by_arrival on day_records (company_id, work_date, arrival_at, user_id, extra) where deleted_at is null;
create index day_records_by_work on day_records (company_id, work_date, worked_min, user_id, extra) where deleted_at is null;
create index day_records_edited on day_records (company_id, work_date, name, user_id, extra) where flags & 1024 <> 0 and deleted_at is null;
create index day_records_settling on day_records (settles_at) where settles_at is not null;

-- Which dates have their rows, and by which state of directory and policies.
create table attendance_openings (
  company_id        bigint not null references companies,
  work_date         date not null,
  directory_version bigint not null,
  policy_version    bigint not null,
  primary key (company_id, work_date)
);

-- Leave and approved overtime, as a feed or a person enters them.
create table attendance_grants (
  company_id   bigint not null,
  user_id      bigint not null,
  work_date    date not null,
  leave        text not null default '' check (leave in ('', 'leave', 'half_leave_am', 'half_leave_pm')),
  overtime_min integer not null default 0 check (overtime_min between 0 and 1440),
  primary key (company_id, user_id, work_date),
  foreign key (company_id, user_id) references users on delete cascade
);

-- Edits are laid over the events; old and new are times of arrival and
-- departure, and texts of the other fields.
create table attendance_edits (
  company_id  bigint not null,
  id          bigint generated always as identity,
  user_id     bigint not null,
  work_date   date not null,
  extra       boolean not null default false,
  at          timestamptz not null,
  editor_id   bigint,
  editor_name text not null,
  field       text not null check (field in ('arrival', 'departure', 'leave', 'overtime', 'deleted')),
  old_at      timestamptz,
  new_at      timestamptz,
  old_text    text not null default '',
  new_text    text not null default '',
  reason      text not null check (length(reason) between 1 and 200),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index attendance_edits_by_record on attendance_edits (company_id, user_id, work_date, id);

-- What an employee asks to have corrected. A null time is left as it is.
create table attendance_corrections (
  company_id   bigint not null,
  id           bigint generated always as identity,
  user_id      bigint not null,
  work_date    date not null,
  extra        boolean not null default false,
  department_id bigint not null,
  arrival_at   timestamptz,
  departure_at timestamptz,
  reason       text not null check (length(reason) between 1 and 200),
  status       text not null default 'pending' check (status in ('pending', 'approved', 'refused', 'withdrawn')),
  created_at   timestamptz not null,
  decided_at   timestamptz,
  decided_by   bigint,
  decider_name text not null default '',
  answer       text not null default '' check (length(answer) <= 200),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade,
  check (arrival_at is not null or departure_at is not null)
);
create unique index attendance_corrections_pending on attendance_corrections (company_id, user_id, work_date, extra) where status = 'pending';
create index attendance_corrections_by_user on attendance_corrections (company_id, user_id, work_date);
create index attendance_corrections_waiting on attendance_corrections (company_id, department_id, id) where status = 'pending';

-- A locked month stays as it is; an administrator may still edit, with a reason.
create table attendance_locks (
  company_id bigint not null references companies,
  month      date not null check (extract(day from month) = 1),
  locked_at  timestamptz not null,
  locked_by  bigint,
  primary key (company_id, month)
);

-- Who opened somebody else's record: the person may know.
create table attendance_views (
  company_id  bigint not null,
  user_id     bigint not null,
  work_date   date not null,
  viewer_id   bigint not null,
  viewer_name text not null,
  at          timestamptz not null, -- the last time
  primary key (company_id, user_id, work_date, viewer_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- When the person agreed that places are recorded (Act on location
-- information, Article 15); without it GPS settings do not apply.
alter table users add column location_consent_at timestamptz;
