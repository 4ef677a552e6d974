-- Second factors: authenticator apps, passkeys and recovery codes, sign-ins that
-- wait for one, and the rule of a company that says who needs one.

-- +goose Up

-- secret is sealed, because the codes are computed from it. A row without confirmed_at
-- is being enrolled and lets nobody in. last_step counts the thirty seconds since 1970
-- of the last accepted code, so that none is accepted twice.
create table authenticator_apps (
  company_id   bigint not null,
  user_id      bigint not null,
  secret       text not null,
  last_step    bigint not null default 0,
  created_at   timestamptz not null,
  confirmed_at timestamptz,
  used_at      timestamptz,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- credential has the public key and the counter of a passkey, as the WebAuthn
-- library reads and writes them.
create table passkeys (
  company_id    bigint not null,
  id            bigint generated always as identity,
  user_id       bigint not null,
  credential_id bytea not null,
  credential    jsonb not null,
  name          text not null,
  created_at    timestamptz not null,
  used_at       timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade
);
create unique index passkeys_credential on passkeys (company_id, credential_id);
create index passkeys_by_user on passkeys (company_id, user_id, id);

-- The codes of a person share a salt, so that a typed code is hashed once.
create table recovery_codes (
  company_id bigint not null,
  user_id    bigint not null,
  hash       bytea not null,
  salt       bytea not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (company_id, user_id, hash),
  foreign key (company_id, user_id) references users on delete cascade
);

-- What a browser was asked to sign with a passkey, by the SHA-256 hash of the
-- challenge. Who signs in with a passkey alone is not known before the answer, so
-- the company and the user are null then.
create table passkey_challenges (
  challenge  bytea primary key,
  company_id bigint,
  user_id    bigint,
  purpose    text not null,
  session    jsonb not null,
  created_at timestamptz not null,
  foreign key (company_id, user_id) references users on delete cascade
);
create index passkey_challenges_by_user on passkey_challenges (company_id, user_id);
create index passkey_challenges_by_age on passkey_challenges (created_at);

-- Sign-ins that wait for the second factor, by the SHA-256 hash of the secret in the
-- browser's session. reason is that of the sign-in in the access history. Those
-- through a provider of single sign-on also have what ends the session there.
create table pending_sign_ins (
  company_id  bigint not null,
  secret      bytea not null,
  user_id     bigint not null,
  reason      text not null,
  provider_id bigint,
  id_token    text not null default '',
  created_at  timestamptz not null,
  primary key (company_id, secret),
  foreign key (company_id, user_id) references users on delete cascade,
  foreign key (company_id, provider_id) references providers on delete cascade
);
-- A browser has the secret alone.
create unique index pending_sign_ins_secret on pending_sign_ins (secret);
create index pending_sign_ins_by_user on pending_sign_ins (company_id, user_id);
create index pending_sign_ins_by_provider on pending_sign_ins (company_id, provider_id) where provider_id is not null;
create index pending_sign_ins_by_age on pending_sign_ins (created_at);

-- factor is the second factor that a sign-in was made with: app, passkey, recovery,
-- or sso and handover where others have vouched for the person; '' for the password
-- alone. proved_at is when the person last proved who they are.
alter table sign_ins add column factor text not null default '';
alter table sign_ins add column proved_at timestamptz not null default to_timestamp(0);
update sign_ins set proved_at = created_at;

-- Who must have a second factor from when on; without a row, nobody. Administrators
-- are among everybody, but may have an earlier time.
create table factor_rules (
  company_id            bigint primary key references companies,
  version_no            integer not null default 1,
  required_of           text not null check (required_of in ('nobody', 'administrators', 'everybody')),
  grace_days            integer not null check (grace_days between 0 and 365),
  trusts_sign_on        boolean not null,
  administrators_due_at timestamptz,
  everybody_due_at      timestamptz,
  updated_at            timestamptz not null,
  updated_by            bigint, -- null for a program
  updated_by_name       text not null
);

-- Somebody else has removed a person's factors. The row is there until the person
-- has read about it.
create table factor_resets (
  company_id bigint not null,
  user_id    bigint not null,
  at         timestamptz not null,
  by_name    text not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade
);

-- What the rule of a company asks of each user, and whether the user is to read about
-- a reset. due_at is null for those who need no second factor.
create view factor_demands as
select u.company_id, u.id as user_id, case when u.is_admin then r.administrators_due_at else r.everybody_due_at end as due_at,
  coalesce(r.trusts_sign_on, true) as trusts_sign_on,
  exists (select from factor_resets t where t.company_id = u.company_id and t.user_id = u.id) as was_reset
from users u left join factor_rules r on r.company_id = u.company_id;
