package postgres

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const unicodeLocale = "C.UTF-8"

// dieWithParent makes the kernel end the server when the thread that started it
// ends, even after kill -9.
func dieWithParent(attributes *syscall.SysProcAttr) {
	attributes.Pdeathsig = syscall.SIGINT
}

// isSurvivor reports whether a process belongs to the cluster's server. If the
// kernel does not tell its directory (root in a container may lack the right),
// its arguments do.
func (h home) isSurvivor(process int) bool {
	proc := filepath.Join("/proc", strconv.Itoa(process))
	dir, err := os.Readlink(filepath.Join(proc, "cwd"))
	if errors.Is(err, fs.ErrPermission) {
		arguments, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
		return strings.Contains(string(arguments), "\x00"+h.data()+"\x00")
	}
	return err == nil && dir == h.data()
}

// survivors returns all processes of the cluster's server.
func (h home) survivors() []int {
	entries, _ := os.ReadDir("/proc")
	var survivors []int
	for _, entry := range entries {
		process, err := strconv.Atoi(entry.Name())
		if err == nil && h.isSurvivor(process) {
			survivors = append(survivors, process)
		}
	}
	return survivors
}

// syncFiles waits until all files in the directory are on the disk.
func syncFiles(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(file.Fd())), file.Close())
}
