package directory

import (
	"net/netip"

	"officeconsole/queries"
)

// ActorFrom is a person who acts from an address.
func ActorFrom(p Person, address netip.Addr) queries.Actor {
	return queries.Actor{CompanyID: p.CompanyID, UserID: p.ID, Name: p.Name, Address: address}
}
