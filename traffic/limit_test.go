package traffic_test

import (
	"testing"

	"officeconsole/traffic"
)

func TestLimitOfEachCaller(t *testing.T) {
	limit := traffic.NewLimit(2)
	leave, ok := limit.Enter("1")
	if _, again := limit.Enter("1"); !ok || !again {
		t.Fatal("less than the limit was refused")
	}
	if _, ok := limit.Enter("1"); ok {
		t.Error("more than the limit was let in")
	}
	if _, ok := limit.Enter("2"); !ok {
		t.Error("another caller was refused")
	}
	leave()
	if _, ok := limit.Enter("1"); !ok {
		t.Error("refused after one has ended")
	}
}
