package queries

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/workday"
)

// monthDay is a record in a row of attendance_months: what lists of weeks and
// months show of it. Its words are kept as codes.
type monthDay struct {
	Day     uint8 // of the month
	Extra   bool  // as of DayRecord
	Arrived bool

	status, dayType, presence uint8

	Holiday     string
	Flags       workday.Flags
	WorkedMin   int16 // unknownMin: not known
	OvertimeMin int16
	NightMin    int16
	RequiredMin int16
	OpensMin    int16 // DayRecord.OpensAt in minutes after the date's midnight UTC
	WeekCapMin  int16 // workday.Policy.WeeklyCapMin of its version
}

// unknownMin is a worked time that is not known.
const unknownMin = -1

// The codes are positions in these lists, from one on; 0 is an unknown word. The
// migration has them too: only append.
var (
	monthStatuses = []string{
		"leave", "holiday_work", "holiday", "absent", "missing_departure", "late_and_early", "late", "early_leave", "working", "before", "on_time", "not_due",
	}
	monthTypes     = []string{"workday", "day_off", "holiday", "leave", "half_leave_am", "half_leave_pm"}
	monthPresences = []string{"not_due", "before", "working", "left", "absent", "missing_departure"}
)

func codeOf(words []string, word string) uint8 { return uint8(slices.Index(words, word) + 1) }

func wordOf(words []string, code uint8) string {
	if code == 0 || int(code) > len(words) {
		return ""
	}
	return words[code-1]
}

// Status is that of the record, without AsOf.
func (d *monthDay) Status() workday.Status { return workday.Status(wordOf(monthStatuses, d.status)) }

// Type is DayRecord.DayType.
func (d *monthDay) Type() workday.DayType { return workday.DayType(wordOf(monthTypes, d.dayType)) }

// Presence is that of the record, without AsOf.
func (d *monthDay) Presence() workday.Presence {
	return workday.Presence(wordOf(monthPresences, d.presence))
}

// OpensAt is when the window of the day opens, in whole minutes.
func (d *monthDay) OpensAt(month workday.Date) time.Time {
	return (month + workday.Date(d.Day) - 1).Time().Add(time.Duration(d.OpensMin) * time.Minute)
}

// newMonthDay is a record as its month has it.
func newMonthDay(r *DayRecord, weekCapMin int) monthDay {
	worked := int16(unknownMin)
	if r.WorkedMin != nil {
		worked = int16(*r.WorkedMin)
	}
	return monthDay{
		Day: uint8(r.WorkDate.Day()), Extra: r.Extra, Arrived: r.ArrivalAt != nil,
		status: codeOf(monthStatuses, r.Status), dayType: codeOf(monthTypes, r.DayType), presence: codeOf(monthPresences, r.Presence),
		Holiday: r.Holiday, Flags: workday.Flags(r.Flags), WorkedMin: worked,
		OvertimeMin: int16(r.OvertimeMin), NightMin: int16(r.NightMin), RequiredMin: int16(r.RequiredMin),
		OpensMin: int16((r.OpensAt.Unix() - r.WorkDate.Unix()) / 60), WeekCapMin: int16(weekCapMin),
	}
}

// order is that of the entries of a month.
func (d *monthDay) order(day uint8, extra bool) int {
	switch {
	case d.Day != day || d.Extra == extra:
		return cmp.Compare(d.Day, day)
	case extra:
		return -1
	}
	return 1
}

// monthEntry is the length of an entry of AttendanceMonth.Days: day, status,
// type, presence, a byte of bits (1 extra, 2 arrived), the line of the holiday's
// name or 0, the flags in four bytes, and the minutes in two each.
const monthEntry = 22

// encodeDays gives the entries and the lines of their holidays.
func encodeDays(days []monthDay) (entries []byte, holidays string) {
	var names []string
	for i := range days {
		if days[i].Holiday != "" {
			names = append(names, days[i].Holiday)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	entries = make([]byte, 0, len(days)*monthEntry)
	for i := range days {
		d := &days[i]
		var bits byte
		if d.Extra {
			bits |= 1
		}
		if d.Arrived {
			bits |= 2
		}
		entries = append(entries, d.Day, d.status, d.dayType, d.presence, bits, codeOf(names, d.Holiday))
		entries = binary.BigEndian.AppendUint32(entries, uint32(d.Flags))
		for _, minutes := range [...]int16{d.WorkedMin, d.OvertimeMin, d.NightMin, d.RequiredMin, d.OpensMin, d.WeekCapMin} {
			entries = binary.BigEndian.AppendUint16(entries, uint16(minutes))
		}
	}
	return entries, strings.Join(names, "\n")
}

// decodeDays appends what encodeDays gave to days.
func decodeDays(days []monthDay, entries []byte, holidays string) ([]monthDay, error) {
	if len(entries)%monthEntry != 0 {
		return days, fmt.Errorf("a month has %d bytes, not entries of %d", len(entries), monthEntry)
	}
	var names []string
	if holidays != "" {
		names = strings.Split(holidays, "\n")
	}
	days = slices.Grow(days, len(entries)/monthEntry)
	for ; len(entries) > 0; entries = entries[monthEntry:] {
		e := (*[monthEntry]byte)(entries)
		minutes := func(at int) int16 { return int16(binary.BigEndian.Uint16(e[at:])) }
		days = append(days, monthDay{
			Day: e[0], status: e[1], dayType: e[2], presence: e[3], Extra: e[4]&1 != 0, Arrived: e[4]&2 != 0, Holiday: wordOf(names, e[5]),
			Flags: workday.Flags(binary.BigEndian.Uint32(e[6:])), WorkedMin: minutes(10), OvertimeMin: minutes(12),
			NightMin: minutes(14), RequiredMin: minutes(16), OpensMin: minutes(18), WeekCapMin: minutes(20),
		})
	}
	return days, nil
}
