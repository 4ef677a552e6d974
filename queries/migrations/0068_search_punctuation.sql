-- +goose Up

-- Names are found whichever apostrophe or dash was typed (O’Brien and O'Brien), and
-- without their punctuation (OBrien). What was stored before is brought up to date as
-- search.Key computes it since.
create temporary table typographic on commit drop as select '‘’ʼ′‐‒–—―−'::text as marks, '''''''''------'::text as plain;

-- grams are those of a text for which search.Key stores it: the pairs of neighbouring
-- letters, and longer ones of ASCII characters.
-- +goose StatementBegin
create function pg_temp.grams(of_text text) returns setof text language sql as $$
  select distinct gram from (
    select substr(of_text, n, size) as gram, size from generate_series(1, length(of_text) - 1) n, generate_series(2, 4) size
  ) all_grams
  where length(gram) = size and case when size = 2 then gram !~ '\s' else gram ~ '^[\x21-\x7e]+$' and (gram ~ '[0-9]') = (size = 4) end
$$;
-- +goose StatementEnd

-- gram_number is the number for which search.NumberedKey stores a gram: its FNV-1a hash.
-- +goose StatementBegin
create function pg_temp.gram_number(gram text) returns integer language plpgsql immutable as $$
declare
  bytes bytea := convert_to(gram, 'UTF8');
  hash bigint := 2166136261;
begin
  for i in 0..length(bytes) - 1 loop
    hash := ((hash # get_byte(bytes, i)) * 16777619) & 4294967295;
  end loop;
  return case when hash >= 2147483648 then hash - 4294967296 else hash end;
end
$$;
-- +goose StatementEnd

-- with_bare is a text with its lines once more without the punctuation of names that is not
-- between spaces, and then without the spaces between East Asian letters, where they have
-- any punctuation.
-- +goose StatementBegin
create function pg_temp.with_bare(of_text text) returns text language sql as $$
  select of_text || coalesce((
    select string_agg(E'\n' || bare, '' order by n)
    from regexp_split_to_table(of_text, E'\n') with ordinality lines (line, n),
      trim(regexp_replace(regexp_replace(line, '(?<! )[-''"./()[\]·・]|[-''"./()[\]·・](?! )', '', 'g'), '(?<=[\u1100-\u1112\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff]) +(?=[\u1100-\u1112\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff])', '', 'g')) bare
    where line ~ '[-''"./()[\]·・]' and line !~ '@' and length(line) <= 100 and bare not in ('', line)), '')
$$;
-- +goose StatementEnd

update users u set search_text = new.search_text, search_grams = array(select unnest(u.search_grams) union select pg_temp.grams(new.search_text))
from (select company_id, id, pg_temp.with_bare(translate(search_text, marks, plain)) as search_text from users, typographic) new
where u.company_id = new.company_id and u.id = new.id and u.search_text <> new.search_text;

update departments d set search_text = new.search_text
from (select company_id, id, pg_temp.with_bare(translate(search_text, marks, plain)) as search_text from departments, typographic) new
where d.company_id = new.company_id and d.id = new.id and d.search_text <> new.search_text;

update policy_versions set search_text = translate(search_text, marks, plain)
from typographic where search_text ~ ('[' || marks || ']');

update notices set search_text = translate(search_text, marks, plain)
from typographic where search_text ~ ('[' || marks || ']');

update saved_files set search_text = translate(search_text, marks, plain),
  search_grams = array(select unnest(search_grams) union select pg_temp.gram_number(gram) from pg_temp.grams(translate(search_text, marks, plain)) gram)
from typographic where search_text ~ ('[' || marks || ']');

update change_texts set text = translate(text, marks, plain),
  grams = array(select unnest(grams) union select pg_temp.gram_number(gram) from pg_temp.grams(translate(text, marks, plain)) gram)
from typographic where text ~ ('[' || marks || ']');

drop function pg_temp.with_bare(text);
drop function pg_temp.gram_number(text);
drop function pg_temp.grams(text);
