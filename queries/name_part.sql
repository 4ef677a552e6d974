-- name: deleteNameParts :exec
delete from name_parts where company_id = @company_id;

-- name: deleteGramParts :exec
delete from gram_parts where company_id = @company_id;

-- name: nextNames :many
select name, id, search_text from users
where company_id = @company_id and (name, id) > (@after_name::text, @after_id::bigint)
order by name, id limit @size;

-- name: insertNameParts :exec
insert into name_parts (company_id, no, name, id)
select @company_id, unnest(@nos::integer[]), unnest(@names::text[]), unnest(@ids::bigint[]);

-- name: insertGramParts :exec
insert into gram_parts (company_id, gram, parts) select @company_id, unnest(@grams::text[]), unnest(@parts::bit varying[]);

-- name: countNameParts :one
select count(*) from name_parts where company_id = @company_id;

-- name: hasMorePeople :one
select exists (select from users where company_id = @company_id offset @count::bigint);

-- name: companyIDs :many
select id from companies order by id;
