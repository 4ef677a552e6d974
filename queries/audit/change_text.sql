-- companiesWithoutTexts are the companies with changes that have no search text yet.
-- name: companiesWithoutTexts :many
select c.id from companies c left join change_text_ends e on e.company_id = c.id
where exists (select from change_hashes h where h.company_id = c.id and h.no > coalesce(e.no, 0))
order by c.id;

-- lockTexts returns the end of a company's texts, and makes others who add texts wait
-- until the transaction ends.
-- name: lockTexts :one
insert into change_text_ends (company_id, no) values (@company_id, 0)
on conflict (company_id) do update set no = change_text_ends.no returning no;

-- hashedChanges are the changes after a row of change_hashes.
-- name: hashedChanges :many
select h.no, sqlc.embed(c) from change_hashes h join changes c on c.company_id = h.company_id and c.at = h.at and c.id = h.change_id
where h.company_id = @company_id and h.no > @no order by h.no limit @size;

-- name: copyTexts :copyfrom
insert into change_texts (company_id, at, change_id, text, grams) values (@company_id, @at, @change_id, @text, @grams);

-- name: setTextEnd :exec
update change_text_ends set no = @no where company_id = @company_id;

-- searchedChanges are the changes before a position whose texts have all the grams and
-- patterns, the latest first. Actions are null for all.
-- name: searchedChanges :many
select c.* from change_texts t join changes c on c.company_id = t.company_id and c.at = t.at and c.id = t.change_id
where t.company_id = @company_id and t.grams @> @grams::integer[] and t.text like all (@patterns::text[])
  and t.at >= @since::timestamptz and (t.at, t.change_id) < (@before_at::timestamptz, @before_id::bigint)
  and (@object_type::text = '' or c.object_type = @object_type::text) and (@object_id::bigint = 0 or c.object_id = @object_id::bigint)
  and (sqlc.narg(actions)::text[] is null or c.action = any (sqlc.narg(actions)::text[]))
  and (sqlc.narg(actor_user_id)::bigint is null or c.actor_user_id = sqlc.narg(actor_user_id)::bigint)
order by t.at desc, t.change_id desc limit @size;
