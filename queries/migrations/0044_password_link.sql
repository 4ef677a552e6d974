-- Links with which people set a new password when they have forgotten theirs.

-- +goose Up

-- A person has one link, which an administrator or a command made. secret_hash is the
-- SHA-256 of its secret, which is not stored. A used link is deleted; so is one of
-- somebody whose password changes, or who is hidden or deactivated. created_by is null
-- for a command.
create table password_links (
  company_id  bigint not null,
  user_id     bigint not null,
  secret_hash bytea not null,
  created_by  bigint,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users on delete cascade,
  foreign key (company_id, created_by) references users
);
-- A browser has the secret alone.
create unique index password_links_secret on password_links (secret_hash);
create index password_links_by_age on password_links (expires_at);
create index password_links_by_creator on password_links (company_id, created_by);
