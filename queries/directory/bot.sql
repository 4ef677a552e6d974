-- name: insertBot :one
insert into users (company_id, name, bot, search_text, search_grams, created_at, updated_at)
values (@company_id, @name, true, @search_text, @search_grams, @now, @now)
returning id;

-- name: renameBot :exec
update users set name = @name, search_text = @search_text, search_grams = @search_grams, updated_at = @now
where company_id = @company_id and id = @id and bot;
