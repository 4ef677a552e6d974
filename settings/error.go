package settings

import (
	"strings"
	"unicode/utf8"
)

// Error is the reason why a value is refused or, as a warning, may be a
// mistake.
type Error struct {
	Key  string // path, such as "allowed_ip_ranges.3.range"; "" for the whole
	Code string // message id
	Args []any  // names and values for the message's template; numbers are int64
}

// Errors is empty if all values are valid.
type Errors []Error

// Error returns the paths and codes, for logs.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Key + ": " + one.Code
	}
	return strings.Join(lines, ", ")
}

// On returns the errors of a setting and its parts.
func (e Errors) On(path string) Errors {
	var found Errors
	for _, one := range e {
		if within(one.Key, path) {
			found = append(found, one)
		}
	}
	return found
}

// within reports whether path is whole or a part of it.
func within(path, whole string) bool {
	rest, ok := strings.CutPrefix(path, whole)
	return ok && (rest == "" || rest[0] == '.')
}

// The messages that refuse a value.
const (
	errObject        = "setting.error.object"
	errUnknown       = "setting.error.unknown"
	errRequired      = "setting.error.required"
	errBool          = "setting.error.bool"
	errInteger       = "setting.error.integer"
	errDecimal       = "setting.error.decimal"
	errNumber        = "setting.error.number"
	errText          = "setting.error.text"
	errList          = "setting.error.list"
	errChoice        = "setting.error.choice"
	errOutOfRange    = "setting.error.out_of_range"
	errTooLong       = "setting.error.too_long"
	errTooMany       = "setting.error.too_many"
	errCharacters    = "setting.error.characters"
	errTime          = "setting.error.time"
	errDate          = "setting.error.date"
	errZone          = "setting.error.zone"
	errExtension     = "setting.error.extension"
	errName          = "setting.error.location_name"
	errPlaceName     = "setting.error.place_name"
	errRangeMissing  = "setting.error.range_missing"
	errRange         = "setting.error.range"
	errRangeReversed = "setting.error.range_reversed"
	errRangeAll      = "setting.error.range_everything"
	errNoRanges      = "setting.error.no_ranges"
	errNoExtensions  = "setting.error.no_extensions"
	errNoPlaces      = "setting.error.no_places"
	errNoWorkDays    = "setting.error.no_work_days"
	errEndFirst      = "setting.error.end_before_start"
	errShiftTooLong  = "setting.error.shift_too_long"
	errSecondNextDay = "setting.error.second_next_day"
	errSecondOverlap = "setting.error.second_overlap"
	errBreakOutside  = "setting.error.break_outside"
	errBreakOverlap  = "setting.error.break_overlap"
	errCoreOutside   = "setting.error.core_outside"
	errWarnAboveCap  = "setting.error.warning_above_limit"
	errTwice         = "setting.error.twice"

	errSettlementFixed = "setting.error.settlement_fixed"
)

// The messages of warnings.
const (
	warnPrivate = "setting.warning.private_range"
	warnOverlap = "setting.warning.overlap"
)

// reader collects the errors found while values are read.
type reader struct {
	errors   Errors
	fromForm bool // bounds are given in the units of the form
}

func (r *reader) refuse(path, code string, args ...any) {
	r.errors = append(r.errors, Error{path, code, args})
}

// mostPath is the number of bytes of an unknown key that an error repeats.
const mostPath = 100

func (r *reader) unknown(path string) {
	if len(path) > mostPath || !utf8.ValidString(path) {
		path = strings.ToValidUTF8(path[:min(len(path), mostPath)], "")
	}
	r.refuse(path, errUnknown)
}
