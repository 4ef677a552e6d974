//go:build !linux

package postgres

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const unicodeLocale = "en_US.UTF-8"

// dieWithParent does nothing, because the kernel has no such feature: the next
// start ends a server that is still running.
func dieWithParent(*syscall.SysProcAttr) {}

// isSurvivor reports whether the process in postmaster.pid is still the
// cluster's server, which leads a process group. The caller has seen that the
// lock is taken.
func (h home) isSurvivor(process int) bool {
	group, err := unix.Getpgid(process)
	return err == nil && group == process
}

// survivors returns nil: child processes cannot be found here once the first
// process has ended. They end by themselves when they next wait for something.
func (h home) survivors() []int { return nil }

func syncFiles(string) error { return unix.Sync() }
