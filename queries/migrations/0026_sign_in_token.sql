-- Access tokens of people become sign-ins, so that the same rules end both.

-- +goose Up
-- token_hash is the SHA-256 of an access token and null for a browser; device_hash
-- is that of the cookie by which a browser is known again.
alter table sign_ins add column token_hash bytea;
alter table sign_ins add column device_hash bytea;
-- A request carries only the token, so its hash is unique across companies.
create unique index sign_ins_token on sign_ins (token_hash) where token_hash is not null;
-- Access tokens last eight hours at most; those in use end now.
delete from tokens where user_id is not null;
alter table tokens drop column user_id;

-- The tokens of sessions are stored by their SHA-256, too.
update sessions set token = translate(rtrim(encode(sha256(convert_to(token, 'UTF8')), 'base64'), '='), '+/', '-_');

-- account is the email whose tries are counted, and empty for an address. A person's
-- known devices and networks have subjects of their own.
alter table sign_in_failures add column account text not null default '';
update sign_in_failures set account = substr(subject, length('account:') + 1) where subject like 'account:%';
create index sign_in_failures_account on sign_in_failures (account) where account <> '';
