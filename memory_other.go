//go:build !linux

package main

import "runtime/debug"

// releaseMemory gives back the parts of the heap that only the start needed.
func releaseMemory() error {
	debug.FreeOSMemory()
	return nil
}
