package queriestest

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// memory is where Linux keeps files in memory. A database of a few hundred
// small files is copied there several times as fast as on a disk.
const memory = "/dev/shm"

// room is how much of the memory has to be free, in bytes. Each server of a
// test process takes a few hundred megabytes.
const room = 8 << 30

// folder is where the servers of the tests have their data, for this and the
// next run.
func folder() string {
	in := os.TempDir()
	if hasRoom(memory) {
		in = memory
	}
	return filepath.Join(in, "officeconsole-test-"+strconv.Itoa(os.Geteuid()))
}

// hasRoom reports whether a file system has enough space and lets programs run.
func hasRoom(dir string) bool {
	const noexec = 8 // ST_NOEXEC of Linux
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return false
	}
	return fs.Flags&noexec == 0 && uint64(fs.Bavail)*uint64(fs.Bsize) >= room
}
