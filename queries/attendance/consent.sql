-- giveConsent stores when a user agreed, unless an earlier time is stored.
-- name: giveConsent :execrows
update users set location_consent_at = coalesce(location_consent_at, @at) where company_id = @company_id and id = @id and not bot;

-- name: withdrawConsent :execrows
update users set location_consent_at = null where company_id = @company_id and id = @id and not bot;
