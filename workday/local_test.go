package workday_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/workday"
)

func TestParseLocal(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"2026-11-24T09:00": "2026-11-24T14:00:00Z",
		"2026-11-24T9:00":  "2026-11-24T14:00:00Z",
		"2026-11-01T01:30": "2026-11-01T05:30:00Z", // occurs twice
		"2026-11-01T1:30":  "2026-11-01T05:30:00Z",
		"2026-11-01T02:00": "2026-11-01T07:00:00Z",
		"2026-03-08T01:59": "2026-03-08T06:59:00Z",
		"2026-03-08T03:00": "2026-03-08T07:00:00Z",
	} {
		at, err := workday.ParseLocal(text, newYork)
		if got := at.UTC().Format(time.RFC3339); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"2026-03-08T02:30": workday.ErrSkippedTime,
		"2026-03-08T2:30":  workday.ErrSkippedTime,
		"2026-11-24T9:0":   workday.ErrLocalTime,
		"2026-11-24T24:00": workday.ErrLocalTime,
		"2026-02-30T09:00": workday.ErrLocalTime,
		"2026-11-24":       workday.ErrLocalTime,
		"":                 workday.ErrLocalTime,
	} {
		if at, err := workday.ParseLocal(text, newYork); !errors.Is(err, want) {
			t.Errorf("%s is %v (%v), want %v", text, at, err, want)
		}
	}
}
