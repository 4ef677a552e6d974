-- +goose Up

-- Names are found whichever variant of a kanji was typed (髙橋 and 高橋), and without the
-- space between their parts (高橋 花子). What was stored before is brought up to date as
-- search.Key computes it since: the variants are those of search/variant.go at that time.
create temporary table kanji_variants on commit drop as select
  '髙﨑嵜邊邉齋斉齊𠮷濱濵澤櫻國圀廣眞惠榮德冨嶋嶌龍瀧條瀨靜𣘺關鹽戶黑黃綠靑淸舘淵峯薮籔桧桒栁槇遙鷗禰堯巖穰亙凜晄萠實亞圓應奧橫溫園學樂卷寬氣曉勳薰經藝縣劍檢顯嚴恆兒壽從縱澁緖將涉乘淨讓愼盡粹穗攝專禪壯莊總藏曾增帶團彈晝鑄廳聽鐵轉傳燈當稻獨彌拜賣麥發盃拂佛變步豐萬每滿默埜藥與樣來賴覽凉壘禮歷曆鍊郞錄灣鎭鷄靈舊區會繪臺聲雙點黨寶豫餘兩勞爐讀續數'::text as variants,
  '高崎崎辺辺斎斎斎吉浜浜沢桜国国広真恵栄徳富島島竜滝条瀬静橋関塩戸黒黄緑青清館渕峰藪藪檜桑柳槙遥鴎祢尭巌穣亘凛晃萌実亜円応奥横温薗学楽巻寛気暁勲薫経芸県剣検顕厳恒児寿従縦渋緒将渉乗浄譲慎尽粋穂摂専禅壮荘総蔵曽増帯団弾昼鋳庁聴鉄転伝灯当稲独弥拝売麦発杯払仏変歩豊万毎満黙野薬与様来頼覧涼塁礼歴暦錬郎録湾鎮鶏霊旧区会絵台声双点党宝予余両労炉読続数'::text as same;

-- bigrams are the pairs of neighbouring letters of a text.
-- +goose StatementBegin
create function pg_temp.bigrams(of_text text) returns setof text language sql as $$
  select distinct pair from (select substr(of_text, n, 2) as pair from generate_series(1, length(of_text) - 1) n) pairs where pair !~ '\s'
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

-- together is a text with its lines once more without the spaces between East Asian
-- letters, where they have any.
-- +goose StatementBegin
create function pg_temp.together(of_text text) returns text language sql as $$
  select of_text || coalesce((
    select string_agg(E'\n' || joined, '' order by n)
    from regexp_split_to_table(of_text, E'\n') with ordinality lines (line, n),
      regexp_replace(line, '(?<=[\u1100-\u1112\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff]) +(?=[\u1100-\u1112\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff])', '', 'g') joined
    where line <> joined and length(line) <= 100), '')
$$;
-- +goose StatementEnd

update users u set search_text = new.search_text, search_grams = array(select unnest(u.search_grams) union select pg_temp.bigrams(new.search_text))
from (select company_id, id, pg_temp.together(translate(search_text, variants, same)) as search_text from users, kanji_variants) new
where u.company_id = new.company_id and u.id = new.id and u.search_text <> new.search_text;

update departments d set search_text = new.search_text
from (select company_id, id, pg_temp.together(translate(search_text, variants, same)) as search_text from departments, kanji_variants) new
where d.company_id = new.company_id and d.id = new.id and d.search_text <> new.search_text;

update policy_versions set search_text = translate(search_text, variants, same)
from kanji_variants where search_text ~ ('[' || variants || ']');

update notices set search_text = translate(search_text, variants, same)
from kanji_variants where search_text ~ ('[' || variants || ']');

update saved_files set search_text = translate(search_text, variants, same),
  search_grams = array(select unnest(search_grams) union select pg_temp.gram_number(gram) from pg_temp.bigrams(translate(search_text, variants, same)) gram)
from kanji_variants where search_text ~ ('[' || variants || ']');

update change_texts set text = translate(text, variants, same),
  grams = array(select unnest(grams) union select pg_temp.gram_number(gram) from pg_temp.bigrams(translate(text, variants, same)) gram)
from kanji_variants where text ~ ('[' || variants || ']');

drop function pg_temp.together(text);
drop function pg_temp.gram_number(text);
drop function pg_temp.bigrams(text);
