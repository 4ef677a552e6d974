package attendance

import (
	"fmt"
	"testing"
)

// Records of nearby dates are read together. Distant dates, and more people
// than may be in memory at a time, are read one after the other.
func TestSpansOf(t *testing.T) {
	var many []RecordKey
	for id := range int64(spanDays / 2) {
		many = append(many, RecordKey{UserID: id, Date: 11}, RecordKey{UserID: id, Date: 10}, RecordKey{UserID: id, Date: 12})
	}
	for _, test := range []struct {
		name string
		keys []RecordKey
		want string
	}{
		{"nothing", nil, ""},
		{"one", []RecordKey{{5, 10, false}}, "[10 10 people 1 keys 1]"},
		{"nearby", []RecordKey{{6, 13, false}, {5, 10, false}, {5, 13, false}, {5, 13, true}}, "[10 13 people 2 keys 4]"},
		{"distant", []RecordKey{{5, 14, false}, {5, 10, false}}, "[10 10 people 1 keys 1][14 14 people 1 keys 1]"},
		{"many", many, "[10 11 people 10000 keys 20000][12 12 people 10000 keys 10000]"},
	} {
		got := ""
		for _, s := range spansOf(test.keys) {
			got += fmt.Sprintf("[%d %d people %d keys %d]", s.first, s.last, len(s.userIDs()), len(s.keys))
		}
		if got != test.want {
			t.Errorf("%s: %s, not %s", test.name, got, test.want)
		}
	}
}
