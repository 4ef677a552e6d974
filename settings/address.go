package settings

import (
	"encoding/binary"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Range is the IPv4 addresses from Start to End, both included. Text is the
// range as it was typed, without surrounding space, in half width and with a hyphen.
type Range struct {
	Start, End netip.Addr
	Text       string
}

// ParseRange parses a.b.c.d, a.b.c.d/n, a.b.c.d-e.f.g.h or a.b.c.* (domain §4).
// It returns the id of an error message, or "" for a valid range. The range of
// all addresses is an error too.
func ParseRange(text string) (Range, string) {
	text = strings.TrimSpace(narrow(text))
	if text == "" {
		return Range{}, errRangeMissing
	}
	start, end, ok := ends(text)
	found := Range{start, end, text}
	switch {
	case !ok || !start.Is4() || !end.Is4():
		return Range{}, errRange
	case end.Less(start):
		return Range{}, errRangeReversed
	case found.Size() == 1<<32:
		return Range{}, errRangeAll
	}
	return found, ""
}

// hyphens replaces what people type between two addresses, as the wave dash of
// Japanese, by a hyphen.
var hyphens = strings.NewReplacer("〜", "-", "~", "-", "–", "-", "—", "-", "−", "-")

// narrow returns a range as the grammar has it: in half width, with a hyphen.
func narrow(text string) string { return hyphens.Replace(width.Narrow.String(text)) }

func ends(text string) (start, end netip.Addr, ok bool) {
	if prefix, err := netip.ParsePrefix(text); err == nil && prefix.Addr().Is4() {
		return prefix.Masked().Addr(), last(prefix), true
	}
	if network, ok := strings.CutSuffix(text, ".*"); ok {
		start, startErr := netip.ParseAddr(network + ".0")
		end, endErr := netip.ParseAddr(network + ".255")
		return start, end, startErr == nil && endErr == nil
	}
	from, to, two := strings.Cut(text, "-")
	start, err := netip.ParseAddr(strings.TrimSpace(from))
	if err != nil || !two {
		return start, start, err == nil
	}
	end, err = netip.ParseAddr(strings.TrimSpace(to))
	return start, end, err == nil
}

func last(prefix netip.Prefix) netip.Addr {
	first := number(prefix.Masked().Addr())
	var bytes [4]byte
	binary.BigEndian.PutUint32(bytes[:], first|uint32(1<<(32-prefix.Bits())-1))
	return netip.AddrFrom4(bytes)
}

func number(a netip.Addr) uint32 {
	bytes := a.As4()
	return binary.BigEndian.Uint32(bytes[:])
}

// IsUnfinishedRange reports whether an invalid text may become a valid range
// when more is typed.
func IsUnfinishedRange(text string) bool {
	if _, code := ParseRange(text); code == errRangeReversed || code == errRangeAll {
		return false
	}
	text = strings.TrimLeftFunc(narrow(text), unicode.IsSpace)
	if from, to, two := strings.Cut(text, "-"); two {
		_, code := ParseRange(from)
		return code == "" && !strings.ContainsAny(from, "/*") && isBeginning(strings.TrimLeftFunc(to, unicode.IsSpace))
	}
	if network, bits, two := strings.Cut(text, "/"); two {
		return bits == "" && strings.Count(network, ".") == 3 && !strings.HasSuffix(network, ".") && isBeginning(network)
	}
	return isBeginning(text) || isBeginning(strings.TrimSpace(text)) && strings.Count(text, ".") == 3
}

// isBeginning reports whether a text is an address or the beginning of one.
func isBeginning(text string) bool {
	dots := strings.Count(text, ".")
	if dots > 3 {
		return false
	}
	if text == "" || strings.HasSuffix(text, ".") {
		text += "0"
	}
	address, err := netip.ParseAddr(text + strings.Repeat(".0", 3-dots))
	return err == nil && address.Is4()
}

// Size returns the number of addresses in the range.
func (r Range) Size() int64 { return int64(number(r.End)) - int64(number(r.Start)) + 1 }

// Contains reports whether an address is in the range. An IPv4 address written
// as IPv6 counts as IPv4.
func (r Range) Contains(a netip.Addr) bool {
	a = a.Unmap()
	return a.Is4() && !a.Less(r.Start) && !r.End.Less(a)
}

// Overlaps reports whether the ranges have an address in common.
func (r Range) Overlaps(other Range) bool {
	return !r.End.Less(other.Start) && !other.End.Less(r.Start)
}

var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"),
}

