package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// often is a pause between runs that a test does not notice.
const often = time.Millisecond

func TestPanicEndsOneRun(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	runs, ran := 0, make(chan int)
	wait := start(ctx, []job{{"panics", often, time.Minute, func(ctx context.Context) error {
		runs++
		select {
		case ran <- runs:
		case <-ctx.Done():
		}
		panic("planted")
	}}}, func() {})
	if first, second := <-ran, <-ran; first != 1 || second != 2 {
		t.Errorf("runs %d and %d", first, second)
	}
	stop()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	wait(ended)
}

// A job that the database does not answer says so once a minute, not with every run. Any
// other failure is logged each time.
func TestOutageIsLoggedOnce(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var log bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	ctx, stop := context.WithCancel(t.Context())
	runs, ran := 0, make(chan int)
	wait := start(ctx, []job{{"asks", often, time.Minute, func(context.Context) error {
		runs++
		if runs <= 4 {
			ran <- runs
		}
		switch runs {
		case 1, 2:
			return io.ErrUnexpectedEOF // how a connection that was cut ends
		case 3:
			return errors.New("planted")
		}
		return nil
	}}}, func() {})
	for <-ran < 4 {
	}
	stop()
	wait(t.Context())
	if got := strings.Count(log.String(), "job failed"); got != 2 || !strings.Contains(log.String(), "planted") {
		t.Errorf("%d failures are logged:\n%s", got, log.String())
	}
}

func TestRunHasADeadline(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	wait := start(ctx, []job{{"hangs", time.Hour, often, func(ctx context.Context) error {
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}}}, func() {})
	if err := <-ended; err != context.DeadlineExceeded {
		t.Errorf("the run ended with %v", err)
	}
	stop()
	wait(t.Context()) // the run is logged only after it has ended
}

func TestShutdownWaitsForRuns(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	began, finish, finished := make(chan struct{}), make(chan struct{}), false
	wait := start(ctx, []job{{"works", time.Hour, time.Minute, func(ctx context.Context) error {
		close(began)
		<-finish
		finished = ctx.Err() == nil
		return nil
	}}}, func() {})
	<-began
	stop()
	close(finish)
	wait(t.Context())
	if !finished {
		t.Error("a run was not left to its end")
	}
}

func TestShutdownCancelsWhatDoesNotEnd(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	began, cancelled := make(chan struct{}), false
	wait := start(ctx, []job{{"hangs", time.Hour, time.Hour, func(ctx context.Context) error {
		close(began)
		<-ctx.Done()
		cancelled = true
		return ctx.Err()
	}}}, func() {})
	<-began
	stop()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	wait(ended)
	if !cancelled {
		t.Error("wait returned before the run had ended")
	}
}
