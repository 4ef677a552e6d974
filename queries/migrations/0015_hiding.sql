-- Hidden users: who hid whom, when and why, and who showed them again.

-- +goose Up

-- The hidings of one request, and the showings of one, have the same number, by
-- which they are undone together.
create sequence hiding_sets;

-- A hiding of a user, open until the user is shown again: hidden_at of users is
-- set while one is open. Names are those of the time, since the actor may be an
-- operator or a program, which has no id.
create table hidings (
  company_id     bigint not null,
  id             bigint generated always as identity,
  user_id        bigint not null,
  kind           text not null,
  reason         text not null default '' check (length(reason) <= 200),
  hidden_at      timestamptz not null,
  hidden_by      bigint,
  hidden_by_name text not null,
  hidden_in      bigint not null,
  shown_at       timestamptz,
  shown_by       bigint,
  shown_by_name  text not null default '',
  shown_in       bigint,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users on delete cascade,
  check ((shown_at is null) = (shown_in is null))
);
create unique index hidings_open on hidings (company_id, user_id) where shown_at is null;
create index hidings_by_user on hidings (company_id, user_id, id);
-- The list of hidden users, the latest first.
create index hidings_by_time on hidings (company_id, hidden_at, id) where shown_at is null;
create index hidings_hidden_in on hidings (company_id, hidden_in);
create index hidings_shown_in on hidings (company_id, shown_in) where shown_in is not null;

insert into hidings (company_id, user_id, kind, hidden_at, hidden_by_name, hidden_in)
select company_id, id, 'other', hidden_at, '', nextval('hiding_sets') from users where hidden_at is not null;

-- Nothing that was opened before a user was hidden opens again.
update sign_ins s set ended_at = now() from users u
where u.company_id = s.company_id and u.id = s.user_id and u.hidden_at is not null and s.ended_at is null;
update tokens t set revoked_at = now() from users u
where u.company_id = t.company_id and u.id = t.user_id and u.hidden_at is not null and t.revoked_at is null;
