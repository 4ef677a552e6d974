-- erasePositionsOf removes the coordinates of a user's events before the next time that
-- the user agreed after @at, or all if there is none.
-- name: erasePositionsOf :execrows
update clock_events e set lat = null, lng = null, accuracy_m = null
where e.company_id = @company_id and e.user_id = @user_id and e.lat is not null
  and e.at < coalesce((
    select min(c.at) from location_consents c where c.company_id = @company_id and c.user_id = @user_id and c.given and c.at > @at
  ), 'infinity');

-- locatedEvents returns the next events with coordinates, and which version of a policy
-- computed the record of their date; 0 without a record.
-- name: locatedEvents :many
with located as materialized (
  select e.user_id, e.at, e.event_id from clock_events e
  where e.company_id = @company_id and e.lat is not null and e.at < @before
    and (e.at, e.user_id, e.event_id) > (@after_at::timestamptz, @after_user_id::bigint, @after_event_id::text)
  order by e.at, e.user_id, e.event_id limit @size
)
select l.user_id, l.at, l.event_id, coalesce(r.policy_id, 0)::bigint as policy_id, coalesce(r.version_no, 0)::int as version_no
from located l left join day_records r
  on r.company_id = @company_id and r.user_id = l.user_id and r.work_date = (l.at at time zone @zone::text)::date and not r.extra
order by l.at, l.user_id, l.event_id;

-- erasePositions removes the coordinates of events.
-- name: erasePositions :execrows
update clock_events e set lat = null, lng = null, accuracy_m = null
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@ats::timestamptz[]) as at, unnest(@event_ids::text[]) as event_id) k
where e.company_id = @company_id and e.at between sqlc.arg(first)::timestamptz and sqlc.arg(last)::timestamptz
  and e.user_id = k.user_id and e.at = k.at and e.event_id = k.event_id and e.lat is not null;

-- StoredPositions returns the latest events of a user with coordinates, each with the
-- number of all.
-- name: StoredPositions :many
select at, kind, lat::double precision as lat, lng::double precision as lng, accuracy_m, place, count(*) over () as total from clock_events
where company_id = @company_id and user_id = @user_id and lat is not null
order by at desc limit @size;
