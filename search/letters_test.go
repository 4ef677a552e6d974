package search_test

import (
	"testing"

	"officeconsole/search"
)

// A text that contains a keyword has all of its letters, and most others lack one.
func TestLetters(t *testing.T) {
	for _, test := range []struct {
		text, typed string
		want        bool
	}{
		{"국내영업팀", "영업", true},
		{"국내영업팀", "ㄱㄴㅇ", true},
		{"국내영업팀", "국ㄴ", true},
		{"Sales 2", "ALES", true},
		{"국내영업팀", "인사", false},
	} {
		text, _ := search.Key(test.text)
		keyword := parse(t, test.typed).Keywords[0]
		got := search.LettersOf(text).Contains(search.LettersOf(keyword...))
		if got != test.want || keyword.In(text) && !got {
			t.Errorf("%q in %q: %t", test.typed, test.text, got)
		}
	}
}
