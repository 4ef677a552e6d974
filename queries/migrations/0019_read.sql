-- The log of reads: who read which list or record about other people, when and from
-- where.

-- +goose Up
create sequence reads_id;

-- A read of a page of a list, of a record or a file, or a list that was written to a
-- file. Partitioned by month; EnsurePartitions creates the partitions ahead of time.
create table reads (
  company_id  bigint not null references companies,
  id          bigint not null default nextval('reads_id'),
  at          timestamptz not null,
  reader_id   bigint not null,
  reader_name text not null, -- of that time
  address     inet,
  kind        text not null, -- a ReadKind of the area audit
  via         text not null, -- a ReadVia of the area audit
  query       text not null, -- the filter of a list as in its URL
  rows        bigint not null, -- how many were shown
  subject_id  bigint, -- the user whose record, period or file was read; null for a list
  object      text not null, -- the key of a record or file; '' for a list
  object_name text not null, -- the name of a file
  positions   boolean not null, -- whether the coordinates of clock events were shown
  primary key (company_id, at, id)
) partition by range (at);
-- One index for each filter, in the order of the list.
create index reads_by_reader on reads (company_id, reader_id, at, id);
create index reads_by_subject on reads (company_id, subject_id, at, id) where subject_id is not null;
create index reads_by_kind on reads (company_id, kind, at, id);
create index reads_positions on reads (company_id, at, id) where positions;

-- Rows are never altered or removed, like those of changes.
create trigger append_only before update or delete on reads for each row execute function refuse_to_alter_changes();
create trigger append_only_as_a_whole before truncate on reads for each statement execute function refuse_to_alter_changes();
