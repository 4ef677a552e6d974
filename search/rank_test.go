package search_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"officeconsole/search"
)

func parse(t *testing.T, text string) search.Search {
	t.Helper()
	s, refused := search.Parse(text)
	if refused != "" {
		t.Fatalf("%q: %s", text, refused)
	}
	return s
}

func TestRank(t *testing.T) {
	for _, test := range []struct {
		name, typed string
		want        search.Rank
	}{
		{"김민", "김민", search.Exact},
		{"Olivia Martin", "ＯＬＩＶＩＡ martin", search.Exact},
		{"김민수", norm.NFD.String("김민"), search.Prefix},
		{"Olivia Martin", "oli", search.Prefix},
		{"김민수", "ㄱㅁ", search.Initials},
		{"김민수", "김ㅁ", search.Initials},
		{"김민수", "민수", search.Substring},
		{"김민수", "ㅁㅅ", search.Substring},
		{"Olivia Martin", "martin", search.Substring},
		{"佐藤ひろし", "ヒロシ", search.Substring},
		{"高橋 花子", "高橋花子", search.Exact},
		{"髙橋 花子", "高橋花", search.Prefix},
		{"남궁 선우", "ㄴㄱㅅ", search.Initials},
		{"高橋 花子", "橋花", search.Substring},
		{"김민수", "hanbit", search.Elsewhere},
		{"Olivia Martin", "olivia smith", search.Elsewhere},
	} {
		if got := parse(t, test.typed).Rank(test.name); got != test.want {
			t.Errorf("%q in %q: got %d, want %d", test.typed, test.name, got, test.want)
		}
	}
}

func TestParts(t *testing.T) {
	for _, test := range []struct{ name, typed, want string }{
		{"김민수", "김민", "[김민]수"},
		{"김민수", "ㅁㅅ", "김[민수]"},
		{"김민수", "김ㅁ", "[김민]수"},
		{"Olivia Martin", "martin OLI", "[Oli]via [Martin]"},
		{"佐藤ヒロシ", "ひろ", "佐藤[ヒロ]シ"},
		{"㈜한빛", "(주)한", "[㈜한]빛"},
		{"髙橋 花子", "高橋花", "[髙橋] [花]子"},
		{"\U00020bb7田 花子", "吉田", "[\U00020bb7田] 花子"},
		{"남궁 선우", "ㄱㅅ", "남[궁] [선]우"},
		{norm.NFD.String("김민수"), "민수", "김[민수]"},
		{"세션 유지 시간", "ㅇㅈ 시간", "세션 [유지] [시간]"},
		{"세션", "hanbit", "세션"},
		{"", "hanbit", ""},
	} {
		s := parse(t, test.typed)
		var got strings.Builder
		for _, part := range s.Parts(test.name) {
			if part.Found {
				part.Text = "[" + part.Text + "]"
			}
			got.WriteString(part.Text)
		}
		if got.String() != test.want {
			t.Errorf("%q in %q: got %s, want %s", test.typed, test.name, got.String(), test.want)
		}
	}
}

// The parts of a name are the whole name, whatever it and the search text are.
func FuzzParts(f *testing.F) {
	f.Add("김민수", "김ㅁ")
	f.Add("㈜ ﷺ İstanbul", "(주) i̇s")
	f.Add("\u1100\u1161\u0301", "가")
	f.Fuzz(func(t *testing.T, name, typed string) {
		s, refused := search.Parse(typed)
		if refused != "" {
			return
		}
		var whole strings.Builder
		for _, part := range s.Parts(name) {
			whole.WriteString(part.Text)
		}
		if want := norm.NFC.String(name); whole.String() != want {
			t.Errorf("got %q, want %q", whole.String(), want)
		}
		s.Rank(name)
	})
}
