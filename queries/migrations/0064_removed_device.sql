-- +goose Up

-- A device that the messenger removed does not register itself again.
alter table clock_devices add column removed_at timestamptz;
