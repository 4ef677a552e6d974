package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 5 * time.Second
	minUptime     = 10 * time.Second // uptime after which a start counts as successful
)

// supervise runs the server and restarts it until Stop, or until restarts have
// failed for too long. A server that was never ready is not restarted: Start
// returns its error.
func (s *Server) supervise() {
	// The kernel ends the server when the thread that started it ends, so this
	// goroutine keeps its thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(s.ended)

	pause, wellUntil := shortestPause, time.Now()
	for {
		began := time.Now()
		err := s.runOnce()
		if isClosed(s.stopping) {
			return
		}
		if !isClosed(s.ready) {
			s.failure = err
			return
		}
		if time.Since(began) > minUptime {
			pause, wellUntil = shortestPause, time.Now()
		}
		if time.Since(wellUntil) > s.restartTimeout {
			slog.Error("cannot restart the built-in PostgreSQL", "dir", s.home.dir, "err", err)
			close(s.done)
			return
		}
		slog.Error("built-in PostgreSQL ended unexpectedly, restarting it", "dir", s.home.dir, "err", err)
		select {
		case <-s.stopping:
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// runOnce starts the server and waits until it has ended.
func (s *Server) runOnce() error {
	hold, err := s.home.takeOver()
	if err != nil {
		return err
	}
	command := s.command(hold)
	err = command.Start()
	// From here on only the server and its children have the lock.
	if err := errors.Join(err, hold.Close()); err != nil {
		return err
	}
	s.setProcess(command.Process)
	defer s.setProcess(nil)
	return command.Wait()
}

func (s *Server) command(hold *os.File) *exec.Cmd {
	command := s.home.command(context.Background(), "postgres", append([]string{
		"-D", s.home.data(),
		"-k", quoteDirectory(s.home.socketDir),
		"-p", port,
		"-c", "listen_addresses=",
		"-c", "hba_file=" + s.home.path(hbaFile),
		"-c", "ident_file=" + s.home.path(identFile),
		"-c", "unix_socket_permissions=0700",
		"-c", "logging_collector=off",
		"-c", "log_destination=stderr",
	}, s.settings...)...)
	command.Stdout = s.log
	command.Stderr = s.log
	command.ExtraFiles = []*os.File{hold}
	dieWithParent(command.SysProcAttr)
	return command
}

// setProcess stores the process of the running server. If Stop was called
// meanwhile, it signals the new process.
func (s *Server) setProcess(process *os.Process) {
	s.mutex.Lock()
	s.process = process
	s.mutex.Unlock()
	if process != nil && isClosed(s.stopping) {
		s.signal(syscall.SIGINT)
	}
}

func (s *Server) signal(signal syscall.Signal) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.process != nil {
		// An error means that the process has ended, which the supervisor
		// notices.
		_ = s.process.Signal(signal)
	}
}

func isClosed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

// isLaunched reports whether this server's process has started. Before that, an
// earlier server that still has to be ended might answer instead.
func (s *Server) isLaunched() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.process != nil
}

var errNotLaunched = errors.New("an earlier server has not ended yet")

// waitUntilReady returns once the program's database answers, or an error if the server
// ends before or does not answer. A server that says that it is starting has all the time
// it needs: after a crash it may recover for minutes.
func (s *Server) waitUntilReady(ctx context.Context) error {
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	reports := time.NewTicker(s.reportTime)
	defer reports.Stop()
	heard := time.Now() // of the server, or of an earlier one that ends
	for {
		err := errNotLaunched
		if s.isLaunched() {
			err = s.tryDatabase(ctx)
		}
		var refused *pgconn.PgError
		var misread *pgconn.ParseConfigError
		starting := refusedWith(err, "57P03") // cannot_connect_now
		switch {
		case err == nil, errors.As(err, &misread), errors.As(err, &refused) && !starting:
			return err
		case starting, errors.Is(err, errNotLaunched):
			heard = time.Now()
		case time.Since(heard) > s.answerTime && ctx.Err() == nil:
			return fmt.Errorf("the server runs but does not answer: %w%s", err, s.log.tail())
		}
		select {
		case <-s.ended:
			return fmt.Errorf("the server ended while starting: %w%s", s.failure, s.log.tail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w", errors.Join(ctx.Err(), err))
		case <-reports.C:
			slog.WarnContext(ctx, "waiting for the built-in PostgreSQL", "dir", s.home.dir, "err", err)
		case <-ticks.C:
		}
	}
}

// tryDatabase ends also if the server takes the connection and then says nothing.
func (s *Server) tryDatabase(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.answerTime)
	defer cancel()
	return s.ensureDatabase(ctx)
}
