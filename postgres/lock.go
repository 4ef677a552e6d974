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

// takeLock locks a file until every process that has inherited it has closed
// it. The error is ErrInUse if another process has the lock.
func (h home) takeLock(name string) (*os.File, error) {
	file, err := os.OpenFile(h.path(name), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := h.account.chown(file.Name()); err != nil {
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

// takeOver returns the lock that the server and its children hold until the
// last of them ends. It first ends the processes of an earlier server whose
// owner or first process was killed.
func (h home) takeOver() (*os.File, error) {
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL}
	for _, signal := range signals {
		hold, err := h.takeOverWithin(5*time.Second, signal)
		if !errors.Is(err, ErrInUse) {
			return hold, err
		}
	}
	return nil, fmt.Errorf("an earlier PostgreSQL server is still running: %w", ErrInUse)
}

func (h home) takeOverWithin(timeout time.Duration, signal syscall.Signal) (*os.File, error) {
	end := time.Now().Add(timeout)
	for first := true; ; first = false {
		hold, err := h.takeLock(h.serverLock())
		if err == nil {
			return hold, h.removeProcessIDs()
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

// serverLock is the name of the lock of the cluster's server.
func (h home) serverLock() string {
	if h.cluster == clusterName {
		return "server.lock"
	}
	return h.cluster + ".lock"
}

// removeProcessIDs removes the two files in which an earlier server, which has ended,
// wrote its process id. It may belong to another process by now, as it soon does in a
// container, and then the server would refuse to start.
func (h home) removeProcessIDs() error {
	for _, name := range []string{filepath.Join(h.data(), "postmaster.pid"), filepath.Join(h.socketDir, ".s.PGSQL."+port+".lock")} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// endSurvivors signals the first process of an earlier server or, if that has
// ended, its remaining children.
func (h home) endSurvivors(signal syscall.Signal) {
	if first, ok := h.earlierProcess(); ok && h.isSurvivor(first) {
		_ = unix.Kill(first, signal)
		if signal != syscall.SIGKILL {
			return // which ends its children
		}
	}
	for _, process := range h.survivors() {
		_ = unix.Kill(process, max(signal, syscall.SIGQUIT))
	}
}

// earlierProcess reads the id of the first process from postmaster.pid.
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
