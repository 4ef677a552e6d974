package settings

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"203.0.113.7":                 "203.0.113.7 203.0.113.7",
		"  203.0.113.7\t":             "203.0.113.7 203.0.113.7",
		"203.0.113.0/24":              "203.0.113.0 203.0.113.255",
		"203.0.113.77/24":             "203.0.113.0 203.0.113.255",
		"203.0.113.7/32":              "203.0.113.7 203.0.113.7",
		"203.0.113.7/31":              "203.0.113.6 203.0.113.7",
		"128.0.0.0/1":                 "128.0.0.0 255.255.255.255",
		"203.0.113.10-203.0.113.60":   "203.0.113.10 203.0.113.60",
		"203.0.113.10 - 203.0.113.60": "203.0.113.10 203.0.113.60",
		"203.0.113.10〜203.0.113.60":   "203.0.113.10 203.0.113.60", // U+301C
		"203.0.113.10～203.0.113.60":   "203.0.113.10 203.0.113.60", // U+FF5E
		"203.0.113.10~203.0.113.60":   "203.0.113.10 203.0.113.60",
		"203.0.113.10–203.0.113.60":   "203.0.113.10 203.0.113.60", // U+2013
		"203.0.113.10 − 203.0.113.60": "203.0.113.10 203.0.113.60", // U+2212
		"２０３．０．１１３．１０〜２０３．０．１１３．６０": "203.0.113.10 203.0.113.60",
		"203.0.113.10-203.0.113.10": "203.0.113.10 203.0.113.10",
		"203.0.113.*":               "203.0.113.0 203.0.113.255",
		"0.0.0.0":                   "0.0.0.0 0.0.0.0",
		"0.0.0.0-255.255.255.254":   "0.0.0.0 255.255.255.254",
		"２０３．０．１１３．０／２４": "203.0.113.0 203.0.113.255",
		"":                             errRangeMissing,
		" \n":                          errRangeMissing,
		"203.0.113.60-203.0.113.10":    errRangeReversed,
		"0.0.0.0/0":                    errRangeAll,
		"203.0.113.7/0":                errRangeAll,
		"0.0.0.0-255.255.255.255":      errRangeAll,
		"203.0.113":                    errRange,
		"203.0.113.256":                errRange,
		"203.0.113.07":                 errRange,
		"203.0.113.7/33":               errRange,
		"203.0.113.7/-1":               errRange,
		"203.0.113.7/":                 errRange,
		"203.0.113.*.*":                errRange,
		"203.0.*.7":                    errRange,
		"203.0.*":                      errRange,
		"*":                            errRange,
		"203.0.113.*-203.0.114.*":      errRange,
		"203.0.113.7-60":               errRange,
		"203.0.113.7-":                 errRange,
		"-203.0.113.7":                 errRange,
		"203.0.113.7-203.0.113.8-":     errRange,
		"203.0.113.7, 203.0.113.8":     errRange,
		"::1":                          errRange,
		"::ffff:203.0.113.7":           errRange,
		"::ffff:203.0.113.7/120":       errRange,
		"2001:db8::/32":                errRange,
		"203.0.113.7-2001:db8::1":      errRange,
		"fe80::1%eth0":                 errRange,
		"office":                       errRange,
		strings.Repeat("203.0.113", 9): errRange,
	} {
		found, code := ParseRange(text)
		got := code
		if code == "" {
			got = found.Start.String() + " " + found.End.String()
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	if found, _ := ParseRange("203.0.113.10〜203.0.113.60"); found.Text != "203.0.113.10-203.0.113.60" {
		t.Errorf("a range with a wave dash is stored as %q", found.Text)
	}
	if found, _ := ParseRange(" 203.0.113.* "); found.Text != "203.0.113.*" || found.Size() != 256 {
		t.Errorf("stored as %q with %d addresses", found.Text, found.Size())
	}
}

func TestIsUnfinishedRange(t *testing.T) {
	for _, text := range []string{"", "1", "1.", "192.168", "192.168.1.", "1.2.3.4/", "1.2.3.4-", "1.2.3.4 - 1", "1.2.3.4-1.2.", "1.2.3.4 ", "１．２", "1.2.3.4〜", "1.2.3.4～1.2."} {
		if !IsUnfinishedRange(text) {
			t.Errorf("%q cannot become a range", text)
		}
	}
	for _, text := range []string{"a", "256", "1..2", "01", "1.2.3.4.", "1.2.3.4/33", "1.2/", "1.2-", "1.2.3.4-300", "1.2.3.4-a", "::1", "10.0.0.9-10.0.0.1", "0.0.0.0-255.255.255.255", "1.2.3.4/24-", "1.2 .3"} {
		if IsUnfinishedRange(text) {
			t.Errorf("%q can become a range", text)
		}
	}
}

func ip(t testing.TB, text string) Range {
	t.Helper()
	found, code := ParseRange(text)
	if code != "" {
		t.Fatalf("%s: %s", text, code)
	}
	return found
}

func TestPrivate(t *testing.T) {
	for text, want := range map[string]bool{
		"10.0.0.0": true, "10.255.255.255": true, "9.255.255.255": false, "11.0.0.0": false,
		"172.16.0.0": true, "172.31.255.255": true, "172.15.255.255": false, "172.32.0.0": false,
		"192.168.0.0": true, "192.168.255.255": true, "192.167.255.255": false, "192.169.0.0": false,
		"100.64.0.0/10": true, "100.63.255.255": false, "127.0.0.1": true, "169.254.1.1": true,
		"9.0.0.0-11.0.0.0": true, "203.0.113.*": false,
	} {
		if ip(t, text).Private() != want {
			t.Errorf("%s: private is %t", text, !want)
		}
	}
}

func TestOverlaps(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"203.0.113.0/25", "203.0.113.127", true}, {"203.0.113.0/25", "203.0.113.128/25", false},
		{"203.0.113.5-203.0.113.9", "203.0.113.1-203.0.113.5", true}, {"203.0.113.5-203.0.113.9", "203.0.113.6", true},
		{"203.0.113.5", "203.0.113.5", true}, {"203.0.113.5", "203.0.113.6", false},
	} {
		a, b := ip(t, test.a), ip(t, test.b)
		if a.Overlaps(b) != test.want || b.Overlaps(a) != test.want {
			t.Errorf("%s and %s: %t", test.a, test.b, !test.want)
		}
	}
}

