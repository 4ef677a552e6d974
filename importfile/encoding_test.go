package importfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// encoded returns a text in an encoding, without a mark.
func encoded(t testing.TB, name, text string) []byte {
	t.Helper()
	e := encodingOf(name)
	switch name {
	case "utf-8":
		return []byte(text)
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read returns the rows of a file joined, and the encoding that it was read in.
func read(t testing.TB, file []byte, r Reading) (text, encoding, refused string) {
	t.Helper()
	table, err := NewTable(bytes.NewReader(file), r)
	for err == nil {
		var row []string
		if row, err = table.Record(); err == nil {
			text += strings.Join(row, "|") + "\n"
		}
	}
	if one, ok := err.(Unreadable); ok {
		refused = one.Reason
	}
	if table == nil {
		return text, "", refused
	}
	return text, table.Reading().Encoding, refused
}

// The encoding of names and headings is told by their letters, or not at all.
func TestEncodingsAreRecognized(t *testing.T) {
	for _, test := range []struct{ text, encodings string }{
		{"H1,佐藤 健\n", "shift_jis utf-8 utf-16le utf-16be"},
		{"社員番号,氏名,日付,出勤,退勤\nA1,渡邉 櫻子,2014/2/3,午前9:00,午後6:00\n", "shift_jis utf-8 utf-16le"},
		{"社員番号,氏名\n001,髙橋 翔太\n002,サトウ ハナコ\n", "shift_jis utf-8"},
		{"사번,이름,근무일,출근,퇴근\nH1,김철수,2014. 2. 3.,오전 9:00,오후 6:12\n", "cp949 utf-8 utf-16le utf-16be"},
		{"name\n김서연\n박지민\n똠방각하\n", "cp949 utf-8"},
		{"工号,姓名,日期,上班,下班\nC1,王伟,2014-02-03,09:00,18:00\n", "gbk utf-8 utf-16le"},
		{"id,name\n1,李娜\n2,张秀英\n3,欧阳明\n", "gbk utf-8"},
		{"id,name\n1,José Núñez\n", "utf-8 utf-16le"},
		{"id,name\n1,Анна Смирнова\n2,Ольга Иванова\n", "utf-8 utf-16le"},
	} {
		for _, name := range strings.Fields(test.encodings) {
			want := strings.ReplaceAll(test.text, ",", "|")
			got, encoding, refused := read(t, encoded(t, name, test.text), Reading{})
			if got != want || encoding != name || refused != "" {
				t.Errorf("%s in %s is read in %s: %s %s", test.text, name, encoding, got, refused)
			}
		}
	}
}

// A file may have a single short word that is not ASCII.
func TestEncodingsOfShortWords(t *testing.T) {
	for name, words := range map[string]string{
		"utf-8":     "판교 회의 웹 前台 一楼 办公楼 本社 渋谷 ﾅｺﾞﾔ José Łódź Ōsaka Nguyễn Hương 20°C ¥500 지각·조퇴",
		"utf-16le":  "판교 前台 渋谷 José",
		"utf-16be":  "판교 前台 渋谷 José",
		"cp949":     "판교 본사 서울 부산 마포 포항 집 자택 재택 사무실 회의실 물류센터 카페 웹 웹툰 콘텐츠 스포츠 모바일 날짜 품질 연구소 생산 외근 출장 연차 의뢰 신뢰 값 김철수 이영희",
		"shift_jis": "本社 渋谷 札幌 仙台 倉庫 在宅 自宅 客先 食堂 受付 二階 オフィス テレワーク 総務部 佐藤",
		"gbk":       "办公楼 研发部 仓库 二楼 三楼 会议室 实验室 宿舍 客户现场 外勤 上海 采购部 停车场 王伟",
	} {
		for word := range strings.FieldsSeq(words) {
			want := "employee_id|place\nH1|" + word + "\n"
			got, encoding, refused := read(t, encoded(t, name, strings.ReplaceAll(want, "|", ",")), Reading{})
			if got != want || encoding != name {
				t.Errorf("%s in %s is read in %s: %s %s", word, name, encoding, got, refused)
			}
		}
	}
	// The same bytes are letters of UTF-8, or common letters of both.
	for name, words := range map[string]string{"gbk": "前台 一楼 十楼 学校 医院 居家办公 八楼 家 青岛 昆明 蚌埠 开封 临沧 临汾 娄底", "cp949": "홍천 화천"} {
		for word := range strings.FieldsSeq(words) {
			if text, encoding, refused := read(t, encoded(t, name, "place\n"+word+"\n"), Reading{}); refused != "import.encoding.unsure" {
				t.Errorf("%s in %s is read in %s: %s", word, name, encoding, text)
			}
		}
	}
}

// Where the letters could be of two encodings, or of none, nothing is guessed.
func TestUnsureEncodings(t *testing.T) {
	for name, file := range map[string][]byte{
		"one unusual letter": []byte("name\n\x8c\x63\n"), "a western name": encoded(t, "windows-1252", "name\nJosé\n"),
		"half-width katakana": encoded(t, "shift_jis", "name\nｻﾄｳ ﾊﾅｺ\n"), "broken bytes": []byte("name\n\xff\xfe\xfd\xfc\xff\n"),
	} {
		if text, encoding, refused := read(t, file, Reading{}); refused != "import.encoding.unsure" {
			t.Errorf("%s: read in %s as %s (%s)", name, encoding, text, refused)
		}
	}
	for name, text := range map[string]string{"CP1252": "José", "sjis": "ｻﾄｳ ﾊﾅｺ", "EUC-KR": "뷁", "gb2312": "骉", "utf-8": "é"} {
		file := encoded(t, EncodingName(name), text+"\n")
		if got, _, refused := read(t, file, Reading{Encoding: name}); got != text+"\n" {
			t.Errorf("chosen %s: %s (%s)", name, got, refused)
		}
	}
	if _, _, refused := read(t, []byte("a"), Reading{Encoding: "ebcdic"}); refused != "import.encoding.unknown" {
		t.Errorf("an unknown encoding: %s", refused)
	}
}

func TestSeparators(t *testing.T) {
	for _, s := range Separators {
		got, _, _ := read(t, []byte(strings.ReplaceAll("a,b c\n1,2\n", ",", string(s))), Reading{})
		if got != "a|b c\n1|2\n" {
			t.Errorf("%q: %s", s, got)
		}
	}
	if got, _, _ := read(t, []byte("a;b,c,d\n"), Reading{Separator: ';'}); got != "a|b,c,d\n" {
		t.Errorf("chosen: %s", got)
	}
}

// An encoding is told from its letters alone, however they arrive, and what is read in
// it is valid text.
func FuzzEncoding(f *testing.F) {
	for _, name := range Encodings[:6] {
		f.Add(encoded(f, name, "社員,山田,09:00\n"[:len("社員,山田")]))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		name := recognize(file)
		if name != "" && !slices.Contains(Encodings, name) {
			t.Errorf("recognized %q", name)
		}
		text, encoding, refused := read(t, file, Reading{})
		if refused == "" && encoding != "utf-8" && !utf8.ValidString(text) {
			t.Errorf("%s: %q", encoding, text)
		}
	})
}