// Private reports whether the range contains an address that is not used on the
// internet (RFC 1918, 6598, 1122, 3927), so that no visitor from outside can
// have it.
func (r Range) Private() bool {
	for _, p := range privateRanges {
		if r.Overlaps(Range{Start: p.Addr(), End: last(p)}) {
			return true
		}
	}
	return false
}

// MarshalText returns the range as it was typed.
func (r Range) MarshalText() ([]byte, error) { return []byte(r.Text), nil }

// Line is a pasted line: a range, or the reason why it is not one.
type Line struct {
	Number int    // from 1, counting empty lines
	Name   string // "" if the line has only a range
	Text   string // the range as it was pasted
	Range  Range
	Code   string // message id if the range is refused, else ""
}

// ParseLines parses lines of "name<tab or comma>range" or "range<tab or
// comma>name", the same separated by a space or colon as in e-mails, or a range
// alone. Commas, spaces and colons may be of full width. It skips empty lines.
func ParseLines(text string) []Line {
	var lines []Line
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, parseLine(n, line))
		}
	}
	return lines
}

func parseLine(n int, text string) Line {
	line := Line{Number: n, Text: text}
	if line.Range, line.Code = ParseRange(text); line.Code == "" {
		return line
	}
	at := strings.LastIndexByte(text, '\t')
	if at < 0 {
		at = strings.LastIndexAny(text, ",，、")
	}
	if at < 0 {
		return parseWords(line)
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	name, rest := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+size:])
	if swapped, code := ParseRange(name); code == "" {
		return Line{Number: n, Name: rest, Text: name, Range: swapped}
	}
	line.Name, line.Text = name, rest
	line.Range, line.Code = ParseRange(rest)
	return line
}

const ornaments = "-–—·•*:()[] "

// A range as it is written, also in full width, and what divides it from a name.
const (
	written = `([\d０-９.．]+(?:[.．][*＊]|[/／][\d０-９]+|[\s　]*[-－~～〜–—−][\s　]*[\d０-９.．]+)?)`
	divider = `[\s　:：]+`
)

var (
	nameFirst  = regexp.MustCompile(`^(.+?)` + divider + written + `$`)
	rangeFirst = regexp.MustCompile(`^` + written + divider + `(.+)$`)
	hasAnother = regexp.MustCompile(`[\d０-９][.．][\d０-９]+[.．][\d０-９]`)
)

// parseWords finds a range before or after words. A line with two addresses is
// refused rather than guessed.
func parseWords(line Line) Line {
	var name, text string
	if found := nameFirst.FindStringSubmatch(line.Text); found != nil {
		name, text = found[1], found[2]
	} else if found := rangeFirst.FindStringSubmatch(line.Text); found != nil {
		name, text = found[2], found[1]
	}
	read, code := ParseRange(text)
	if code != "" || hasAnother.MatchString(name) {
		return line
	}
	return Line{Number: line.Number, Name: strings.Trim(name, ornaments), Text: text, Range: read}
}

// Address is a setting's type for a Range.
type Address struct{}

func (Address) read(r *reader, path string, raw, _ any) any {
	text, ok := raw.(string)
	if !ok && raw != nil {
		r.refuse(path, errText)
		return Range{}
	}
	found, code := ParseRange(text)
	if code != "" {
		r.refuse(path, code)
	}
	return found
}

func (Address) posted(f url.Values, name string) (any, bool) {
	return emptyIsNone(postedText(f, name))
}

func (Address) fill(f url.Values, name string, stored any) { f.Set(name, stored.(Range).Text) }

func (Address) schema() map[string]any {
	return map[string]any{
		"type": "string", "minLength": 1,
		"description": "IPv4: a.b.c.d, a.b.c.d/n, a.b.c.d-e.f.g.h or a.b.c.*",
	}
}

func (Address) value(_ string, stored any) Value {
	return Value{Shape: ShapeText, Text: stored.(Range).Text}
}
