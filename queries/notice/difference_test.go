package notice_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries/notice"
)

// The form has no seconds. Saving a reservation that the API made at 9:00:30 sets
// it to 9:00, which is not a change that a page can show.
func TestCompareTimes(t *testing.T) {
	reserved := func(second, minute int) notice.Record {
		at := time.Date(2026, 11, 24, 9, minute, second, 0, time.UTC)
		return notice.Record{Draft: notice.Draft{PublishAt: &at}}
	}
	for _, test := range []struct {
		before, after notice.Record
		want          []string
	}{
		{reserved(30, 0), reserved(0, 0), nil},
		{reserved(0, 0), reserved(0, 1), []string{"publish_at"}},
		{reserved(59, 0), reserved(0, 1), []string{"publish_at"}},
		{reserved(0, 0), notice.Record{}, []string{"publish_at"}},
		{notice.Record{}, notice.Record{}, nil},
	} {
		if got := notice.Compare(test.before, test.after).Fields; !slices.Equal(got, test.want) {
			t.Errorf("%v to %v changes %v, want %v", test.before.PublishAt, test.after.PublishAt, got, test.want)
		}
	}
}
