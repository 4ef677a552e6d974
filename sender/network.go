package sender

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// ErrAddress is the error of an attempt whose receiver has an address that must
// not be reached.
var ErrAddress = fmt.Errorf("address of the receiver is not allowed")

// Network decides which addresses may be reached. The zero Network allows the
// public ones.
type Network struct {
	// Allowed are ranges that may be reached although they are not public, and
	// without TLS.
	Allowed []netip.Prefix
}

// reserved are the ranges that are not public, except for those that netip knows
// (IANA's registries of special-purpose addresses, RFC 6890). IPv6 addresses
// that contain an IPv4 address are refused as a whole.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),   // shared address space of providers
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and broadcast
	netip.MustParsePrefix("::/96"),           // IPv4-compatible
	netip.MustParsePrefix("64:ff9b::/96"),    // NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64 within a site
	netip.MustParsePrefix("100::/64"),        // discard
	netip.MustParsePrefix("2001::/23"),       // protocol assignments, and Teredo
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("3fff::/20"),       // documentation
	netip.MustParsePrefix("5f00::/16"),       // segment routing
	netip.MustParsePrefix("fec0::/10"),       // site-local
}

// Allows reports whether an address may be reached, with or without TLS.
func (n Network) Allows(address netip.Addr, tls bool) bool {
	address = address.Unmap().WithZone("")
	if contains(n.Allowed, address) {
		return true
	}
	return tls && address.IsGlobalUnicast() && !address.IsPrivate() && !contains(reserved, address)
}

func contains(ranges []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(address) })
}

// control refuses a connection after the name has been resolved, so that it does
// not matter what the name resolved to before.
func (n Network) control(tls bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		ip, err := netip.ParseAddr(host)
		if err != nil {
			return err
		}
		if !n.Allows(ip, tls) {
			return ErrAddress
		}
		return nil
	}
}
