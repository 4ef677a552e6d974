package usage

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// AccessPattern is what RecordAccess finds remarkable about an event.
type AccessPattern string

// The patterns.
const (
	PatternFailures   AccessPattern = "failures"
	PatternNewDevice  AccessPattern = "device"
	PatternNewAddress AccessPattern = "address"
)

// AccessPatterns are all patterns, in the order of the page.
var AccessPatterns = []AccessPattern{PatternFailures, PatternNewDevice, PatternNewAddress}

// AccessFilter is what somebody chose for the access history.
type AccessFilter struct {
	Query   string        `json:"q,omitempty"` // as typed: a whole address, or names
	Search  search.Search `json:"-"`           // of names
	Address netip.Addr    `json:"-"`           // of Query; invalid for all
	UserID  int64         `json:"user_id,omitempty"`
	Kind    AccessKind    `json:"kind,omitempty"`
	Result  AccessResult  `json:"result,omitempty"`
	Pattern AccessPattern `json:"pattern,omitempty"`
	From    workday.Date  `json:"from,omitempty"` // 0 for no limit
	To      workday.Date  `json:"to,omitempty"`   // 0 for no limit
	Cursor  *lists.Cursor `json:"-"`
	Limit   int           `json:"-"`

	DirectoryVersion int64 `json:"-"` // as in FileFilter
}

// ReadAccessFilter reads the address of the history: q, user_id, kind, result,
// pattern, from, to and cursor. What cannot have been chosen is refused by
// FieldErrors; the rest is read all the same.
func ReadAccessFilter(query url.Values) (AccessFilter, error) {
	r := lists.AddressReader{Query: query}
	f := AccessFilter{
		UserID: r.Id("user_id"), Kind: lists.OneOf(&r, "kind", AccessKinds), Result: lists.OneOf(&r, "result", AccessResults),
		Pattern: lists.OneOf(&r, "pattern", AccessPatterns), Cursor: r.Cursor(accessList),
	}
	f.From, f.To = r.Period()
	f.Query = query.Get("q")
	if f.Address = parseAddress(f.Query); !f.Address.IsValid() {
		f.Query, f.Search = r.Search("q")
	}
	if !f.Cursor.IsStart() {
		if _, err := f.Cursor.Time(); err != nil {
			r.Refuse("cursor")
			f.Cursor = nil
		}
	}
	return f, r.Err()
}

// parseAddress returns the address that a search text is, or an invalid one.
func parseAddress(text string) netip.Addr {
	address, err := netip.ParseAddr(strings.TrimSpace(text))
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap().WithZone("")
}

// partOfAddress matches the beginning of an address, and a range of addresses.
var partOfAddress = regexp.MustCompile(`^(\d{1,3}\.[\d.]*|[0-9a-fA-F]*:[0-9a-fA-F:.]*)(/\d*)?$`)

// HasPartOfAddress reports whether the search text is a part of an address, which finds
// nothing: the index has the rows of one address in their order, but not those of a range.
func (f AccessFilter) HasPartOfAddress() bool {
	return !f.Address.IsValid() && partOfAddress.MatchString(strings.TrimSpace(f.Query))
}

// ParseQuery sets what follows from Query, as for a stored filter.
func (f *AccessFilter) ParseQuery() (err error) {
	if f.Address = parseAddress(f.Query); !f.Address.IsValid() {
		f.Search, err = lists.ParseSearch(f.Query)
	}
	return err
}

// Values returns the address of the history as ReadAccessFilter reads it, without
// the cursor.
func (f AccessFilter) Values() url.Values {
	v := url.Values{}
	lists.SetText(v, "q", f.Query)
	lists.SetID(v, "user_id", f.UserID)
	lists.SetText(v, "kind", string(f.Kind))
	lists.SetText(v, "result", string(f.Result))
	lists.SetText(v, "pattern", string(f.Pattern))
	for name, date := range map[string]workday.Date{"from": f.From, "to": f.To} {
		if date != 0 {
			v.Set(name, date.String())
		}
	}
	return v
}

// IsEmpty reports whether the filter selects everything.
func (f AccessFilter) IsEmpty() bool { return len(f.Values()) == 0 }

// times returns the times that the filter selects: from the first, before the
// second.
func (f AccessFilter) times(zone *time.Location) (from, before time.Time) {
	return FileFilter{From: f.From, To: f.To}.times(zone)
}

// accessList is the list name of the cursors of the history.
const accessList = "access"

// AccessKey is the key that the history is sorted by, the latest first.
type AccessKey struct {
	At time.Time
	ID int64
}

// Key returns the key of a row.
func (a Access) Key() AccessKey { return AccessKey{a.At, a.ID} }

// String returns the key as a part of a URL.
func (k AccessKey) String() string { return fmt.Sprintf("%d-%d", k.At.UnixMicro(), k.ID) }

// ParseAccessKey reads what String writes.
func ParseAccessKey(text string) (AccessKey, bool) {
	k, ok := ParseFileKey(text)
	return AccessKey{k.SavedAt, k.ID}, ok
}
