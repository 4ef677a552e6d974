-- lockConsent locks a user whose consent changes.
-- name: lockConsent :one
select name, location_consent_at from users where company_id = @company_id and id = @id and not bot for update;

-- insertConsent stores that a user agreed or withdrew the consent, unless it is stored
-- already.
-- name: insertConsent :execrows
insert into location_consents (company_id, user_id, at, given, source, received_at)
values (@company_id, @user_id, @at, @given, @source, @received_at) on conflict do nothing;

-- deriveConsent sets since when a user agrees: since the first consent after the last
-- withdrawal.
-- name: deriveConsent :exec
update users u set location_consent_at = (
  select min(c.at) from location_consents c
  where c.company_id = u.company_id and c.user_id = u.id and c.given
    and not exists (select from location_consents w where w.company_id = u.company_id and w.user_id = u.id and not w.given and w.at >= c.at)
) where u.company_id = @company_id and u.id = @id;

-- Consents lists what a user decided, the latest first.
-- name: Consents :many
select at, given, source from location_consents where company_id = @company_id and user_id = @user_id order by at desc, given limit @size;
