package search_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

func TestSearchFinds(t *testing.T) {
	for _, test := range []struct {
		text, search string
		found        bool
	}{
		{"김철수", "김철", true},
		{"김철수", "철수", true},
		{"김철수", "ㄱㅊㅅ", true},
		{"김철수", "ㅊㅅ", true},
		{"김철수", "ㄱㅅ", false},
		{"김철수", "김수", false},
		{"남궁 선우", "ㄴㄱ ㅅㅇ", true},
		{"\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e", "김철수", true}, // decomposed
		{"佐藤ひろし", "佐藤", true},
		{"佐藤ひろし", "ヒロシ", true},
		{"ｻﾄｳ", "さとう", true},
		{"Olivia Martin", "MARTIN oli", true},
		{"Olivia Martin", "ａｒｔ", true}, // full width
		{"Olivia Martin", "olivia smith", false},
		{"Zoë Müller", "müll", true},
		{"kim.cs@hanbit.example", "cs@han", true},
		{"100% 정책", "0%", true},
		{"100점 정책", "0%", false},
		{"a_b", "a_", true},
		{"acb", "a_", false},
		{"김민수", "김ㅁ", true},
		{"김민수", "ㄱ민ㅅ", true},
		{"김민수", "김ㅅ", false},
		{"김철민", "김ㅁ", false},
		{"남궁민수", "궁ㅁㅅ", true},
		{"CABALLERO, SAMUEL A", "CABALLERO, SAMUEL A", true},
		{"CABALLERO, SAMUEL A", "samuel caballero", true},
		{"CABALLERO, SAMUEL A", "SAMUEL X", false},
		{"林 修", "林 修", true},
		{"林 修", "修 学", false},
		{"O’Brien, Mary-Jane K. L. (Amy)", "O’Brien, Mary-Jane K. L. (Amy)", true},
		{"A B C Kim", "A B C Kim", true},
		{"Kim，Ａｎｎ", "Kim，Ａｎｎ", true},
		{"김철수, 이영희", "김철수、이영희", true},
		{"高橋 花子", "高橋花子", true},
		{"高橋　花子", "橋花", true},
		{"고 길동", "고길동", true},
		{"고 길동", "ㄱㄱㄷ", true},
		{"고 길동", "고ㄱㄷ", true},
		{"タロー 山田", "たろー山田", true},
		{"Olivia Martin", "oliviamartin", false},
		{"佐藤 Anna", "佐藤anna", false},
		{"O'Brien, Mary-Jane", "O’Brien", true},
		{"O'Brien, Mary-Jane", "OBrien", true},
		{"O'Brien, Mary-Jane", "maryjane", true},
		{"O'Brien, Mary-Jane", "obrienmary", false},
		{"D’Angelo", "D'Angelo", true},
		{"Anne–Marie", "Anne-Marie", true},
		{"김민재(영업)", "김민재영업", true},
		{"김민재(영업)", "ㅈㅇㅇ", true},
		{"선우·하나", "선우하나", true},
		{"김-민수", "김민수", true},
		{"로그아웃 방지 · 세션 8시간", "방지세션", false},
		{"로그아웃 방지 · 세션 8시간", "ㅇㅂㅈㅅ", false},
		{"로그아웃 방지 · 세션 8시간", "로그아웃방지", true},
		{"kim.cs@hanbit.example", "kimcs", false},
		{"髙橋 花子", "高橋花子", true},
		{"高橋花子", "髙橋", true},
		{"山﨑", "山崎", true},
		{"渡邉", "渡邊", true},
		{"渡辺", "渡邉", true},
		{"齊藤", "斎藤", true},
		{"斉藤", "齋藤", true},
		{"𠮷田", "吉田", true},
		{"吉田", "𠮷田", true},
		{"濵田國廣", "浜田国広", true},
		{"高木", "山崎", false},
		{"김철수", "", true},
		{"김철수", " \t ", true},
	} {
		t.Run(test.search+" in "+test.text, func(t *testing.T) {
			text, grams := search.Key(test.text)
			s, err := lists.ParseSearch(test.search)
			if err != nil {
				t.Fatal(err)
			}
			if s.Match(text) != test.found {
				t.Errorf("match is %t of %q", !test.found, text)
			}
			if test.found && slices.ContainsFunc(s.Grams, func(g string) bool { return !slices.Contains(grams, g) }) {
				t.Errorf("grams %q are not all among %q", s.Grams, grams)
			}
		})
	}
}

func TestSearchRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"김":           queries.Invalid("search.too_short"),
		"(김)":         queries.Invalid("search.too_short"),
		"김 a, b":      nil,
		"김철수 a":       nil,
		"김철 이영 박민 최유": nil,
		"a\x00":       queries.Invalid("search.too_short"),

		strings.Repeat("가", 200): nil,
		strings.Repeat("가", 201): queries.Invalid("search.too_long"),
	} {
		if _, err := lists.ParseSearch(text); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
}

