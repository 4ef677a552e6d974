//go:build !linux

package main

import "runtime/debug"

// releaseMemory gives back free parts of the heap.
func releaseMemory() error {
	debug.FreeOSMemory()
	return nil
}
