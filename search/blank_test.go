package search_test

import (
	"testing"

	"officeconsole/search"
)

func TestIsBlank(t *testing.T) {
	for _, text := range []string{"", " \t\n", "\u3000\u00a0", "\u200b", "\u3164", "\u3164 \u3164", "\u115f\u1160\uffa0", "\u2800", "\ufeff\u2060\u00ad", "\u0301", "\x00"} {
		if !search.IsBlank(text) {
			t.Errorf("%q is not blank", text)
		}
	}
	for _, text := range []string{"가", "ㅋ", "x", "7", ".", "-", "+", "👍", "\u200b가\u200b", "、", "김\u3164", "각"} {
		if search.IsBlank(text) {
			t.Errorf("%q is blank", text)
		}
	}
}
