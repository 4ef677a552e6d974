-- +goose Up

-- write_positions has where somebody's last write is in the write-ahead log, so that
-- what they read next comes from a replica only if it has replayed the write. The user 0
-- stands for everybody of the company. Rows are written only where there are replicas.
create table write_positions (
  company_id bigint not null references companies,
  user_id bigint not null,
  position bigint not null, -- bytes before it, of a pg_lsn
  at timestamptz not null,
  primary key (company_id, user_id)
) with (fillfactor = 50); -- room to update a row where it is
