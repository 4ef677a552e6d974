package postgres

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// takeLock locks a file until it is closed, here and in every process that
// inherits it. When somebody else has it the error is ErrInUse.
func (h home) takeLock(name string) (*os.File, error) {
	file, err := os.OpenFile(h.path(name), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := h.account.give(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// takeOver gives the lock that the server and its children hold as long as one
// of them lives. Those of an earlier server, left over when its owner or its
// first process was killed, are ended before.
func (h home) takeOver() (*os.File, error) {
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL}
	for _, signal := range signals {
		hold, err := h.takeOverWithin(5*time.Second, signal)
		if !errors.Is(err, ErrInUse) {
			return hold, err
		}
	}
	return nil, fmt.Errorf("an earlier PostgreSQL server still runs: %w", ErrInUse)
}

func (h home) takeOverWithin(timeout time.Duration, signal syscall.Signal) (*os.File, error) {
	end := time.Now().Add(timeout)
	for first := true; ; first = false {
		hold, err := h.takeLock("server.lock")
		if err == nil {
			return hold, h.forgetEarlier()
		}
		if !errors.Is(err, ErrInUse) || time.Now().After(end) {
			return nil, err
		}
		if first {
			h.endSurvivors(signal)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// forgetEarlier removes the note of an earlier server, which nobody runs any
// more: its process number may meanwhile be somebody else's.
func (h home) forgetEarlier() error {
	err := os.Remove(filepath.Join(h.data(), "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// endSurvivors signals the first process of an earlier server, or, when it is
// gone, those of its children that are left.
func (h home) endSurvivors(signal syscall.Signal) {
	if first, ok := h.earlierProcess(); ok && h.isSurvivor(first) {
		_ = unix.Kill(first, signal)
		if signal != syscall.SIGKILL {
			return // it ends its children itself
		}
	}
	for _, process := range h.survivors() {
		_ = unix.Kill(process, max(signal, syscall.SIGQUIT))
	}
}

// earlierProcess reads the first process's number from postmaster.pid.
func (h home) earlierProcess() (int, bool) {
	file, err := os.Open(filepath.Join(h.data(), "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	defer file.Close()
	line, _ := bufio.NewReader(file).ReadString('\n')
	process, err := strconv.Atoi(strings.TrimSpace(line))
	return process, err == nil && process > 1
}
