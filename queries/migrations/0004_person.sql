-- A person with what every page and call needs of them and of their company.

-- +goose Up
create view people as
select u.company_id, u.id, u.name, u.email, u.is_admin, u.bot, u.image_hash, u.hidden_at, u.department_id,
  c.name as company_name, c.host as company_host, c.time_zone, c.organization_url, c.product_settings,
  c.map_licenses, c.directory_version, c.policy_version
from users u join companies c on c.id = u.company_id;
