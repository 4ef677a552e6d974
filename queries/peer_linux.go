package queries

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// limitUnacknowledged ends a connection whose peer does not acknowledge what was sent.
func limitUnacknowledged(network, _ string, conn syscall.RawConn) (err error) {
	if network == "unix" {
		return nil
	}
	controlErr := conn.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(lostPeer.Milliseconds()))
	})
	if controlErr != nil {
		return controlErr
	}
	return err
}
