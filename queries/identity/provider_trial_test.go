package identity

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"officeconsole/sender"
)

// What came of a test says nothing about the operator's network.
func TestDescribe(t *testing.T) {
	for want, err := range map[string]error{
		"lookup sso.internal: no such host":      &net.DNSError{Err: "no such host", Name: "sso.internal", Server: "10.0.0.53:53"},
		"address of the receiver is not allowed": fmt.Errorf("get: %w", &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 443}, Err: sender.ErrAddress}),
		"the keys have no key of a known type":   errors.New("the keys have no key of a known type"),
		"lookup sso.other: server misbehaving":   fmt.Errorf("get: %w", &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "server misbehaving", Name: "sso.other", Server: "10.0.0.53:53"}}),
	} {
		if got := describe(err); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
