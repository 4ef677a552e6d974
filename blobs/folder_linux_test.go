package blobs

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// A full disk is a process that may not write large files: unlike a small file
// system, it needs no privileges, and unlike a quota, it holds for root.
func TestFolderOnFullDisk(t *testing.T) {
	const variable = "BLOBS_TEST_FULL_DISK"
	if root := os.Getenv(variable); root != "" {
		putOnFullDisk(t, root)
		return
	}
	root := t.TempDir()
	f := inFolder(t, root)
	before := f.put(t, 1, "stored before").Key
	child := exec.Command(os.Args[0], "-test.run", "^TestFolderOnFullDisk$")
	child.Env = append(os.Environ(), variable+"="+root)
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, output)
	}
	files := 0
	eachFile(t, root, func(string) { files++ })
	if files != 1 || f.read(t, before) != "stored before" {
		t.Errorf("%d files after a put that failed", files)
	}
}

func putOnFullDisk(t *testing.T, root string) {
	signal.Ignore(syscall.SIGXFSZ)
	most := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &most); err != nil {
		t.Fatal(err)
	}
	_, err := inFolder(t, root).Put(t.Context(), 1, io.LimitReader(zeros{}, 2<<20), 4<<20)
	if !errors.Is(err, syscall.EFBIG) || !IsFull(err) {
		t.Errorf("%v, want EFBIG", err)
	}
}
