-- savePasswordLink replaces the link of a person. It adds nothing for a bot, for
-- somebody who is absent or for a user of another company, and waits for a transaction
-- that hides the person, which otherwise could not delete this link.
-- name: savePasswordLink :execrows
insert into password_links (company_id, user_id, secret_hash, created_by, created_at, expires_at)
select u.company_id, u.id, @secret_hash::bytea, sqlc.narg(created_by)::bigint, @now::timestamptz, @expires_at::timestamptz
from users u where u.company_id = @company_id and u.id = @user_id and not u.bot and u.hidden_at is null for no key update
on conflict (company_id, user_id) do update set
  secret_hash = excluded.secret_hash, created_by = excluded.created_by, created_at = excluded.created_at, expires_at = excluded.expires_at;

-- personOfPasswordLink returns whose password a link sets, and until when.
-- name: personOfPasswordLink :one
select sqlc.embed(people), l.expires_at
from password_links l join people on people.company_id = l.company_id and people.id = l.user_id
where l.secret_hash = @secret_hash;

-- takePasswordLink ends a link, so that nobody sets a password with it twice.
-- name: takePasswordLink :execrows
delete from password_links where company_id = @company_id and user_id = @user_id and secret_hash = @secret_hash;

-- name: deletePasswordLinks :execrows
delete from password_links where company_id = @company_id and user_id = any (@user_ids::bigint[]);

-- PasswordLink returns the link of a person that can still be used; creator is empty
-- for one of a command.
-- name: PasswordLink :one
select l.created_at, l.expires_at, coalesce(u.name, '')::text as creator
from password_links l left join users u on u.company_id = l.company_id and u.id = l.created_by
where l.company_id = @company_id and l.user_id = @user_id and l.expires_at > @now;

-- name: deleteOldPasswordLinks :exec
delete from password_links where expires_at < @before;
