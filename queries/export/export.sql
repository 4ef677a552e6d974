-- name: insertExport :one
insert into exports (company_id, user_id, request, file_name, created_at, expires_at)
values (@company_id, @user_id, @request, @file_name, @now, @expires_at)
returning id;

-- lockRequests lets a user request one export after the other.
-- name: lockRequests :exec
select pg_advisory_xact_lock(hashtextextended('exports/' || @user_id::bigint, @company_id::bigint));

-- name: countUnfinished :one
select count(*) from exports where company_id = @company_id and user_id = @user_id and state in ('waiting', 'running');

-- ByID returns a user's own export that has not expired.
-- name: ByID :one
select * from exports where company_id = @company_id and user_id = @user_id and id = @id and expires_at > @now;

-- Claim returns the next export that no process writes, and marks it as
-- running: a new one, or one whose process has not reported since @lost. It is
-- NotFound without any.
-- name: Claim :one
update exports set state = 'running', seen_at = @now, rows = 0, bytes = 0
where (company_id, id) = (
  select o.company_id, o.id from exports o
  where o.state = 'waiting' or o.state = 'running' and o.seen_at < @lost::timestamptz
  order by o.id limit 1 for update skip locked
)
returning *;

-- noteProgress changes no row of an export that was cancelled.
-- name: noteProgress :execrows
update exports set rows = @rows, seen_at = @now where company_id = @company_id and id = @id;

-- deleteUnfinished deletes a user's own export whose file is not complete.
-- name: deleteUnfinished :one
delete from exports where company_id = @company_id and user_id = @user_id and id = @id and state in ('waiting', 'running')
returning file_name;

-- NoteTotal stores the number of rows of an export in its request.
-- name: NoteTotal :exec
update exports set request = request || jsonb_build_object('total', @total::bigint) where company_id = @company_id and id = @id;

-- name: dropPieces :exec
delete from export_pieces where company_id = @company_id and export_id = @export_id;

-- name: insertPiece :exec
insert into export_pieces (company_id, export_id, no, content) values (@company_id, @export_id, @no, @content);

-- name: exportPiece :one
select content from export_pieces where company_id = @company_id and export_id = @export_id and no = @no;

-- name: finishExport :exec
update exports set state = @state, rows = @rows, bytes = @bytes, finished_at = @now, seen_at = @now
where company_id = @company_id and id = @id;

-- name: DeleteExpired :exec
delete from exports where expires_at <= @now;

-- NoteScope stores whom the reader may see for whom an export is written.
-- name: NoteScope :exec
update exports set everybody = @everybody, department_ids = coalesce(@department_ids::bigint[], '{}') where company_id = @company_id and id = @id;