func TestSearchUsesThreeWords(t *testing.T) {
	for text, ignored := range map[string]int{"aa bb cc": 0, "a bb c d cc ee": 3, "": 0} {
		s, err := lists.ParseSearch(text)
		if err != nil || s.Ignored != ignored {
			t.Errorf("%q: %d ignored (%v), want %d", text, s.Ignored, err, ignored)
		}
		if one, _, _ := s.ThreePatterns(); ignored == 3 && one != "%bb%" {
			t.Errorf("%q: first %s", text, one)
		}
	}
}

// Everybody is found by their name as it is displayed.
func TestSearchFindsDisplayedNames(t *testing.T) {
	surnames := []string{"Caballero", "O'Brien", "van der Berg", "Smith-Jones", "St. John", "李", "佐藤", "남궁", "김", "Đặng", "Müller", "d’Arc"}
	given := []string{"Samuel", "Anne-Marie", "J. R. R.", "Mary Jane", "민수", "ひろし", "ヒロシ", "太郎", "Zoë", "A", "선우", "Jean-Luc"}
	middle := []string{"", " A", " B.", " (Amy)", " Jr.", " 3rd", " K-", ", PhD"}
	shapes := []string{"%[1]s, %[2]s%[3]s", "%[2]s%[3]s %[1]s", "%[1]s %[2]s%[3]s", "%[1]s%[2]s%[3]s", "%[1]s，%[2]s%[3]s", "%[1]s・%[2]s%[3]s"}
	names := 0
	for _, s := range surnames {
		for _, g := range given {
			for _, m := range middle {
				for _, shape := range shapes {
					for _, spell := range []func(string) string{strings.Clone, strings.ToUpper, norm.NFD.String, width.Widen.String, func(n string) string { return " " + n + " " }} {
						name := spell(fmt.Sprintf(shape, s, g, m))
						names++
						key, grams := search.Key(name)
						asked, err := lists.ParseSearch(name)
						if err != nil || !asked.Match(key) || slices.ContainsFunc(asked.Grams, func(g string) bool { return !slices.Contains(grams, g) }) {
							t.Fatalf("%q is not found (%v) in %q", name, err, key)
						}
					}
				}
			}
		}
	}
	if names < 30_000 {
		t.Errorf("only %d names", names)
	}
}

// A match never spans two of the texts that a row is found by.
func TestSearchKeepsTextsApart(t *testing.T) {
	text, grams := search.Key("김철수", "kim", "")
	s, err := lists.ParseSearch("수k")
	if err != nil {
		t.Fatal(err)
	}
	if s.Match(text) || slices.Contains(grams, "수k") {
		t.Errorf("found across texts: %q %q", text, grams)
	}
}

// Only a name is also found without its spaces: a long text would be stored twice.
func TestSearchOfLongTextsKeepsSpaces(t *testing.T) {
	long := strings.Repeat("공지 사항 ", 20)
	if text := search.Text(long); strings.Contains(text, "공지사항") {
		t.Errorf("a text of %d characters is stored without its spaces", utf8.RuneCountInString(long))
	}
}

// What Match says here, the patterns and grams must say in the database.
func FuzzSearch(f *testing.F) {
	db := queriestest.New(f)
	for _, seed := range [][2]string{
		{"김철수", "ㄱㅊㅅ"}, {"佐藤ひろし", "ヒロ"}, {"100% _a\\", "% _a"}, {"👩‍🚀 שלום", "שלום"}, {"ﬁne İstanbul", "fi is"}, {"a\u0301b", "áb"}, {"㍿ ㈜한빛", "한빛"}, {"\u202eabc\x00d", "cd"}, {"김민수", "김ㅁ"}, {"A_ 김", "a_ ㄱ김"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, stored, asked string) {
		stored, asked = strings.ToValidUTF8(stored, ""), strings.ToValidUTF8(asked, "")
		key, grams := search.Key(stored)
		if !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
			t.Fatalf("key %q cannot be stored", key)
		}
		s, err := lists.ParseSearch(asked)
		if err != nil {
			return
		}
		one, two, three := s.ThreePatterns()
		var matches bool
		if err := db.Pool().QueryRow(t.Context(), "select $1::text like $2 and $1 like $3 and $1 like $4 and $5::text[] @> $6::text[]",
			key, one, two, three, notNil(grams), notNil(s.Grams)).Scan(&matches); err != nil {
			t.Fatal(err)
		}
		if matches != s.Match(key) {
			t.Errorf("%q in %q: the database says %t", asked, key, matches)
		}
	})
}

func notNil(list []string) []string { return append([]string{}, list...) }
