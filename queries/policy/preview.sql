-- peopleByDepartment counts the users of a company by department, without hidden
-- users and bots.
-- name: peopleByDepartment :many
select d.id, d.name, d.ancestors, m.people
from (
  select u.department_id, count(*) as people from users u
  where u.company_id = @company_id and not u.bot and u.hidden_at is null group by u.department_id
) m
join departments d on d.company_id = @company_id and d.id = m.department_id;
