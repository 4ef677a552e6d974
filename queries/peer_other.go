//go:build !linux

package queries

import "syscall"

// limitUnacknowledged does nothing where there is no such limit.
func limitUnacknowledged(_, _ string, _ syscall.RawConn) error { return nil }
