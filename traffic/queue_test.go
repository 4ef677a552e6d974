package traffic_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"officeconsole/traffic"
)

func TestQueueOfEachCaller(t *testing.T) {
	queue := traffic.NewQueue(2)
	leave, err := queue.Enter(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	waiting, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	results := make(chan error, 3)
	for range 3 { // one more than may wait
		all.Go(func() {
			_, err := queue.Enter(waiting, "1")
			results <- err
		})
	}
	if err := <-results; !errors.Is(err, traffic.ErrFull) {
		t.Errorf("the third that waits: %v", err)
	}
	leaveOther, err := queue.Enter(t.Context(), "2")
	if err != nil {
		t.Errorf("another caller: %v", err)
	}
	cancel()
	all.Wait()
	for range 2 {
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("while another runs: %v", err)
		}
	}
	leave()
	leaveOther()
	for range 2 {
		leave, err := queue.Enter(t.Context(), "1")
		if err != nil {
			t.Errorf("after the others have gone: %v", err)
		}
		leave()
	}
}

// Requests of a caller run one after another, and all of them do.
func TestQueueRunsOneAtATime(t *testing.T) {
	queue := traffic.NewQueue(50)
	var all sync.WaitGroup
	running, ran := 0, 0 // the race detector finds two that run at once
	for range 51 {
		all.Go(func() {
			leave, err := queue.Enter(t.Context(), "1")
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			if running++; running != 1 {
				t.Errorf("%d run at once", running)
			}
			ran++
			running--
		})
	}
	all.Wait()
	if ran != 51 {
		t.Errorf("%d of 51 ran", ran)
	}
}
