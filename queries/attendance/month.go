package attendance

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// monthDay is a record in a row of attendance_months, with what lists of weeks
// and months show of it. Its words are stored as codes.
type monthDay struct {
	Day     uint8 // of the month
	Extra   bool  // Record.Extra
	Arrived bool

	status, dayType, presence uint8

	Holiday     string
	Flags       workday.Flags
	WorkedMin   int16 // unknownMin if unknown
	NightMin    int16
	RequiredMin int16
	OpensMin    int16 // Record.OpensAt in minutes after the date's midnight UTC
	premium

	version policy.VersionKey
}

// premium is the part of workday.Premium that is stored.
type premium struct {
	OvertimeMin    int32
	HolidayMin     int16
	HolidayOverMin int16
	HasBalance     bool
	BalanceMin     int32
}

// unknownMin is an unknown worked time.
const unknownMin = -1

// A code is the position of a word in its list, beginning with 1; 0 is an
// unknown word. Rows hold the codes, so words are only appended.
var (
	monthStatuses = []string{
		"leave", "holiday_work", "holiday", "absent", "missing_departure", "late_and_early", "late", "early_leave", "working", "before", "on_time", "not_due",
		"missing_arrival", "day_off",
	}
	monthTypes     = []string{"workday", "day_off", "holiday", "leave", "half_leave_am", "half_leave_pm"}
	monthPresences = []string{"not_due", "before", "working", "left", "absent", "missing_departure", "missing_arrival"}
)

func codeOf(words []string, word string) uint8 { return uint8(slices.Index(words, word) + 1) }

func wordOf(words []string, code uint8) string {
	if code == 0 || int(code) > len(words) {
		return ""
	}
	return words[code-1]
}

// Status returns the record's status, before AsOf.
func (d *monthDay) Status() workday.Status { return workday.Status(wordOf(monthStatuses, d.status)) }

// Type returns Record.DayType.
func (d *monthDay) Type() workday.DayType { return workday.DayType(wordOf(monthTypes, d.dayType)) }

// Presence returns the record's presence, before AsOf.
func (d *monthDay) Presence() workday.Presence {
	return workday.Presence(wordOf(monthPresences, d.presence))
}

// Date returns the date of the record; month is the first day of its month.
func (d *monthDay) Date(month workday.Date) workday.Date { return month + workday.Date(d.Day) - 1 }

// OpensAt returns when the window of the day opens, in whole minutes.
func (d *monthDay) OpensAt(month workday.Date) time.Time {
	return d.Date(month).Time().Add(time.Duration(d.OpensMin) * time.Minute)
}

// newMonthDay returns the entry of a record.
func newMonthDay(r *Record) monthDay {
	worked := int16(unknownMin)
	if r.WorkedMin != nil {
		worked = int16(*r.WorkedMin)
	}
	return monthDay{
		Day: uint8(r.WorkDate.Day()), Extra: r.Extra, Arrived: r.ArrivalAt != nil,
		status: codeOf(monthStatuses, r.Status), dayType: codeOf(monthTypes, r.DayType), presence: codeOf(monthPresences, r.Presence),
		Holiday: r.Holiday, Flags: workday.Flags(r.Flags), WorkedMin: worked,
		NightMin: int16(r.NightMin), RequiredMin: int16(r.RequiredMin),
		OpensMin: int16((r.OpensAt.Unix() - r.WorkDate.Unix()) / 60), premium: r.premium(), version: r.version(),
	}
}

// order returns the position of an entry among those of a month.
func (d *monthDay) order(day uint8, extra bool) int {
	switch {
	case d.Day != day || d.Extra == extra:
		return cmp.Compare(d.Day, day)
	case extra:
		return -1
	}
	return 1
}

// monthRow.Days begins with monthFormat. monthEntry is the length in bytes of an
// entry behind it: day, status, type, presence, a byte of bits (1 for extra, 2 for
// arrived, 4 for a balance), the line of the holiday's name or 0, four bytes of
// flags, two bytes for each of WorkedMin, NightMin, RequiredMin, OpensMin,
// HolidayMin and HolidayOverMin, four for OvertimeMin and BalanceMin, and the index
// of the policy version.
const (
	monthFormat = 0
	monthEntry  = 31
)

// firstMonthEntry is the length of an entry in rows that have no format byte and
// begin with a day. They have two bytes for each of WorkedMin, OvertimeMin,
// NightMin, RequiredMin and OpensMin.
const firstMonthEntry = 21

