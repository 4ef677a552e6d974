-- Whether viewers see from which IP addresses others clock.

-- +goose Up
alter table disclosures add column ip_addresses boolean not null default false;
