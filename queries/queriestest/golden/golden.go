// Package golden compares what a test computes with a file under testdata. It
// imports nothing of the console, so that tests inside of every package can use it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

// Compare fails at the first line in which got differs from the file. After an
// intended change, go test with -update writes the file.
func Compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, lines := strings.Split(string(content), "\n"), strings.Split(got, "\n")
	for i := range max(len(want), len(lines)) {
		if w, g := line(want, i), line(lines, i); w != g {
			t.Fatalf("%s:%d differs (after an intended change: go test -update)\ngot   %s\nwant  %s", file, i+1, g, w)
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}
