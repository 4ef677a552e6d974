-- Single sign-on with SAML 2.0 beside OpenID Connect.

-- +goose Up

-- A provider of SAML has no client id and secret, which are then ''. Its metadata is
-- read from metadata_url, or is in metadata where that is ''. issuer is its entity id.
alter table providers
  add column kind         text not null default 'oidc' check (kind in ('oidc', 'saml')),
  add column metadata_url text not null default '',
  add column metadata     text not null default '';
alter table providers alter column kind drop default, alter column metadata_url drop default, alter column metadata drop default;

create or replace view known_providers as
select p.company_id, p.id, p.name, p.issuer, p.client_id, p.secret_at, p.create_people, p.department_claim, p.rank_claim, p.admin_claim, p.admin_value,
  p.enabled, p.version_no, p.created_at,
  array(select d.domain from provider_domains d where d.company_id = p.company_id and d.provider_id = p.id order by d.domain)::text[] as domains,
  p.kind, p.metadata_url, p.metadata, p.client_secret <> '' as has_secret
from providers p;

-- What came of the response that a provider of SAML let a browser post, until that browser
-- comes back with its cookie. The nonce of such a visit is the id of the request.
alter table provider_visits add column answer jsonb;

-- The assertions that were used, by the SHA-256 hashes of their ids, as long as their
-- provider says that they are valid.
create table used_assertions (
  company_id bigint not null references companies,
  issuer     text not null,
  assertion  bytea not null,
  expires_at timestamptz not null,
  primary key (company_id, issuer, assertion)
);
create index used_assertions_by_age on used_assertions (expires_at);
