-- hiddenUsers returns the next users in a state, the latest first. @kind and
-- @source are "" for every one; each pattern is found in the user's search text or
-- the department's.
-- name: hiddenUsers :many
select sqlc.embed(h), u.name, u.image_hash, u.employee_id, coalesce(u.department_id, 0)::bigint as department_id, coalesce(d.name, '')::text as department, coalesce(d.path, '')::text as path
from hidings h
join users u on u.company_id = h.company_id and u.id = h.user_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where h.company_id = @company_id and h.state = @state and h.shown_at is null and (h.hidden_at, h.id) < (@before::timestamptz, @before_id::bigint)
  and (@kind::text = '' or h.kind = @kind::text)
    and (@source::text = '' or h.source = @source::text)
  and concat_ws(E'\n', u.search_text, d.search_text) like all (@patterns::text[])
order by h.hidden_at desc, h.id desc limit @size;

-- hiddenUsersAfter returns the users in a state after a time, the earliest first.
-- name: hiddenUsersAfter :many
select sqlc.embed(h), u.name, u.image_hash, u.employee_id, coalesce(u.department_id, 0)::bigint as department_id, coalesce(d.name, '')::text as department, coalesce(d.path, '')::text as path
from hidings h
join users u on u.company_id = h.company_id and u.id = h.user_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where h.company_id = @company_id and h.state = @state and h.shown_at is null and (h.hidden_at, h.id) > (@after::timestamptz, @after_id::bigint)
  and (@kind::text = '' or h.kind = @kind::text)
    and (@source::text = '' or h.source = @source::text)
  and concat_ws(E'\n', u.search_text, d.search_text) like all (@patterns::text[])
order by h.hidden_at, h.id limit @size;

-- countHidden counts the users in a state that a filter chooses, up to @most.
-- name: countHidden :one
select count(*) from (
  select from hidings h
  join users u on u.company_id = h.company_id and u.id = h.user_id
  left join departments d on d.company_id = u.company_id and d.id = u.department_id
  where h.company_id = @company_id and h.state = @state and h.shown_at is null and (@kind::text = '' or h.kind = @kind::text)
    and (@source::text = '' or h.source = @source::text)
    and concat_ws(E'\n', u.search_text, d.search_text) like all (@patterns::text[])
  limit @most
) counted;

-- ListState returns values that change with every change of the lists.
-- name: ListState :one
select count(*) filter (where shown_at is null)::bigint as count, coalesce(max(id), 0)::bigint as last_id, coalesce(max(shown_at), 'epoch')::timestamptz as shown_at
from hidings where company_id = @company_id;

-- peopleToHide returns users as the form shows those that are chosen.
-- name: peopleToHide :many
select u.id, u.name, u.image_hash, coalesce(r.name, '')::text as position, coalesce(d.name, '')::text as department,
  (u.hidden_at is not null)::bool as hidden, (u.deactivated_at is not null)::bool as deactivated
from users u
left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
left join departments d on d.company_id = u.company_id and d.id = u.department_id
where u.company_id = @company_id and u.id = any (@ids::bigint[]) and not u.bot
order by u.name, u.id;

-- consequences counts what ends when some users are hidden.
-- name: consequences :one
select
  (select count(*) from sign_ins s where s.company_id = @company_id and s.user_id = any (@ids::bigint[]) and s.ended_at is null
    and s.token_hash is null
    and s.expires_at > @now::timestamptz and s.seen_at + (s.idle_seconds + 60) * interval '1 second' > @now::timestamptz)::bigint as sign_ins,
  (select count(*) from sign_ins s where s.company_id = @company_id and s.user_id = any (@ids::bigint[]) and s.ended_at is null
    and s.token_hash is not null
    and s.expires_at > @now::timestamptz and s.seen_at + (s.idle_seconds + 60) * interval '1 second' > @now::timestamptz)::bigint as tokens,
  (select count(distinct p.id) from policy_targets t
    join policies p on p.company_id = t.company_id and p.id = t.policy_id and p.deleted_at is null
    join lateral (
      select v.no from policy_versions v where v.company_id = p.company_id and v.policy_id = p.id and v.cancelled_at is null
        and v.effective_from <= @now::timestamptz and (v.until is null or v.until > @now::timestamptz)
      order by v.effective_from desc, v.no desc limit 1) v on v.no = t.no
    where t.company_id = @company_id and t.user_id = any (@ids::bigint[]))::bigint as policies,
  (select count(distinct n.id) from notice_targets t
    join notices n on n.company_id = t.company_id and n.id = t.notice_id and n.deleted_at is null
    where t.company_id = @company_id and t.user_id = any (@ids::bigint[]))::bigint as notices,
  (select count(distinct v.id) from attendance_viewer_users x
    join attendance_viewers v on v.company_id = x.company_id and v.id = x.viewer_id and v.deleted_at is null
    where x.company_id = @company_id and x.user_id = any (@ids::bigint[]))::bigint as viewers;

-- HiddenIDs returns the ids of all users who are hidden or deactivated.
-- name: HiddenIDs :many
select distinct user_id from hidings where company_id = @company_id and shown_at is null order by user_id;
