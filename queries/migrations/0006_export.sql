-- Files of large lists, written in the background and deleted after a day.

-- +goose Up
create table exports (
  company_id  bigint not null references companies,
  id          bigint generated always as identity,
  user_id     bigint not null,
  request     jsonb not null,
  file_name   text not null,
  state       text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  rows        bigint not null default 0, -- written so far
  bytes       bigint not null default 0,
  created_at  timestamptz not null,
  seen_at     timestamptz, -- last sign of life of the process that writes the file; another one takes over after a while
  finished_at timestamptz,
  expires_at  timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
-- The jobs that write and delete files work for every company.
create index exports_open on exports (id) where state in ('waiting', 'running');
create index exports_expiring on exports (expires_at);

-- A file is cut into pieces, so that neither writing nor reading it holds the
-- whole in memory.
create table export_pieces (
  company_id bigint not null,
  export_id  bigint not null,
  no         integer not null,
  content    bytea not null,
  primary key (company_id, export_id, no),
  foreign key (company_id, export_id) references exports on delete cascade
);
