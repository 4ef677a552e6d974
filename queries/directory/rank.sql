-- Ranks returns a company's positions, the highest first.
-- name: Ranks :many
select id, name, position from ranks where company_id = @company_id order by position;

-- Roles returns a company's duties, the highest first.
-- name: Roles :many
select id, name, position from roles where company_id = @company_id order by position;
