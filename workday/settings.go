package workday

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// storedSettings are the settings of a working attitude policy as their JSON
// has them, with every key (domain §5).
type storedSettings struct {
	WorkType  WorkType `json:"work_type"`
	Timezone  string   `json:"timezone"`
	Week      map[string]storedShift
	Flexible  storedSpan  `json:"flexible_start"`
	Core      *storedSpan `json:"core_time"`
	Required  int         `json:"daily_required_min"`
	Calendar  Calendar    `json:"holiday_calendar"`
	Own       []ownDay    `json:"holiday_dates"`
	EarlyIn   int         `json:"early_in_min"`
	DayClose  int         `json:"day_close"`
	GraceIn   int         `json:"grace_in_min"`
	GraceOut  int         `json:"grace_out_min"`
	Absent    *int        `json:"late_as_absent_min"`
	BreakMode BreakMode   `json:"break_mode"`
	Breaks    []storedSpan
	IPMode    string           `json:"ip_mode"`
	GPSMode   string           `json:"gps_mode"`
	Count     CountMode        `json:"count_mode"`
	Missing   MissingDeparture `json:"missing_departure"`
	Rounding  int              `json:"rounding_min"`
	Overtime  OvertimeMode
	Night     storedSpan
	WeekStart string `json:"week_start"`
	Cap       int    `json:"weekly_cap_min"`
	Warn      int    `json:"weekly_warn_min"`

	Settlement    Settlement `json:"settlement"`
	OvertimeAfter *int       `json:"weekly_overtime_after_min"`
}

// storedShift is a weekday. Versions from before days off and weekly holidays
// were told apart have work instead of kind.
type storedShift struct {
	Kind       ShiftKind
	Work       bool
	Start, End storedClock
	EndNextDay bool `json:"end_next_day"`
	Second     *struct{ Start, End storedClock }
}

// usualOvertimeAfterMin is the weekly working time by law (Labour Standards Act,
// Article 50; Japan's Article 32).
const usualOvertimeAfterMin = 40 * 60

// shift returns the weekday as a policy has it. Where kind is absent, Sunday is the
// weekly holiday, and every other day without work a day off.
func (s storedShift) shift(weekday time.Weekday, of WorkType) Shift {
	shift := Shift{Kind: s.Kind, Start: int(s.Start), End: int(s.End), EndNextDay: s.EndNextDay}
	switch {
	case s.Kind != "":
	case s.Work:
		shift.Kind = ShiftWork
	case weekday == time.Sunday:
		shift.Kind = ShiftWeeklyHoliday
	default:
		shift.Kind = ShiftDayOff
	}
	if s.Second != nil && of == Fixed {
		shift.Second = Span{int(s.Second.Start), int(s.Second.End)}
	}
	return shift
}

type storedSpan struct{ From, To storedClock }

func (s storedSpan) span() Span { return Span{int(s.From), int(s.To)} }

type ownDay struct {
	Date Date
	Name string
}

// storedClock is "09:00".
type storedClock int

func (c *storedClock) UnmarshalText(text []byte) error {
	t, err := time.Parse("15:04", string(text))
	if err != nil {
		return fmt.Errorf("time of day: %w", err)
	}
	*c = storedClock(t.Hour()*60 + t.Minute())
	return nil
}

// weekdayNames are indexed by time.Weekday.
var weekdayNames = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ReadPolicy reads the settings of a working attitude policy: a JSON object
// with every key of domain §5, which was validated before.
func ReadPolicy(settings json.RawMessage) (*Policy, error) {
	var s storedSettings
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, fmt.Errorf("working attitude settings: %w", err)
	}
	if s.Timezone == "" { // time.LoadLocation reads "" as UTC
		return nil, errors.New("working attitude settings: no time zone")
	}
	zone, err := time.LoadLocation(s.Timezone)
	if err != nil {
		return nil, fmt.Errorf("working attitude settings: %w", err)
	}
	p := &Policy{
		WorkType: s.WorkType, Zone: zone,
		FlexibleStart: s.Flexible.span(), RequiredMin: s.Required,
		EarlyInMin: s.EarlyIn, DayCloseMin: s.DayClose,
		GraceInMin: s.GraceIn, GraceOutMin: s.GraceOut,
		BreakMode: s.BreakMode, CountMode: s.Count, MissingDeparture: s.Missing,
		RoundingMin: s.Rounding, Overtime: s.Overtime, Night: s.Night.span(),
		ProofRequired: s.IPMode == "listed" || s.GPSMode == "require",
		Calendar:      s.Calendar, OwnHolidays: map[Date]string{},
		WeeklyCapMin: s.Cap, WeeklyWarnMin: s.Warn,
		Settlement: SettlementDay, WeeklyOvertimeAfterMin: usualOvertimeAfterMin,
	}
	if s.WorkType != Fixed && s.Settlement != "" {
		p.Settlement = s.Settlement
	}
	if s.OvertimeAfter != nil {
		p.WeeklyOvertimeAfterMin = *s.OvertimeAfter
	}
	for i, name := range weekdayNames {
		p.Week[i] = s.Week[name].shift(time.Weekday(i), s.WorkType)
		if name == s.WeekStart {
			p.WeekStart = time.Weekday(i)
		}
	}
	if s.Core != nil {
		p.Core = s.Core.span()
	}
	if s.Absent != nil {
		p.LateAsAbsentMin = *s.Absent
	}
	for _, pause := range s.Breaks {
		p.Breaks = append(p.Breaks, pause.span())
	}
	for _, own := range s.Own {
		p.OwnHolidays[own.Date] = own.Name
	}
	return p, nil
}

// WithCompanyHolidays returns the policy with the holidays of its company, by their
// dates.
func (p *Policy) WithCompanyHolidays(names map[Date]string) *Policy {
	extended := *p
	extended.CompanyHolidays = names
	return &extended
}

// HolidayOn returns the holiday on a date as Day.Holiday has it: the name of one of
// the policy or of the company, else the id of a public one, else "".
func (p *Policy) HolidayOn(d Date) string {
	if name, own := p.OwnHolidays[d]; own {
		return name
	}
	if name, own := p.CompanyHolidays[d]; own {
		return name
	}
	h, _ := p.Calendar.HolidayOn(d)
	return h.ID
}