// monthVersion is the length in bytes of an entry of monthRow.Versions: eight
// bytes for the policy, four for the number.
const monthVersion = 12

// encodeDays returns the entries, the names of their holidays, one a line, and
// their versions.
func encodeDays(days []monthDay) (entries []byte, holidays string, versions []byte) {
	var names []string
	var nos []policy.VersionKey
	for i := range days {
		if days[i].Holiday != "" {
			names = append(names, days[i].Holiday)
		}
		if !slices.Contains(nos, days[i].version) {
			nos = append(nos, days[i].version)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortFunc(nos, func(a, b policy.VersionKey) int {
		return cmp.Or(cmp.Compare(a.PolicyID, b.PolicyID), cmp.Compare(a.No, b.No))
	})
	for _, v := range nos {
		versions = binary.BigEndian.AppendUint64(versions, uint64(v.PolicyID))
		versions = binary.BigEndian.AppendUint32(versions, uint32(v.No))
	}
	entries = make([]byte, 0, 1+len(days)*monthEntry)
	entries = append(entries, monthFormat)
	for i := range days {
		d := &days[i]
		var bits byte
		if d.Extra {
			bits |= 1
		}
		if d.Arrived {
			bits |= 2
		}
		if d.HasBalance {
			bits |= 4
		}
		entries = append(entries, d.Day, d.status, d.dayType, d.presence, bits, codeOf(names, d.Holiday))
		entries = binary.BigEndian.AppendUint32(entries, uint32(d.Flags))
		for _, minutes := range [...]int16{d.WorkedMin, d.NightMin, d.RequiredMin, d.OpensMin, d.HolidayMin, d.HolidayOverMin} {
			entries = binary.BigEndian.AppendUint16(entries, uint16(minutes))
		}
		entries = binary.BigEndian.AppendUint32(entries, uint32(d.OvertimeMin))
		entries = binary.BigEndian.AppendUint32(entries, uint32(d.BalanceMin))
		entries = append(entries, uint8(slices.Index(nos, d.version)+1))
	}
	return entries, strings.Join(names, "\n"), versions
}

// decodeDays appends the decoded entries to days. Callers that do not need
// holidays or versions pass none.
func decodeDays(days []monthDay, entries []byte, holidays string, versions []byte) ([]monthDay, error) {
	length := firstMonthEntry
	if len(entries) > 0 && entries[0] == monthFormat {
		entries, length = entries[1:], monthEntry
	}
	if len(entries)%length != 0 || len(versions)%monthVersion != 0 {
		return days, fmt.Errorf("a month has %d bytes and %d of versions, not entries of %d and %d", len(entries), len(versions), length, monthVersion)
	}
	var names []string
	if holidays != "" {
		names = strings.Split(holidays, "\n")
	}
	days = slices.Grow(days, len(entries)/length)
	for ; len(entries) > 0; entries = entries[length:] {
		e := entries[:length:length]
		minutes := func(at int) int16 { return int16(binary.BigEndian.Uint16(e[at:])) }
		long := func(at int) int32 { return int32(binary.BigEndian.Uint32(e[at:])) }
		days = append(days, monthDay{
			Day: e[0], status: e[1], dayType: e[2], presence: e[3], Extra: e[4]&1 != 0, Arrived: e[4]&2 != 0, Holiday: wordOf(names, e[5]),
			Flags: workday.Flags(long(6)), WorkedMin: minutes(10), version: versionAt(versions, e[length-1]),
		})
		d := &days[len(days)-1]
		if length == firstMonthEntry {
			d.OvertimeMin, d.NightMin, d.RequiredMin, d.OpensMin = int32(minutes(12)), minutes(14), minutes(16), minutes(18)
			continue
		}
		d.NightMin, d.RequiredMin, d.OpensMin = minutes(12), minutes(14), minutes(16)
		d.premium = premium{OvertimeMin: long(22), HolidayMin: minutes(18), HolidayOverMin: minutes(20), HasBalance: e[4]&4 != 0, BalanceMin: long(26)}
	}
	return days, nil
}

func versionAt(versions []byte, place uint8) policy.VersionKey {
	end := int(place) * monthVersion
	if end == 0 || end > len(versions) {
		return policy.VersionKey{}
	}
	v := versions[end-monthVersion : end]
	return policy.VersionKey{PolicyID: int64(binary.BigEndian.Uint64(v)), No: int32(binary.BigEndian.Uint32(v[8:]))}
}
