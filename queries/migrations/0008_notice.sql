-- Notices: what administrators tell the people of a company, the files with it,
-- and who has read it.

-- +goose Up

-- A notice is published from publish_at on: nothing runs at that moment, except
-- that a job tells the messenger and sets announced_at. Its files can be downloaded
-- for two weeks. body is Markdown. targets are in notice_targets unless it is for
-- everyone.
create table notices (
  company_id   bigint not null references companies,
  id           bigint generated always as identity,
  title        text collate "ko-x-icu" not null check (length(title) between 1 and 100),
  body         text not null,
  search_text  text not null,
  everyone     boolean not null,
  publish_at   timestamptz not null,
  author_id    bigint not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  version_no   integer not null default 1,
  announced_at timestamptz,
  deleted_at   timestamptz,
  primary key (company_id, id),
  foreign key (company_id, author_id) references users
);
create index notices_by_publication on notices (company_id, publish_at, id) where deleted_at is null;
create index notices_by_author on notices (company_id, author_id, publish_at, id) where deleted_at is null;
create index notices_deleted on notices (company_id, deleted_at, id) where deleted_at is not null;
-- A job announces what has been published, of every company.
create index notices_to_announce on notices (publish_at) where announced_at is null and deleted_at is null;

-- The departments and users of a notice. include_children has a meaning for
-- departments only.
create table notice_targets (
  company_id       bigint not null,
  notice_id        bigint not null,
  department_id    bigint,
  user_id          bigint,
  include_children boolean not null default true,
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, department_id) references departments on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade,
  check (num_nonnulls(department_id, user_id) = 1)
);
create unique index notice_targets_departments on notice_targets (company_id, notice_id, department_id) where department_id is not null;
create unique index notice_targets_users on notice_targets (company_id, notice_id, user_id) where user_id is not null;
create index notice_targets_by_department on notice_targets (company_id, department_id) where department_id is not null;
create index notice_targets_by_user on notice_targets (company_id, user_id) where user_id is not null;

-- Files of notices. An upload has no notice until the notice is saved; a job
-- deletes those that stay without one. blob is a key of the blobs, whose content
-- is removed when nobody can download the file any more.
create table notice_attachments (
  company_id   bigint not null references companies,
  id           bigint generated always as identity,
  notice_id    bigint,
  position     integer not null default 0,
  name         text not null,
  size         bigint not null check (size > 0),
  md5          text not null,
  content_type text not null,
  blob         text not null,
  uploaded_by  bigint not null,
  uploaded_at  timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, uploaded_by) references users
);
create index notice_attachments_by_notice on notice_attachments (company_id, notice_id, position);
create index notice_attachments_by_blob on notice_attachments (company_id, blob);
create index notice_attachments_without_notice on notice_attachments (uploaded_at) where notice_id is null;

-- Who has read a notice, and who has downloaded files of it, each for the first time.
create table notice_reads (
  company_id bigint not null,
  notice_id  bigint not null,
  user_id    bigint not null,
  read_at    timestamptz not null,
  primary key (company_id, notice_id, user_id),
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);
create table notice_downloads (
  company_id    bigint not null,
  notice_id     bigint not null,
  user_id       bigint not null,
  downloaded_at timestamptz not null,
  primary key (company_id, notice_id, user_id),
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);

-- How many have read a notice is the sum of readers. A reader is counted in the
-- row of a shard, so that a whole company that reads a notice at nine o'clock
-- does not wait for one row.
create table notice_read_counts (
  company_id bigint not null,
  notice_id  bigint not null,
  shard      smallint not null,
  readers    integer not null,
  primary key (company_id, notice_id, shard),
  foreign key (company_id, notice_id) references notices on delete cascade
);

-- Reminders of those who have not read a notice. Each person is reminded at due_at,
-- within their working hours, unless they have read it by then; a job tells the
-- messenger and sets sent_at.
create table notice_reminders (
  company_id bigint not null,
  id         bigint generated always as identity,
  notice_id  bigint not null,
  at         timestamptz not null,
  by_user_id bigint not null,
  people     integer not null,
  primary key (company_id, id),
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, by_user_id) references users
);
create index notice_reminders_by_notice on notice_reminders (company_id, notice_id, at);
create table notice_reminder_people (
  company_id  bigint not null,
  reminder_id bigint not null,
  user_id     bigint not null,
  due_at      timestamptz not null,
  sent_at     timestamptz,
  primary key (company_id, reminder_id, user_id),
  foreign key (company_id, reminder_id) references notice_reminders on delete cascade,
  foreign key (company_id, user_id) references users on delete cascade
);
create index notice_reminder_people_due on notice_reminder_people (due_at) where sent_at is null;

-- Who may read a notice from its publication on: everybody of the company, or the
-- users among its targets and those of the departments among them, but never
-- hidden users and bots. Reading one user's notices, one notice's users and one
-- row all use this rule.
create view readable_notices as
select n.company_id, n.id, n.title, n.body, n.search_text, n.publish_at, n.updated_at, n.author_id,
  u.id as user_id, u.name as user_name, u.search_text as user_search_text, u.rank_id, d.id as department_id, d.name as department_name
from notices n
join users u on u.company_id = n.company_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where n.deleted_at is null and u.hidden_at is null and not u.bot
  and (n.everyone or exists (
    select from notice_targets t
    where t.company_id = n.company_id and t.notice_id = n.id
      and (t.user_id = u.id or t.department_id = d.id or t.include_children and t.department_id = any (d.ancestors))
  ));
