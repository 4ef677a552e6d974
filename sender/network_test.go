package sender

import (
	"net/netip"
	"testing"
)

func TestNetworkAllows(t *testing.T) {
	for address, public := range map[string]bool{
		"93.184.216.34": true, "2606:2800:21f:cb07:6820:80da:af6b:8b2c": true, "::ffff:93.184.216.34": true,
		"127.0.0.1": false, "127.9.9.9": false, "::1": false, "::ffff:127.0.0.1": false, "::127.0.0.1": false,
		"0.0.0.0": false, "0.1.2.3": false, "::": false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "fd00::1": false, "::ffff:10.0.0.1": false,
		"172.32.0.1": true, "11.0.0.1": true,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fd00:ec2::254": false, "::ffff:169.254.169.254": false,
		"100.64.0.1": false, "100.100.100.200": false, "100.128.0.1": true,
		"224.0.0.1": false, "239.255.255.250": false, "ff02::1": false, "255.255.255.255": false, "240.0.0.1": false,
		"192.0.2.1": false, "198.51.100.1": false, "203.0.113.1": false, "198.18.0.1": false, "2001:db8::1": false,
		"64:ff9b::127.0.0.1": false, "64:ff9b::93.184.216.34": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001:0:53aa:64c::": false, "fec0::1": false,
	} {
		ip := netip.MustParseAddr(address)
		if got := (Network{}).Allows(ip, true); got != public {
			t.Errorf("%s with TLS: %v", address, got)
		}
		if (Network{}).Allows(ip, false) {
			t.Errorf("%s without TLS is allowed", address)
		}
	}
	some := Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32"), netip.MustParsePrefix("fd00::/8")}}
	for address, allowed := range map[string]bool{"127.0.0.2": true, "::ffff:127.0.0.2": true, "127.0.0.1": false, "fd12::1": true, "93.184.216.34": false} {
		if got := some.Allows(netip.MustParseAddr(address), false); got != allowed {
			t.Errorf("%s of the allowed ones: %v", address, got)
		}
	}
}
