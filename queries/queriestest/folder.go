package queriestest

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// memory is the directory whose files Linux keeps in memory. Copying a database
// of a few hundred small files takes a fraction of the time there.
const memory = "/dev/shm"

// room is the number of bytes that must be free in memory. Each test process
// has a server of its own, which takes a few hundred megabytes.
const room = 8 << 30

// folder returns the directory for the data of the tests' servers, for this and
// the next run.
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
