-- insertReads stores reads of any companies.
-- name: insertReads :exec
insert into reads (company_id, at, reader_id, reader_name, address, kind, via, query, rows, subject_id, object, object_name, positions)
select unnest(@company_ids::bigint[]), unnest(@ats::timestamptz[]), unnest(@reader_ids::bigint[]), unnest(@reader_names::text[]), nullif(unnest(@addresses::text[]), '')::inet,
  unnest(@kinds::text[]), unnest(@vias::text[]), unnest(@queries::text[]), unnest(@row_counts::bigint[]), nullif(unnest(@subject_ids::bigint[]), 0),
  unnest(@objects::text[]), unnest(@object_names::text[]), unnest(@positions::boolean[]);

-- readers are users who have read something, at most size of them. It goes from one
-- to the next by the index instead of reading all rows.
-- name: readers :many
with recursive found as (
  (select r.reader_id from reads r where r.company_id = @company_id order by r.reader_id limit 1)
  union all
  select (select r.reader_id from reads r where r.company_id = @company_id and r.reader_id > found.reader_id order by r.reader_id limit 1)
  from found where found.reader_id is not null
)
select u.id, u.name::text as name from (select reader_id from found limit @size) f join users u on u.company_id = @company_id and u.id = f.reader_id
order by u.name;
