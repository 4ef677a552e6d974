-- lockDirectory serializes the hidings of a company and invalidates what is
-- cached of its directory.
-- name: lockDirectory :exec
update companies set directory_version = directory_version + 1 where id = @company_id;

-- usersToHide returns the users with these ids, locked against a sign-in that
-- begins meanwhile.
-- name: usersToHide :many
select id, name, bot, is_admin, hidden_at, deactivated_at from users
where company_id = @company_id and id = any (@ids::bigint[]) order by id for update;

-- hideUsers sets when users became absent, unless they are for another reason.
-- name: hideUsers :exec
update users set hidden_at = coalesce(hidden_at, @now::timestamptz), updated_at = @now::timestamptz,
  deactivated_at = case when @state::text = 'deactivated' then @now::timestamptz else deactivated_at end
where company_id = @company_id and id = any (@ids::bigint[]);

-- showUsers ends a state of users, whose hidings are closed, and returns their
-- names and whether they are visible now, which nobody in the other state is.
-- name: showUsers :many
update users u set updated_at = @now::timestamptz,
  deactivated_at = case when @state::text = 'deactivated' then null else u.deactivated_at end,
  hidden_at = (select min(h.hidden_at) from hidings h where h.company_id = u.company_id and h.user_id = u.id and h.shown_at is null)
where u.company_id = @company_id and u.id = any (@ids::bigint[])
returning u.id, u.name, (u.hidden_at is null)::bool as visible;

-- name: nextSet :one
select nextval('hiding_sets')::bigint;

-- Arrays have no null dates in Go, so dates are passed as text, "" for none.
-- name: insertHidings :many
insert into hidings (company_id, user_id, state, source, kind, reason, show_again_on, hidden_at, hidden_by, hidden_by_name, hidden_in)
select @company_id, h.user_id, @state, @source, h.kind, h.reason, nullif(h.until, '')::date, @now::timestamptz, sqlc.narg(hidden_by), @hidden_by_name, @hidden_in
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@kinds::text[]) as kind, unnest(@reasons::text[]) as reason, unnest(@until::text[]) as until) h
returning id, user_id;

-- closeHidings ends the open hidings of users in a state and returns them.
-- name: closeHidings :many
update hidings set shown_at = @now::timestamptz, shown_by = sqlc.narg(shown_by), shown_by_name = @shown_by_name, shown_in = @shown_in::bigint
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and state = @state and shown_at is null
returning *;

-- companiesDue returns the companies with hidings whose day has come, with the day.
-- name: companiesDue :many
select distinct h.company_id, (sqlc.arg(now)::timestamptz at time zone c.time_zone)::date as today from hidings h
join companies c on c.id = h.company_id
where h.shown_at is null and h.show_again_on is not null and h.show_again_on <= (sqlc.arg(now)::timestamptz at time zone c.time_zone)::date
order by h.company_id;

-- name: usersDue :many
select user_id from hidings
where company_id = @company_id and shown_at is null and show_again_on <= @today::date
order by show_again_on, user_id limit @most;

-- today returns the day of a company at a time.
-- name: today :one
select (sqlc.arg(now)::timestamptz at time zone c.time_zone)::date as today from companies c where c.id = @company_id;

-- hidingsOfSet returns what one request hid or showed and nobody has changed
-- since.
-- name: hidingsOfSet :many
select h.* from hidings h
where h.company_id = @company_id and (h.hidden_in = @set::bigint and h.shown_at is null or h.shown_in = @set::bigint)
  and not exists (select from hidings later where later.company_id = h.company_id and later.user_id = h.user_id and later.state = h.state and later.id > h.id)
order by h.user_id;

-- lastHiding returns the latest hiding of a user in a state.
-- name: lastHiding :one
select * from hidings
where company_id = @company_id and user_id = @user_id and state = @state
order by id desc limit 1;
