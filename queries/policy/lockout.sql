-- administrators returns those who can sign in, and one more user, each with
-- the address of the latest activity of a sign-in that has not ended.
-- name: administrators :many
select u.id, d.ancestors, coalesce(host(s.address), '')::text as address
from users u
join departments d on d.company_id = u.company_id and d.id = u.department_id
left join lateral (
  select sign_ins.address from sign_ins
  where sign_ins.company_id = u.company_id and sign_ins.user_id = u.id and sign_ins.ended_at is null
  order by sign_ins.seen_at desc limit 1
) s on true
where u.company_id = @company_id and u.hidden_at is null and not u.bot and u.id in (
  select a.id from users a where a.company_id = @company_id and a.is_admin
  union all
  select @user_id::bigint
)
order by u.id;

-- connections returns by whom and from where the console and its API are used: the
-- sign-ins that have not ended.
-- name: connections :many
select s.user_id, s.address, d.ancestors
from sign_ins s
join users u on u.company_id = s.company_id and u.id = s.user_id
join departments d on d.company_id = u.company_id and d.id = u.department_id
where s.company_id = @company_id and s.ended_at is null and s.expires_at > sqlc.arg(now)::timestamptz
  and s.seen_at + (s.idle_seconds + 60) * interval '1 second' > sqlc.arg(now)::timestamptz
limit @size;
