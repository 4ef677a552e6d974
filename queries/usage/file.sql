-- fileSenders returns those of some users who are people, with their departments.
-- name: fileSenders :many
select id, department_id::bigint as department_id from users where company_id = @company_id and id = any (@ids::bigint[]) and not bot;

-- userIDs returns those of some ids that users of the company have.
-- name: userIDs :many
select id from users where company_id = @company_id and id = any (@ids::bigint[]);

-- name: timeZone :one
select time_zone from companies where id = @company_id;

-- knownFiles returns the positions, from 1, of those users' event ids that are stored
-- already, at times from one to another. The bounds avoid a search in every partition, and
-- the limit has each id looked up in the index instead of all files read.
-- name: knownFiles :many
select k.position::integer as position
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@ids::text[]) as id, generate_subscripts(@ids::text[], 1) as position) k
cross join lateral (select f.event_id from saved_files f
  where f.company_id = @company_id and f.event_id = k.id and f.user_id = k.user_id and f.saved_at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz limit 1) known;

-- newFileIDs returns unused ids.
-- name: newFileIDs :many
select nextval('saved_files_id') from generate_series(1, @count::integer);

-- name: copyFiles :copyfrom
insert into saved_files (company_id, id, saved_at, event_id, user_id, department_id, receiver_ids, room, folder, name, deceptive, size, sha256, platform, ip, received_at, search_text, search_grams)
values (@company_id, @id, @saved_at, @event_id, @user_id, @department_id, @receiver_ids, @room, @folder, @name, @deceptive, @size, @sha256, @platform, @ip, @received_at, @search_text, @search_grams);

-- name: copyFileReceivers :copyfrom
insert into saved_file_receivers (company_id, user_id, platform, saved_at, file_id, size)
values (@company_id, @user_id, @platform, @saved_at, @file_id, @size);

-- addFileDays adds to the sums of days, in the order of their keys, so that
-- transactions that wait for each other do so in the same order. The sum of sizes
-- ends at the largest number that the column can hold.
-- name: addFileDays :exec
insert into saved_file_days as d (company_id, day, platform, files, bytes, deceptive)
select @company_id, n.day, n.platform, n.files, n.bytes, n.deceptive
from (select unnest(@days::date[]) as day, unnest(@platforms::text[]) as platform, unnest(@files::bigint[]) as files, unnest(@bytes::bigint[]) as bytes, unnest(@deceptive::bigint[]) as deceptive) n
order by n.day, n.platform
on conflict (company_id, day, platform) do update set files = d.files + excluded.files,
  bytes = least(d.bytes::numeric + excluded.bytes, 9223372036854775807)::bigint, deceptive = d.deceptive + excluded.deceptive;

-- fileDays sums the days of a period by platform.
-- name: fileDays :many
select platform, sum(files)::bigint as files, least(sum(bytes), 9223372036854775807)::bigint as bytes, sum(deceptive)::bigint as deceptive
from saved_file_days
where company_id = @company_id and day between sqlc.arg(first)::date and sqlc.arg(last)::date
group by platform;

-- firstFileDay returns the earliest day with files.
-- name: firstFileDay :one
select day from saved_file_days where company_id = @company_id order by day limit 1;

-- fileAt returns a file by the key of the list.
-- name: fileAt :one
select * from saved_files where company_id = @company_id and saved_at = @saved_at and id = @id;

-- fileUsers returns the names of users, hidden ones and bots included.
-- name: fileUsers :many
select u.id, u.name, u.employee_id, u.bot, u.hidden_at, coalesce(d.name, '')::text as department
from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]);

-- filesAt returns files by their keys, in no order.
-- name: filesAt :many
select f.* from (select unnest(@saved_at::timestamptz[]) as saved_at, unnest(@ids::bigint[]) as id) k
join saved_files f on f.company_id = @company_id and f.saved_at between sqlc.arg(first)::timestamptz and sqlc.arg(last)::timestamptz
  and f.saved_at = k.saved_at and f.id = k.id;

-- departmentSubtree returns the ids of a department and of all its descendants.
-- name: departmentSubtree :one
select (d.parent_id is null)::boolean as is_root,
  array(select c.id from departments c where c.company_id = d.company_id and c.ancestors @> array[d.id] order by c.id)::bigint[] as ids
from departments d where d.company_id = @company_id and d.id = @id;

-- fileViews returns who looked at a file, the latest first.
-- name: fileViews :many
select actor_name, at from changes
where company_id = @company_id and object_type = 'file' and object_id = @file_id and action = 'file.viewed' and at >= sqlc.arg(since)::timestamptz
order by at desc, id desc limit @size;
