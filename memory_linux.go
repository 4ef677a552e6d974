package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// releaseMemory gives back what only something rare needed: free parts of the
// heap, and pages of the program's file that were mapped on the way, most of which
// are not looked at again. Those that are come back from the kernel's cache.
func releaseMemory() error {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	mappings, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer mappings.Close()
	lines := bufio.NewScanner(mappings)
	for lines.Scan() {
		var from, to uintptr
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil {
			return fmt.Errorf("memory mapping %q: %w", lines.Text(), err)
		}
		if strings.HasPrefix(rights, "r-") && strings.HasSuffix(lines.Text(), program) {
			if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED); errno != 0 {
				return fmt.Errorf("give memory back: %w", errno)
			}
		}
	}
	return lines.Err()
}
