package directory_test

import (
	"testing"
	"unicode/utf8"

	"officeconsole/queries/directory"
)

func TestPlainText(t *testing.T) {
	for _, text := range []string{
		"", "홍보팀", "Jean-François O’Neil", "佐藤　花子", "نمایش\u200cها", "क्\u200dष", "👩\u200d💻", "שלום\u200e (1)", "\u200fمرحبا", "ไทย\u200bไทย", "𠮷野",
	} {
		if !directory.PlainText(text) {
			t.Errorf("%q is refused", text)
		}
	}
	for _, r := range []rune{
		0, '\t', '\n', '\r', 0x1b, 0x7f, 0x85, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
		0xfdd0, 0xfdef, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1fffe, 0x10ffff,
	} {
		for _, text := range []string{string(r), string(r) + "김", "김" + string(r), "김" + string(r) + "철수"} {
			if directory.PlainText(text) {
				t.Errorf("%U is accepted in %q", r, text)
			}
		}
	}
	for _, text := range []string{"\xff", "김\xea\xb9", "\xed\xa0\x80"} {
		if directory.PlainText(text) {
			t.Errorf("%q is accepted, which is not UTF-8", text)
		}
	}
}

// A text is plain if and only if each of its characters is.
func FuzzPlainText(f *testing.F) {
	for _, text := range []string{"김철수", "a\u202eb", "\ufeffa", "👩\u200d💻", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := utf8.ValidString(text)
		for _, r := range text {
			want = want && directory.PlainText(string(r))
		}
		if got := directory.PlainText(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
