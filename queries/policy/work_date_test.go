package policy_test

import (
	"testing"
	"time"

	"officeconsole/queries/policy"
)

func TestFirstWorkDate(t *testing.T) {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{
		"2026-11-20T15:00:00Z": "2026-11-21", // midnight in Seoul
		"2026-11-20T15:00:01Z": "2026-11-22",
		"2026-11-20T14:59:59Z": "2026-11-21",
	} {
		at, err := time.Parse(time.RFC3339, from)
		if err != nil {
			t.Fatal(err)
		}
		if got := policy.FirstWorkDate(at, seoul).String(); got != want {
			t.Errorf("from %s on: %s, want %s", from, got, want)
		}
	}
}
