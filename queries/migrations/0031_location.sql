-- Who agreed when that the positions of clock events are recorded, and an index of the
-- positions that are still there.

-- +goose Up
-- A consent that was given or withdrawn. Rows stay (Act on location information,
-- Article 16); users.location_consent_at is derived from them.
create table location_consents (
  company_id  bigint not null references companies,
  user_id     bigint not null,
  at          timestamptz not null, -- when the user decided
  given       boolean not null,
  source      text not null, -- a ConsentSource of the area attendance
  received_at timestamptz not null,
  primary key (company_id, user_id, at, given)
);
insert into location_consents (company_id, user_id, at, given, source, received_at)
select company_id, id, location_consent_at, true, 'messenger', location_consent_at from users where location_consent_at is not null;

create trigger append_only before update or delete on location_consents for each row execute function refuse_to_alter_changes();
create trigger append_only_as_a_whole before truncate on location_consents for each statement execute function refuse_to_alter_changes();

-- It contains only rows that a job has not erased the position of yet.
create index clock_events_located on clock_events (company_id, at, user_id, event_id) where lat is not null;
