-- name: InsertDemoVersion :exec
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, reason, created_by, created_at)
values (@company_id, @policy_id, @no, @effective_from, @enabled, @name, @description, @settings, @search_text, @reason, @created_by, @created_at);

-- name: InsertDemoTarget :exec
insert into policy_targets (company_id, policy_id, no, department_id, user_id)
values (@company_id, @policy_id, @no, @department_id, @user_id);
