package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// killProgram kills the program. Its database then ends by itself.
func killProgram(_ context.Context, s *site) error { return s.programs[0].signal(syscall.SIGKILL) }

// restartProgram stops the program as a service manager does for an upgrade.
func restartProgram(ctx context.Context, s *site) error {
	p := s.programs[0]
	before := p.pid()
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	for deadline := time.Now().Add(stopTime); p.pid() == before; {
		if time.Now().After(deadline) {
			return fmt.Errorf("the program did not end within %v of SIGTERM", stopTime)
		}
		if !wait(ctx, 20*time.Millisecond) {
			return ctx.Err()
		}
	}
	return p.waitUntilReady(ctx, time.Minute)
}

// killPostmaster kills the process that starts all others of the database.
func killPostmaster(_ context.Context, s *site) error {
	pid, err := postmaster(s.cluster())
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// killBackend kills a process that serves a connection, as the kernel does when memory
// runs out. The database then ends all connections and recovers.
func killBackend(_ context.Context, s *site) error {
	pids, err := databaseProcesses(s.cluster())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(pids, func(pid int) bool {
		title, _ := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "cmdline"))
		return strings.Contains(string(title), databaseRole+" "+databaseName)
	})
	if i < 0 {
		return errors.New("no process of the database serves a connection")
	}
	return syscall.Kill(pids[i], syscall.SIGKILL)
}

// killHost kills the program and all processes of the database at once. Unlike a power
// failure it leaves what the kernel has not written to the disk yet.
func killHost(_ context.Context, s *site) error {
	pids, err := databaseProcesses(s.cluster())
	if err != nil {
		return err
	}
	killAll(append(pids, s.programs[0].pid()))
	return nil
}

// jumpTime is how long a clock is wrong.
const jumpTime = 8 * time.Second

// jumpClock restarts the program with a clock that is wrong, and again with the right
// one. The clock of the database stays.
func jumpClock(offset time.Duration) func(context.Context, *site) error {
	return func(ctx context.Context, s *site) error {
		for _, offset := range []time.Duration{offset, 0} {
			s.programs[0].shiftClock(offset)
			if err := restartProgram(ctx, s); err != nil {
				return err
			}
			wait(ctx, jumpTime)
		}
		return nil
	}
}

// awayTime is how long the database is away.
const awayTime = 60 * time.Second

// freezeDatabase stops all processes of the database, so that it neither answers nor
// refuses, and lets them go on.
func freezeDatabase(ctx context.Context, s *site) error {
	pids, err := databaseProcesses(s.cluster())
	if err != nil {
		return err
	}
	signalAll(pids, syscall.SIGSTOP)
	wait(ctx, awayTime)
	signalAll(pids, syscall.SIGCONT)
	return nil
}

// stopDatabase stops the external database, which then refuses connections, and starts
// it again.
func stopDatabase(ctx context.Context, s *site) error {
	if err := s.server.stop(); err != nil {
		return err
	}
	wait(ctx, awayTime)
	return s.server.start(ctx)
}
