package settings

import (
	"net/netip"
	"slices"
	"time"
)

// NamedRange is an address range with the name of the place that it belongs to.
type NamedRange struct {
	Name  string
	Range Range
}

// SessionTime returns how long a session lives without activity.
func (v Values) SessionTime() time.Duration {
	return time.Duration(v.number("session_time_sec")) * time.Second
}

// MobileSession returns how long a sign-in on a phone lasts.
func (v Values) MobileSession() time.Duration {
	return time.Duration(v.number("mobile_session_days")) * 24 * time.Hour
}

// ConcurrentSessions returns on how many devices a person may be signed in at the same
// time on a platform.
func (v Values) ConcurrentSessions(platform string) int32 {
	each, _ := v.stored["concurrent_sessions"].(map[string]any)
	n, _ := each[platform].(int64)
	return int32(n)
}

// LoginAllowed reports whether people may sign in on a platform.
func (v Values) LoginAllowed(platform string) bool {
	return slices.Contains(v.list("login_platforms"), any(platform))
}

// AddressAllowed reports whether a person may connect from an address on a
// platform.
func (v Values) AddressAllowed(platform string, from netip.Addr, userID int64) bool {
	if v.word("allowed_ip_mode") == "any" || !slices.Contains(v.list("allowed_ip_platforms"), any(platform)) ||
		slices.Contains(v.list("ip_exempt_user_ids"), any(userID)) {
		return true
	}
	_, listed := v.ListedAddress(from)
	return listed
}

// ExemptUsers returns the people to whom the ranges do not apply.
func (v Values) ExemptUsers() []int64 {
	if v.kind != Communication {
		return nil
	}
	var ids []int64
	for _, id := range v.list("ip_exempt_user_ids") {
		ids = append(ids, id.(int64))
	}
	return ids
}

// ListedAddress returns the first of the policy's ranges that contains an
// address, even if the setting that uses the ranges is off.
func (v Values) ListedAddress(a netip.Addr) (NamedRange, bool) {
	for _, one := range v.Ranges() {
		if one.Range.Contains(a) {
			return one, true
		}
	}
	return NamedRange{}, false
}

// Ranges returns the allowed ranges of a communication policy, or the clock-in
// ranges of a working attitude policy.
func (v Values) Ranges() []NamedRange {
	if v.kind == WorkingAttitude {
		return v.ranges("ip_ranges")
	}
	return v.ranges("allowed_ip_ranges")
}

func (v Values) ranges(key string) []NamedRange {
	var all []NamedRange
	for _, item := range v.list(key) {
		parts := item.(map[string]any)
		all = append(all, NamedRange{parts["location_name"].(string), parts["range"].(Range)})
	}
	return all
}

// Location returns the time zone of a working attitude policy.
func (v Values) Location() (*time.Location, error) { return time.LoadLocation(v.word("timezone")) }

// Day returns the schedule of a weekday.
func (v Values) Day(weekday time.Weekday) Day { return v.day(weekdays[(weekday+6)%7]) }

func (v Values) day(name string) Day {
	return v.stored["week"].(map[string]any)[name].(Day)
}

func (v Values) word(key string) string {
	word, _ := v.stored[key].(string)
	return word
}

func (v Values) number(key string) int64 {
	n, _ := v.stored[key].(int64)
	return n
}

func (v Values) list(key string) []any {
	list, _ := v.stored[key].([]any)
	return list
}

// FileSaving returns what a communication policy says about saving files on a
// platform: allow, view_only or block.
func (v Values) FileSaving(platform string) string {
	each, _ := v.stored["file_save"].(map[string]any)
	word, _ := each[platform].(string)
	return word
}