func TestParseLines(t *testing.T) {
	lines := ParseLines("본사\t203.0.113.0/25\r\n\n연구동, 3층,198.51.100.10-198.51.100.60\n192.0.2.*\n192.0.2.7\tVPN\n이름만\n지사,203.0.113.300\n빈 이름,\n  \n- 판교 연구동: 198.51.100.10 - 198.51.100.60\n" +
		"192.0.2.*  (부산 3층)\n본사 203.0.113.0/25 203.0.113.128/25\n본사 203.0.113.300\n" +
		"本社 203.0.113.1〜203.0.113.9\n大阪　２０３．０．１１３．１～２０３．０．１１３．９\n203.0.113.1–203.0.113.9 支社\n東京、203.0.113.1～203.0.113.9\n仙台：203.0.113.1 〜 203.0.113.9\n203.0.113.7，ＶＰＮ\n")
	var got []string
	for _, l := range lines {
		got = append(got, strings.Join([]string{strconv.Itoa(l.Number), l.Name, l.Text, l.Range.Text, l.Code}, "|"))
	}
	want := []string{
		"1|본사|203.0.113.0/25|203.0.113.0/25|",
		"3|연구동, 3층|198.51.100.10-198.51.100.60|198.51.100.10-198.51.100.60|",
		"4||192.0.2.*|192.0.2.*|",
		"5|VPN|192.0.2.7|192.0.2.7|",
		"6||이름만||" + errRange,
		"7|지사|203.0.113.300||" + errRange,
		"8|빈 이름|||" + errRangeMissing,
		"10|판교 연구동|198.51.100.10 - 198.51.100.60|198.51.100.10 - 198.51.100.60|",
		"11|부산 3층|192.0.2.*|192.0.2.*|",
		"12||본사 203.0.113.0/25 203.0.113.128/25||" + errRange,
		"13||본사 203.0.113.300||" + errRange,
		"14|本社|203.0.113.1〜203.0.113.9|203.0.113.1-203.0.113.9|",
		"15|大阪|２０３．０．１１３．１～２０３．０．１１３．９|203.0.113.1-203.0.113.9|",
		"16|支社|203.0.113.1–203.0.113.9|203.0.113.1-203.0.113.9|",
		"17|東京|203.0.113.1～203.0.113.9|203.0.113.1-203.0.113.9|",
		"18|仙台|203.0.113.1 〜 203.0.113.9|203.0.113.1 - 203.0.113.9|",
		"19|ＶＰＮ|203.0.113.7|203.0.113.7|",
	}
	if !equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if many := ParseLines(strings.Repeat("203.0.113.7\n", 10_000)); len(many) != 10_000 || many[9_999].Number != 10_000 {
		t.Errorf("%d lines of 10,000", len(many))
	}
}

func TestAddressAllowed(t *testing.T) {
	listed := parse(t, Communication, `{"allowed_ip_mode":"listed","ip_exempt_user_ids":[7],
		"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"},{"location_name":"VPN","range":"198.51.100.7"}]}`)
	anywhere := parse(t, Communication, `{"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]}`)
	for _, test := range []struct {
		v        Values
		platform string
		from     string
		user     int64
		want     bool
	}{
		{listed, PC, "203.0.113.255", 1, true}, {listed, PC, "198.51.100.7", 1, true}, {listed, PC, "203.0.114.0", 1, false},
		{listed, Web, "203.0.114.0", 1, false}, {listed, Mobile, "203.0.114.0", 1, true}, {listed, MobileWeb, "203.0.114.0", 1, true},
		{listed, PC, "203.0.114.0", 7, true}, {listed, PC, "::ffff:203.0.113.9", 1, true}, {listed, PC, "::1", 1, false},
		{anywhere, PC, "203.0.114.0", 1, true},
	} {
		if got := test.v.AddressAllowed(test.platform, netip.MustParseAddr(test.from), test.user); got != test.want {
			t.Errorf("%s from %s by %d: %t", test.platform, test.from, test.user, got)
		}
	}
	if listed.AddressAllowed(PC, netip.Addr{}, 1) {
		t.Error("no address is allowed")
	}
	if found, ok := anywhere.ListedAddress(netip.MustParseAddr("203.0.113.24")); !ok || found.Name != "본사" {
		t.Errorf("%v, %t", found, ok)
	}
}
