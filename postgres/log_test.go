package postgres

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogIsLimited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "postgres.log")
	log, err := openLog(path, account{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	line := []byte(strings.Repeat("x", 1<<20) + "\n")
	for range 25 {
		if n, err := log.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > logLimit+int64(len(line)) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if got := log.tail(); len(got) > tailLimit+1 {
		t.Errorf("the tail has %d bytes", len(got))
	}
}
