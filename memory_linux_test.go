package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

func TestReleaseMemoryGivesMappedPagesBack(t *testing.T) {
	before := mappedKiB(t)
	if err := releaseMemory(); err != nil {
		t.Fatal(err)
	}
	if after := mappedKiB(t); after >= before {
		t.Errorf("%d KiB of files are mapped, %d before", after, before)
	}
}

// mappedKiB is how much of files this process has in memory.
func mappedKiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Fatal("the kernel does not tell how much of files is in memory")
	}
	kib, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib
}
