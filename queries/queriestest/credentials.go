package queriestest

import (
	"net/netip"

	"officeconsole/queries/identity"
)

// Credentials are what a test signs in with.
func Credentials(email, password string) identity.Credentials {
	return identity.Credentials{Email: email, Password: password, Address: netip.MustParseAddr("192.0.2.7"), UserAgent: "test"}
}
