-- Where a part of the names begins, so that a search can look at the first
-- people of a part before it asks the index for all that match there.

-- +goose Up
-- +goose StatementBegin
-- part_begin is the least name of a part of name_part, which has the same names.
create function part_begin(part integer) returns text language sql immutable strict parallel safe as $$
  select coalesce((array[
    '강', '고', '김', '김다', '김미', '김서', '김시', '김영', '김은', '김재', '김지', '김하', '나', '문', '박', '박미', '박서', '박지',
    '배', '서', '송', '안', '오', '유', '윤', '이', '이다', '이미', '이서', '이시', '이영', '이재', '이지', '이하', '임', '장', '전', '정', '정서',
    '조', '진', '최', '최서', '하', '황', 'a', 'd', 'h', 'k', 'n', 'r', 't', 'あ', 'さ', 'な'])[part], '')
$$;
-- +goose StatementEnd
