package locales

import (
	"context"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		header string
		want   Locale
	}{
		{"", Korean},
		{"en", English},
		{"en-US,en;q=0.9", English},
		{"EN-gb", English},
		{"eng", English},
		{"ja", Japanese},
		{"ja-JP-u-ca-japanese", Japanese},
		{"ko-KR,ko;q=0.9,en-US;q=0.8", Korean},
		{"fr-FR,fr;q=0.9", Korean},
		{"fr-FR,fr;q=0.9,en;q=0.8,ja;q=0.7", English},
		{"zh-CN,ja;q=0.5,en;q=0.3", Japanese},
		{"en;q=0.2,ja;q=0.9", Japanese},
		{"en;q=0.2,ko;q=0.9", Korean},
		{"en;q=0,ja;q=0.1", Japanese},
		{"*", Korean},
		{"*,en;q=0.5", English},
		{"und-US", Korean},
		{"kok,en;q=0.5", English},
		{"en;q=high", Korean},
		{"a very, strange; header", Korean},
	} {
		if got := Detect(test.header); got != test.want {
			t.Errorf("Detect(%q) = %s, want %s", test.header, got, test.want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, header := range []string{"", "en-US,en;q=0.9", "*;q=0", "ja;q=1.5,,ko", "x-en, en-x-" + strings.Repeat("a-", 40)} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		l := Detect(header)
		if _, ok := Parse(string(l)); !ok {
			t.Errorf("Detect(%q) = %q, not a language of the console", header, l)
		}
		if l != Korean && !strings.Contains(strings.ToLower(header), string(l)) {
			t.Errorf("Detect(%q) = %s, which the header does not name", header, l)
		}
	})
}

func TestParse(t *testing.T) {
	for _, l := range All() {
		if got, ok := Parse(string(l)); !ok || got != l {
			t.Errorf("Parse(%q) = %s, %t", string(l), got, ok)
		}
	}
	for _, s := range []string{"", "fr", "KO", "en-US", "/en"} {
		if got, ok := Parse(s); ok || got != Korean {
			t.Errorf("Parse(%q) = %s, %t, want ko, false", s, got, ok)
		}
	}
}

func TestNames(t *testing.T) {
	var names []string
	for _, l := range All() {
		names = append(names, l.Name()+l.Prefix())
	}
	if got, want := strings.Join(names, " "), "한국어 English/en 日本語/ja"; got != want {
		t.Errorf("names and prefixes are %q, want %q", got, want)
	}
}

func TestSplitPathAndPath(t *testing.T) {
	for _, test := range []struct {
		address string
		locale  Locale
		path    string
	}{
		{"/", Korean, "/"},
		{"/profile", Korean, "/profile"},
		{"/en", English, "/"},
		{"/ja", Japanese, "/"},
		{"/en/profile", English, "/profile"},
		{"/ja/logs/workingattitude/day", Japanese, "/logs/workingattitude/day"},
		{"/en?x=1", English, "/?x=1"},
		{"/en/notice?q=a/b&cursor=/ja", English, "/notice?q=a/b&cursor=/ja"},
		{"/english", Korean, "/english"},
		{"/jackets/en", Korean, "/jackets/en"},
		{"/ko/profile", Korean, "/ko/profile"},
		{"/en/ja", English, "/ja"},
	} {
		l, path := SplitPath(test.address)
		if l != test.locale || path != test.path {
			t.Errorf("SplitPath(%q) = %s, %q, want %s, %q", test.address, l, path, test.locale, test.path)
		}
		if got := test.locale.Path(test.path); got != test.address {
			t.Errorf("%s.Path(%q) = %q, want %q", test.locale, test.path, got, test.address)
		}
	}
	if l, path := SplitPath("/en/"); l != English || path != "/" {
		t.Errorf(`SplitPath("/en/") = %s, %q`, l, path)
	}
}

func TestPathStaysOnTheSite(t *testing.T) {
	for _, address := range []string{"//example.com", "/\\example.com", "/en//example.com", "/ja/\\/example.com", "\\\\example.com"} {
		_, path := SplitPath(address)
		for _, l := range All() {
			got := l.Path(path)
			if want := l.Prefix() + "/example.com"; got != want {
				t.Errorf("%s.Path(%q) = %q, want %q", l, path, got, want)
			}
		}
	}
}

func TestContext(t *testing.T) {
	if got := FromContext(context.Background()); got != Korean {
		t.Errorf("without a language the context speaks %s", got)
	}
	for _, l := range All() {
		if got := FromContext(NewContext(context.Background(), l)); got != l {
			t.Errorf("FromContext = %s, want %s", got, l)
		}
	}
}
