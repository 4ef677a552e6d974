-- Attendance: who may see it, clock events, and the records that are derived from
-- them. Clock events are facts and never change. Edits are stored beside them, and the
-- record of a day is computed from both (package workday).

-- +goose Up

-- Viewers: who may see, and perhaps edit, the attendance of which departments. A
-- registration is by position (a rank "or above") or, without a rank, of the
-- users in attendance_viewer_users. version_no counts its changes.
create table attendance_viewers (
  company_id    bigint not null references companies,
  id            bigint generated always as identity,
  rank_id       bigint,
  whole_company boolean not null,
  may_edit      boolean not null,
  created_by    bigint,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  deleted_at    timestamptz,
  version_no    integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, rank_id) references ranks,
  foreign key (company_id, created_by) references users,
  check (not whole_company or rank_id is not null)
);
create index attendance_viewers_by_rank on attendance_viewers (company_id, rank_id) where rank_id is not null and deleted_at is null;

create table attendance_viewer_users (
  company_id bigint not null,
  viewer_id  bigint not null,
  user_id    bigint not null,
  primary key (company_id, viewer_id, user_id),
  foreign key (company_id, viewer_id) references attendance_viewers on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);
create index attendance_viewer_users_by_user on attendance_viewer_users (company_id, user_id);

-- The departments whose attendance is seen and, with is_scope, the departments
-- in which the rank of a registration by position counts.
create table attendance_viewer_departments (
  company_id       bigint not null,
  viewer_id        bigint not null,
  is_scope         boolean not null,
  department_id    bigint not null,
  include_children boolean not null,
  primary key (company_id, viewer_id, is_scope, department_id),
  foreign key (company_id, viewer_id) references attendance_viewers on delete cascade,
  foreign key (company_id, department_id) references departments on delete cascade
);
create index attendance_viewer_departments_by_department on attendance_viewer_departments (company_id, department_id);

-- Clock events as they were sent. at is the time that counts: the device's, or
-- the time of receipt where the device's clock was wrong (workday.Event.At).
-- Partitioned by month; EnsurePartitions creates the partitions ahead of time.
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
-- An event that is sent again is recognized by the id that its sender gave it.
create index clock_events_by_id on clock_events (company_id, event_id);

-- The devices that a user has clocked with.
create table clock_devices (
  company_id bigint not null,
  user_id    bigint not null,
  device_id  text not null,
  first_at   timestamptz not null,
  primary key (company_id, user_id, device_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- A row for every user and date that has begun, also for days off and absences;
-- extra marks a second record of the date (workday.Record.Extra). The name and
-- the department are those of the date, so that every list is one scan of an
-- index. settles_at is when time alone changes the record. Partitioned by month
-- like clock_events.
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
  flags         integer not null default 0, -- workday.Flags
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

-- One index for each way to list the records of a date.
create index day_records_by_name on day_records (company_id, work_date, name, user_id, extra) where deleted_at is null;
create index day_records_by_status on day_records (company_id, work_date, status, name, user_id, extra) where deleted_at is null;
-- Statuses of departments are counted in this index alone.
create index day_records_by_department on day_records (company_id, work_date, department_id, name, user_id, extra) include (status, opens_at) where deleted_at is null;
-- No list is of the records without a device.
create index day_records_by_device on day_records (company_id, work_date, device, name, user_id, extra) where deleted_at is null and device <> '';
create index day_records_by_arrival on day_records (company_id, work_date, arrival_at, user_id, extra) where deleted_at is null;
create index day_records_by_work on day_records (company_id, work_date, worked_min, user_id, extra) where deleted_at is null;
-- 1024 is workday.FlagEdited.
create index day_records_edited on day_records (company_id, work_date, name, user_id, extra) where flags & 1024 <> 0 and deleted_at is null;
-- Extra records are few.
create index day_records_extra on day_records (company_id, work_date, user_id) where extra and deleted_at is null;
-- A job computes due records of every company again.
create index day_records_settling on day_records (settles_at) where settles_at is not null;

-- A user's records of a month in one row for each department that the user was
-- in, so that a page of weeks or months reads one row for each user instead of
-- thirty. day_records is the source: whatever writes it updates this table in the
-- same transaction. Deleted records are left out.
--
-- days has an entry of 21 bytes for each record, in the order of the dates; see
-- queries/attendance/month.go. statuses has the bit 1 << code of each status that
-- occurs, edited is whether a record was edited. holidays are the names, one a
-- line. versions has twelve bytes for each policy version: policy id and number.
-- The fill factor leaves space for an update on the same page.
create table attendance_months (
  company_id    bigint not null,
  user_id       bigint not null,
  month         date not null,
  department_id bigint not null,
  days          bytea not null,
  statuses      integer not null,
  edited        boolean not null,
  holidays      text not null default '',
  versions      bytea not null,
  primary key (company_id, user_id, month, department_id)
) with (fillfactor = 70);

-- The dates whose records exist, and the versions of directory and policies that
-- they were computed from.
create table attendance_openings (
  company_id        bigint not null references companies,
  work_date         date not null,
  directory_version bigint not null,
  policy_version    bigint not null,
  primary key (company_id, work_date)
);

-- Leave and approved overtime.
create table attendance_grants (
  company_id   bigint not null,
  user_id      bigint not null,
  work_date    date not null,
  leave        text not null default '' check (leave in ('', 'leave', 'half_leave_am', 'half_leave_pm')),
  overtime_min integer not null default 0 check (overtime_min between 0 and 1440),
  primary key (company_id, user_id, work_date),
  foreign key (company_id, user_id) references users on delete cascade
);

-- What was edited in a record: times for the fields arrival and departure, texts
-- for the others. An edit that approves a correction names it.
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
  correction_id bigint,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index attendance_edits_by_record on attendance_edits (company_id, user_id, work_date, id);
-- Deleted records are in none of the indexes by name; this leads to their users.
create index attendance_edits_deleted on attendance_edits (company_id, work_date) where field = 'deleted';

-- Corrections that employees request. A time that is null stays as it is.
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
-- Pending corrections, of departments and of the whole company, the oldest first.
create index attendance_corrections_waiting on attendance_corrections (company_id, department_id, id) where status = 'pending';
create index attendance_corrections_oldest on attendance_corrections (company_id, id) where status = 'pending';

-- Locked months: nothing changes their records but edits by an administrator.
create table attendance_locks (
  company_id bigint not null references companies,
  month      date not null check (extract(day from month) = 1),
  locked_at  timestamptz not null,
  locked_by  bigint,
  primary key (company_id, month)
);

-- Who opened another user's record, shown to that user.
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
