-- name: insertVisit :exec
insert into provider_visits (company_id, state, provider_id, browser, nonce, verifier, redirect_url, locale, next, tester_id, created_at)
values (@company_id, @state, @provider_id, @browser, @nonce, @verifier, @redirect_url, @locale, @next, @tester_id, @now);

-- takeVisit ends the visit of a browser, so that nobody comes back from it twice.
-- name: takeVisit :one
delete from provider_visits where state = @state and browser = @browser returning *;

-- visitOfState returns the visit for which a provider posts a response, which does not
-- have the browser's cookie.
-- name: visitOfState :one
select * from provider_visits where state = @state;

-- setVisitAnswer stores what came of the response to a visit, once.
-- name: setVisitAnswer :execrows
update provider_visits set answer = @answer where company_id = @company_id and state = @state and answer is null;

-- insertUsedAssertion adds nothing where the assertion was used before.
-- name: insertUsedAssertion :execrows
insert into used_assertions (company_id, issuer, assertion, expires_at) values (@company_id, @issuer, @assertion, @expires_at)
on conflict do nothing;

-- name: deleteOldAssertions :exec
delete from used_assertions where expires_at < @now;

-- name: deleteOldVisits :exec
delete from provider_visits where created_at < @before;

-- personOfIdentity returns whose account an issuer's subject is.
-- name: personOfIdentity :one
select sqlc.embed(people) from identities i join people on people.company_id = i.company_id and people.id = i.user_id
where i.company_id = @company_id and i.issuer = @issuer and i.subject = @subject;

-- insertIdentity does nothing where a simultaneous sign-in has stored it.
-- name: insertIdentity :exec
insert into identities (company_id, issuer, subject, user_id, created_at) values (@company_id, @issuer, @subject, @user_id, @now)
on conflict do nothing;

-- name: insertProviderSignIn :exec
insert into provider_sign_ins (company_id, sign_in_id, provider_id, id_token) values (@company_id, @sign_in_id, @provider_id, @id_token);

-- takeProviderSignIn returns through which provider a sign-in came, once.
-- name: takeProviderSignIn :one
delete from provider_sign_ins where company_id = @company_id and sign_in_id = @sign_in_id returning provider_id, id_token;

-- insertHandover adds nothing for a bot, a hidden user or a user of another company.
-- name: insertHandover :execrows
insert into handovers (company_id, code, user_id, expires_at)
select u.company_id, @code::bytea, u.id, @expires_at::timestamptz from users u
where u.company_id = @company_id and u.id = @user_id and not u.bot and u.hidden_at is null;

-- takeHandover ends a code, so that nobody signs in with it twice.
-- name: takeHandover :one
delete from handovers where code = @code returning company_id, user_id, expires_at;

-- name: deleteOldHandovers :exec
delete from handovers where expires_at < @before;

-- hasIdentity reports whether a person has a subject of an issuer.
-- name: hasIdentity :one
select exists (select from identities where company_id = @company_id and user_id = @user_id and issuer = @issuer)::boolean;

-- deleteIdentities returns the issuers of the identities that it deletes.
-- name: deleteIdentities :many
delete from identities where company_id = @company_id and user_id = @user_id returning issuer;

-- Identities returns the accounts of providers through which a person signs in, the first
-- linked first. ProviderName is "" for an issuer that no provider has any more.
-- name: Identities :many
select i.issuer, i.created_at, coalesce((select min(p.name) from providers p where p.company_id = i.company_id and p.issuer = i.issuer), '')::text as provider_name
from identities i where i.company_id = @company_id and i.user_id = @user_id order by i.created_at, i.issuer;
