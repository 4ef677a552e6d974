-- Files of large lists, made in the background and kept for a day. The content
-- is cut into pieces, so that neither writing nor reading one holds it whole.

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
  seen_at     timestamptz, -- when the process that writes it last said so
  finished_at timestamptz,
  expires_at  timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create index exports_open on exports (id) where state in ('waiting', 'running');
create index exports_expiring on exports (expires_at);

create table export_pieces (
  company_id bigint not null,
  export_id  bigint not null,
  no         integer not null,
  content    bytea not null,
  primary key (company_id, export_id, no),
  foreign key (company_id, export_id) references exports on delete cascade
);
