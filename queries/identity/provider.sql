-- Providers returns the providers of a company by name.
-- name: Providers :many
select * from known_providers where company_id = @company_id order by name, id;

-- name: Provider :one
select * from known_providers where company_id = @company_id and id = @id;

-- providerOfDomain returns the provider for emails of a domain.
-- name: providerOfDomain :one
select p.* from provider_domains d join known_providers p on p.company_id = d.company_id and p.id = d.provider_id
where d.domain = @domain and p.enabled;

-- name: providerSecret :one
select client_secret from providers where company_id = @company_id and id = @id;

-- name: setProviderSecret :exec
update providers set client_secret = @client_secret where company_id = @company_id and id = @id;

-- name: lockProvider :one
select version_no from providers where company_id = @company_id and id = @id for update;

-- insertProvider leaves the secret empty, which is sealed for the id of the row.
-- name: insertProvider :one
insert into providers (company_id, name, kind, issuer, client_id, client_secret, secret_at, metadata_url, metadata, create_people, department_claim, rank_claim, admin_claim, admin_value, enabled, created_at)
values (@company_id, @name, @kind, @issuer, @client_id, '', @now, @metadata_url, @metadata, @create_people, @department_claim, @rank_claim, @admin_claim, @admin_value, @enabled, @now)
returning id;

-- insertDeletedProvider adds a provider again that was deleted, under its id, without
-- its secret and not enabled.
-- name: insertDeletedProvider :exec
insert into providers (company_id, id, name, kind, issuer, client_id, client_secret, secret_at, metadata_url, metadata, create_people, department_claim, rank_claim, admin_claim, admin_value, enabled, version_no, created_at)
overriding system value
values (@company_id, @id, @name, @kind, @issuer, @client_id, '', @now, @metadata_url, @metadata, @create_people, @department_claim, @rank_claim, @admin_claim, @admin_value, false, @version_no, @now);

-- updateProvider leaves the secret as it is where the given one is empty.
-- name: updateProvider :exec
update providers p set name = @name, issuer = @issuer, client_id = @client_id, metadata_url = @metadata_url, metadata = @metadata, create_people = @create_people,
  department_claim = @department_claim, rank_claim = @rank_claim, admin_claim = @admin_claim, admin_value = @admin_value, enabled = @enabled,
  client_secret = case when @client_secret::text = '' then p.client_secret else @client_secret::text end,
  secret_at = case when @client_secret::text = '' then p.secret_at else @now::timestamptz end, version_no = version_no + 1
where company_id = @company_id and id = @id;

-- name: deleteProvider :exec
delete from providers where company_id = @company_id and id = @id;

-- name: deleteDomains :exec
delete from provider_domains where company_id = @company_id and provider_id = @provider_id;

-- name: insertDomains :exec
insert into provider_domains (domain, company_id, provider_id)
select domain, @company_id::bigint, @provider_id::bigint from unnest(@domains::text[]) as domain;

-- foreignDomain returns one of some domains that people of another company have
-- their emails at, or that is the host name of one; '' if there is none.
-- name: foreignDomain :one
select coalesce((
  select domain from unnest(@domains::text[]) as domain
  where exists (select from companies c where c.host = domain and c.id <> @company_id::bigint)
    or exists (select from users u where u.company_id <> @company_id::bigint and u.email <> '' and split_part(lower(u.email), '@', 2) = domain)
  limit 1), '')::text;
