-- factorsOf returns which second factors a person has.
-- name: factorsOf :one
select exists (select from authenticator_apps a where a.company_id = @company_id and a.user_id = @user_id and a.confirmed_at is not null)::boolean as app,
  (select count(*) from passkeys k where k.company_id = @company_id and k.user_id = @user_id)::integer as passkeys,
  (select count(*) from recovery_codes c where c.company_id = @company_id and c.user_id = @user_id and c.used_at is null)::integer as codes;

-- lockFactors makes other changes of a person's factors wait.
-- name: lockFactors :exec
select from users where company_id = @company_id and id = @user_id for no key update;

-- name: authenticatorApp :one
select * from authenticator_apps where company_id = @company_id and user_id = @user_id;

-- insertAuthenticatorApp replaces an app that was not confirmed, and no other.
-- name: insertAuthenticatorApp :execrows
insert into authenticator_apps (company_id, user_id, secret, created_at) values (@company_id, @user_id, @secret, @now)
on conflict (company_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at where authenticator_apps.confirmed_at is null;

-- name: confirmAuthenticatorApp :execrows
update authenticator_apps set confirmed_at = @now::timestamptz, last_step = @step
where company_id = @company_id and user_id = @user_id and secret = @secret and confirmed_at is null;

-- takeStep accepts a code of an app, unless one of the same or a later time was.
-- name: takeStep :execrows
update authenticator_apps set last_step = @step::bigint, used_at = @now::timestamptz
where company_id = @company_id and user_id = @user_id and confirmed_at is not null and last_step < @step::bigint;

-- name: deleteAuthenticatorApp :execrows
delete from authenticator_apps where company_id = @company_id and user_id = @user_id and (confirmed_at is not null) = @confirmed::boolean;

-- name: insertRecoveryCodes :exec
insert into recovery_codes (company_id, user_id, hash, salt, created_at)
select @company_id, @user_id, hash, @salt::bytea, @now::timestamptz from unnest(@hashes::bytea[]) as hash;

-- name: deleteRecoveryCodes :exec
delete from recovery_codes where company_id = @company_id and user_id = @user_id;

-- name: recoverySalt :one
select salt from recovery_codes where company_id = @company_id and user_id = @user_id limit 1;

-- takeRecoveryCode accepts a recovery code once.
-- name: takeRecoveryCode :execrows
update recovery_codes set used_at = @now::timestamptz
where company_id = @company_id and user_id = @user_id and hash = @hash and used_at is null;

-- passkeysOf returns the passkeys of a person, the oldest first.
-- name: passkeysOf :many
select * from passkeys where company_id = @company_id and user_id = @user_id order by id;

-- name: insertPasskey :exec
insert into passkeys (company_id, user_id, credential_id, credential, name, created_at)
values (@company_id, @user_id, @credential_id, @credential, @name, @now);

-- name: notePasskeyUsed :execrows
update passkeys set credential = @credential, used_at = @now::timestamptz
where company_id = @company_id and user_id = @user_id and credential_id = @credential_id;

-- name: renamePasskey :execrows
update passkeys set name = @name where company_id = @company_id and user_id = @user_id and id = @id;

-- name: deletePasskey :execrows
delete from passkeys where company_id = @company_id and user_id = @user_id and id = @id;

-- name: deletePasskeys :execrows
delete from passkeys where company_id = @company_id and user_id = @user_id;

-- name: insertChallenge :exec
insert into passkey_challenges (challenge, company_id, user_id, purpose, session, created_at)
values (@challenge, sqlc.narg(company_id), sqlc.narg(user_id), @purpose, @session, @now);

-- takeChallenge ends a challenge, so that its answer counts once.
-- name: takeChallenge :one
delete from passkey_challenges where challenge = @challenge returning *;

-- name: deleteOldChallenges :exec
delete from passkey_challenges where created_at < @before;

-- name: insertPendingSignIn :exec
insert into pending_sign_ins (company_id, secret, user_id, reason, provider_id, id_token, created_at)
values (@company_id, @secret, @user_id, @reason, sqlc.narg(provider_id), @id_token, @now);

-- name: pendingSignIn :one
select * from pending_sign_ins where secret = @secret;

-- name: deletePendingSignIn :execrows
delete from pending_sign_ins where company_id = @company_id and secret = @secret;

-- name: deletePendingSignInsOf :exec
delete from pending_sign_ins where company_id = @company_id and user_id = any (@user_ids::bigint[]);

-- name: deleteOldPendingSignIns :exec
delete from pending_sign_ins where created_at < @before;

-- noteProof stores that the person of a sign-in has proved who they are.
-- name: noteProof :exec
update sign_ins set proved_at = @now::timestamptz, factor = case when @factor::text = '' then factor else @factor::text end
where company_id = @company_id and id = @id;

-- name: insertFactorReset :exec
insert into factor_resets (company_id, user_id, at, by_name) values (@company_id, @user_id, @now, @by_name)
on conflict (company_id, user_id) do update set at = excluded.at, by_name = excluded.by_name;

-- FactorReset returns who has removed a person's factors, unless the person knows.
-- name: FactorReset :one
select * from factor_resets where company_id = @company_id and user_id = @user_id;

-- name: deleteFactorReset :exec
delete from factor_resets where company_id = @company_id and user_id = @user_id;

-- name: factorDemand :one
select * from factor_demands where company_id = @company_id and user_id = @user_id;

-- forgetFactors takes the second factor from the sign-ins of a person who has none
-- any more.
-- name: forgetFactors :exec
update sign_ins set factor = '' where company_id = @company_id and user_id = @user_id and ended_at is null and factor in ('app', 'passkey', 'recovery');
