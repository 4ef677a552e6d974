-- from the beginning: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %김철%]

-- from the beginning: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null order by name, id limit 21);
-- [1 [김철]  0 %김철%]

-- several words: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and search_text like $5::text and search_text like $6::text and hidden_at is null order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %김철% %hanbit% %02%]

-- several words: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and search_text like $6::text and search_text like $7::text and hidden_at is null order by name, id limit 21);
-- [1 [02 anb bit han nbi 김철]  0 %김철% %hanbit% %02%]

-- initials: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %ᄀᄎᄉ%]

-- initials: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null order by name, id limit 21);
-- [1 [ᄀᄎ ᄎᄉ]  0 %ᄀᄎᄉ%]

-- after a user: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1 김철수 6 %김철%]

-- after a user: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null order by name, id limit 21);
-- [1 [김철] 김철수 6 %김철%]

-- backward: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) < ($2::text, $3::bigint) order by name desc, id desc limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null order by name desc, id desc limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) < ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name desc, id desc offset 2000 - 1 limit 1) last on true;
-- [1 김철수 6 %김철%]

-- backward: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) < ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null order by name desc, id desc limit 21);
-- [1 [김철] 김철수 6 %김철%]

-- hidden users too: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %김철%]

-- hidden users too: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text order by name, id limit 21);
-- [1 [김철]  0 %김철%]

-- of departments: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null and department_id = any ($5::bigint[]) order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %김철% [3 4]]

-- of departments: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null and department_id = any ($6::bigint[]) order by name, id limit 21);
-- [1 [김철]  0 %김철% [3 4]]

-- of no department: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) order by name, id limit 2000) stretch
			where true and search_text like $4::text and hidden_at is null and department_id = any ($5::bigint[]) order by name, id limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) > ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name, id offset 2000 - 1 limit 1) last on true;
-- [1  0 %김철% []]

-- of no department: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) > ($3::text, $4::bigint) and true and search_text like $5::text and hidden_at is null and department_id = any ($6::bigint[]) order by name, id limit 21);
-- [1 [김철]  0 %김철% []]

-- everything: along the names
select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text from users where company_id = $1 and (name, id) < ($2::text, $3::bigint) order by name desc, id desc limit 2000) stretch
			where true and search_text like $4::text and search_text like $5::text and department_id = any ($6::bigint[]) order by name desc, id desc limit 21
		) as ids offset 0) along
		left join lateral (select name, id from users where company_id = $1 and (name, id) < ($2::text, $3::bigint) and cardinality(along.ids) < 21 order by name desc, id desc offset 2000 - 1 limit 1) last on true;
-- [1 김철수 6 %김철% %hanbit% [3]]

-- everything: by the grams
with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users($1, $2::text[], 2000)
		) select (select count(*) from holders), array(select id from holders where (name, id) < ($3::text, $4::bigint) and true and search_text like $5::text and search_text like $6::text and department_id = any ($7::bigint[]) order by name desc, id desc limit 21);
-- [1 [anb bit han nbi 김철] 김철수 6 %김철% %hanbit% [3]]

