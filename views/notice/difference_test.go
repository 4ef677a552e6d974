package notice

import (
	"strings"
	"testing"
)

func TestChangedLines(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"가 나 다", "가 나 다", ""},
		{"가 나 다", "가 라 다", "-나 +라"},
		{"가 나", "가 나 다", "+다"},
		{"가 나 다", "나", "-가 -다"},
		{"", "가", "- +가"},
		{"가 나 가 다", "나 가 라 다", "-가 +라"},
	} {
		var got []string
		for _, l := range changedLines(strings.Split(test.before, " "), strings.Split(test.after, " ")) {
			got = append(got, map[bool]string{true: "+", false: "-"}[l.added]+l.text)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s to %s is %s, want %s", test.before, test.after, text, test.want)
		}
	}
	long := strings.Split(strings.Repeat("가 ", 2000), " ")
	other := strings.Split(strings.Repeat("나 ", 2000), " ")
	if got := changedLines(long, append(other, "다")); len(got) != 4003 || got[0].added || !got[4002].added {
		t.Errorf("texts that are too long to compare have %d lines", len(got))
	}
}
