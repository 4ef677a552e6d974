//go:build !linux

package postgres

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const unicodeLocale = "en_US.UTF-8"

// dieWithParent does nothing where the kernel offers nothing: the next start
// ends a server that was left over.
func dieWithParent(*syscall.SysProcAttr) {}

// isSurvivor reports whether a process noted in the cluster is still its server,
// which leads a process group. The caller has seen that the lock is held.
func (h home) isSurvivor(process int) bool {
	group, err := unix.Getpgid(process)
	return err == nil && group == process
}

// survivors cannot be found here once the first process is gone. They end by
// themselves when they next wait for something.
func (h home) survivors() []int { return nil }

func syncFiles(string) error { return unix.Sync() }
