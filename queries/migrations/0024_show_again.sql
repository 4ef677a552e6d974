-- Until when somebody is hidden.

-- +goose Up

-- The day of the company on which a job shows the user again; null until somebody does.
alter table hidings add column show_again_on date;
create index hidings_due on hidings (company_id, show_again_on, user_id) where shown_at is null and show_again_on is not null;
