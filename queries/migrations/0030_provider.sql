-- Single sign-on with OpenID Connect: the providers of a company, the people's
-- identities at them, and what is on its way between a browser and a provider.

-- +goose Up

-- client_secret is stored as it is, because a provider asks for it; the view below
-- leaves it out. An empty claim says nothing about a person. With an admin_claim,
-- those whose claim has admin_value are administrators, and nobody else.
create table providers (
  company_id       bigint not null references companies,
  id               bigint generated always as identity,
  name             text not null,
  issuer           text not null,
  client_id        text not null,
  client_secret    text not null,
  secret_at        timestamptz not null,
  create_people    boolean not null,
  department_claim text not null,
  rank_claim       text not null,
  admin_claim      text not null,
  admin_value      text not null,
  enabled          boolean not null,
  version_no       integer not null default 1,
  created_at       timestamptz not null,
  primary key (company_id, id)
);

-- Somebody who is not signed in is known by an email alone, so a domain belongs to
-- one provider of one company.
create table provider_domains (
  domain      text primary key check (domain = lower(domain) and domain <> ''),
  company_id  bigint not null,
  provider_id bigint not null,
  foreign key (company_id, provider_id) references providers on delete cascade
);
create index provider_domains_by_provider on provider_domains (company_id, provider_id, domain);

create view known_providers as
select p.company_id, p.id, p.name, p.issuer, p.client_id, p.secret_at, p.create_people, p.department_claim, p.rank_claim, p.admin_claim, p.admin_value,
  p.enabled, p.version_no, p.created_at,
  array(select d.domain from provider_domains d where d.company_id = p.company_id and d.provider_id = p.id order by d.domain)::text[] as domains
from providers p;

-- Whose account an issuer's subject is. It stays when a provider is deleted, so
-- that a new one with the same issuer knows everybody again.
create table identities (
  company_id bigint not null references companies,
  issuer     text not null,
  subject    text not null,
  user_id    bigint not null,
  created_at timestamptz not null,
  primary key (company_id, issuer, subject),
  foreign key (company_id, user_id) references users on delete cascade
);
create index identities_by_user on identities (company_id, user_id);

-- A browser that was sent to a provider and has not come back. state and browser
-- are SHA-256 hashes: of what the provider sends back, and of the browser's cookie.
-- tester_id is the administrator who only tests the provider.
create table provider_visits (
  company_id   bigint not null,
  state        bytea not null,
  provider_id  bigint not null,
  browser      bytea not null,
  nonce        text not null,
  verifier     text not null,
  redirect_url text not null,
  locale       text not null,
  next         text not null,
  tester_id    bigint,
  created_at   timestamptz not null,
  primary key (company_id, state),
  foreign key (company_id, provider_id) references providers on delete cascade
);
-- A browser comes back with the state alone.
create unique index provider_visits_state on provider_visits (state);
create index provider_visits_by_age on provider_visits (created_at);

-- The sign-ins that came through a provider, which are to end there, too.
create table provider_sign_ins (
  company_id  bigint not null,
  sign_in_id  bigint not null,
  provider_id bigint not null,
  id_token    text not null,
  primary key (company_id, sign_in_id),
  foreign key (company_id, sign_in_id) references sign_ins on delete cascade,
  foreign key (company_id, provider_id) references providers on delete cascade
);
create index provider_sign_ins_by_provider on provider_sign_ins (company_id, provider_id);

-- Codes with which the messenger hands somebody over to a browser, by their
-- SHA-256 hashes.
create table handovers (
  company_id bigint not null,
  code       bytea not null,
  user_id    bigint not null,
  expires_at timestamptz not null,
  primary key (company_id, code),
  foreign key (company_id, user_id) references users on delete cascade
);
-- A browser has the code alone.
create unique index handovers_code on handovers (code);
create index handovers_by_age on handovers (expires_at);
create index handovers_by_user on handovers (company_id, user_id);
