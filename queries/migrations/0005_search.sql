-- Searching people in the order of their names without reading every match: the
-- list of a company is cut where these names begin, and the index marks the
-- bigrams of a person with their part. A search then asks for one part after the
-- other until its page is full, which takes as long among a million people as
-- among a thousand. A part holds a few percent of a Korean company; wherever the
-- list is cut, nothing but the time depends on it.

-- +goose Up
-- +goose StatementBegin
-- A function of an index may call none of ours, as its search path is empty then.
create function name_part(name text) returns integer language sql immutable strict parallel safe as $$
  select width_bucket(name collate "ko-x-icu", array[
    '강', '고', '김', '김다', '김미', '김서', '김시', '김영', '김은', '김재', '김지', '김하', '나', '문', '박', '박미', '박서', '박지',
    '배', '서', '송', '안', '오', '유', '윤', '이', '이다', '이미', '이서', '이시', '이영', '이재', '이지', '이하', '임', '장', '전', '정', '정서',
    '조', '진', '최', '최서', '하', '황', 'a', 'd', 'h', 'k', 'n', 'r', 't', 'あ', 'さ', 'な'])
$$;

-- The last part: as many as there are names above.
create function last_name_part() returns integer language sql immutable parallel safe as 'select 55';

-- The mark is a character that no bigram has: of the private use area, which
-- SearchKey leaves out.
create function mark_grams(part integer, grams text[]) returns text[] language sql immutable strict parallel safe as $$
  select string_to_array(chr(57344 + part) || array_to_string(grams, chr(1) || chr(57344 + part)), chr(1))
$$;
-- +goose StatementEnd

drop index users_search;
create index users_search on users using gin (company_id, mark_grams(name_part(name), search_grams));
