package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/search"
	"officeconsole/workday"
)

// Holiday is a holiday of a company, which applies by each of its working attitude
// policies in addition to their public holidays and own dates.
type Holiday struct {
	ID int64
	HolidayDraft
	VersionNo     int32
	UpdatedAt     time.Time
	UpdatedByName string
}

// HolidayDraft is what an administrator says about a holiday: its dates, of which the
// last one may be the first, and its name.
type HolidayDraft struct {
	First, Last workday.Date
	Name        string
}

func newHoliday(row CompanyHoliday) Holiday {
	draft := HolidayDraft{workday.DateOf(row.FirstDate), workday.DateOf(row.LastDate), row.Name}
	return Holiday{row.ID, draft, row.VersionNo, row.UpdatedAt, row.UpdatedByName}
}

// The limits of holidays: the days of one, the characters of its name, and how many a
// company may have.
const (
	MostHolidayDays = 31
	maxHolidayName  = 50
	mostHolidays    = 1000
)

// Holidays returns the holidays of a company by date.
func (q *Queries) Holidays(ctx context.Context, companyID int64) ([]Holiday, error) {
	rows, err := q.companyHolidays(ctx, companyID)
	if err != nil {
		return nil, fmt.Errorf("holidays of company %d: %w", companyID, err)
	}
	all := make([]Holiday, len(rows))
	for i, row := range rows {
		all[i] = newHoliday(row)
	}
	return all, nil
}

// HolidayNames are the names of a company's holidays by date. nil is none.
type HolidayNames struct {
	Names map[workday.Date]string
	key   string
}

// newHolidayNames returns the names of holidays, which are sorted by date.
func newHolidayNames(holidays []Holiday) *HolidayNames {
	if len(holidays) == 0 {
		return nil
	}
	names, hash := map[workday.Date]string{}, sha256.New()
	for _, h := range holidays {
		fmt.Fprintf(hash, "%d %d %q\n", h.First, h.Last, h.Name)
		for date := h.First; date <= h.Last; date++ {
			names[date] = h.Name
		}
	}
	return &HolidayNames{names, hex.EncodeToString(hash.Sum(nil)[:12])}
}

// Key is equal for equal holidays, "" for none.
func (n *HolidayNames) Key() string {
	if n == nil {
		return ""
	}
	return n.key
}

// Extend returns a policy with the holidays.
func (n *HolidayNames) Extend(p *workday.Policy) *workday.Policy {
	if n == nil {
		return p
	}
	return p.WithCompanyHolidays(n.Names)
}

// tidy returns the draft without spaces around its name.
func (d HolidayDraft) tidy() HolidayDraft {
	d.Name = strings.Join(strings.Fields(d.Name), " ")
	if d.Last == 0 {
		d.Last = d.First
	}
	return d
}

// check refuses with FieldErrors what a holiday cannot be, beside others of the
// company.
func (d HolidayDraft) check(others []Holiday) error {
	refused := queries.FieldErrors{}
	switch {
	case search.IsBlank(d.Name):
		refused["name"] = "holiday.name.required"
	case utf8.RuneCountInString(d.Name) > maxHolidayName || !utf8.ValidString(d.Name):
		refused["name"] = "holiday.name.long"
	}
	isInRange := func(date workday.Date) bool {
		return date.Year() >= workday.FirstYear && date.Year() <= workday.LastYear
	}
	overlaps := func(h Holiday) bool { return h.First <= d.Last && d.First <= h.Last }
	switch {
	case d.First == 0:
		refused["first_date"] = "holiday.date.required"
	case !isInRange(d.First):
		refused["first_date"] = "holiday.date.range"
	case !isInRange(d.Last):
		refused["last_date"] = "holiday.date.range"
	case d.Last < d.First:
		refused["last_date"] = "holiday.last.before"
	case d.Last-d.First >= MostHolidayDays:
		refused["last_date"] = "holiday.last.long"
	case slices.ContainsFunc(others, overlaps):
		refused["first_date"] = "holiday.date.taken"
	case len(others) >= mostHolidays:
		refused["first_date"] = "holiday.too_many"
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// HolidayChange creates a holiday (ID is 0), changes one, or deletes it (Draft is nil).
type HolidayChange struct {
	ID        int64
	VersionNo int32 // that the actor has seen; 0 changes in any case
	Draft     *HolidayDraft
	Confirmed bool // change records as well
}

// HolidayPlan is what a change does to the dates of a company. A change that changes
// nothing has none.
type HolidayPlan struct {
	Records bool          // whether there are records on dates that change, so that the change has to be confirmed
	After   *HolidayNames // the holidays as if the change were saved

	before, after *Holiday
	old           map[workday.Date]string
}

// PlanHoliday returns what a change would do, or refuses it like SaveHoliday.
func (s *Store) PlanHoliday(ctx context.Context, companyID int64, c HolidayChange) (*HolidayPlan, error) {
	return s.planHoliday(ctx, companyID, c)
}

// planHoliday checks a change. It returns nil for one that changes nothing.
func (q *Queries) planHoliday(ctx context.Context, companyID int64, c HolidayChange) (*HolidayPlan, error) {
	all, err := q.Holidays(ctx, companyID)
	if err != nil {
		return nil, err
	}
	p := &HolidayPlan{old: map[workday.Date]string{}}
	if n := newHolidayNames(all); n != nil {
		p.old = n.Names
	}
	if c.ID != 0 {
		at := slices.IndexFunc(all, func(h Holiday) bool { return h.ID == c.ID })
		if at < 0 {
			return nil, queries.NotFound
		}
		before := all[at]
		if p.before = &before; c.VersionNo != 0 && c.VersionNo != before.VersionNo {
			return nil, queries.Conflict("holiday.changed")
		}
		all = slices.Delete(all, at, at+1)
	}
	if c.Draft != nil {
		draft := c.Draft.tidy()
		if err := draft.check(all); err != nil {
			return nil, err
		}
		p.after = &Holiday{ID: c.ID, HolidayDraft: draft, VersionNo: 1}
		if p.before != nil {
			p.after.VersionNo = p.before.VersionNo + 1
			if p.before.HolidayDraft == draft {
				return nil, nil
			}
		}
		all = append(all, *p.after)
		slices.SortFunc(all, func(a, b Holiday) int { return int(a.First - b.First) })
	}
	p.After = newHolidayNames(all)
	return p, q.checkHolidayDates(ctx, companyID, p)
}

// checkHolidayDates sets whether a plan changes records. It refuses dates of locked
// months.
func (q *Queries) checkHolidayDates(ctx context.Context, companyID int64, p *HolidayPlan) error {
	for _, span := range p.Spans() {
		year, month, _ := span.First.Time().Date()
		locked, err := q.anyLockOn(ctx, anyLockOnParams{companyID, workday.NewDate(year, month, 1).Time(), span.Last.Time()})
		if err != nil {
			return fmt.Errorf("locked months: %w", err)
		}
		if locked {
			return queries.FieldErrors{"first_date": "holiday.date.locked"}
		}
		recorded, err := q.anyRecordOn(ctx, anyRecordOnParams{companyID, span.First.Time(), span.Last.Time()})
		if err != nil {
			return fmt.Errorf("records of holidays: %w", err)
		}
		p.Records = p.Records || recorded
	}
	return nil
}

// DateSpan is the dates from one to another.
type DateSpan struct{ First, Last workday.Date }

// Spans returns the dates that get another name, or cease to be holidays or
// begin to. There is one at least.
func (p *HolidayPlan) Spans() (spans []DateSpan) {
	var dates []workday.Date
	for _, h := range []*Holiday{p.before, p.after} {
		for date := workday.Date(0); h != nil && date <= h.Last-h.First; date++ {
			var after string
			if p.After != nil {
				after = p.After.Names[h.First+date]
			}
			if p.old[h.First+date] != after {
				dates = append(dates, h.First+date)
			}
		}
	}
	slices.Sort(dates)
	for _, date := range dates {
		if n := len(spans); n > 0 && date <= spans[n-1].Last+1 {
			spans[n-1].Last = date
		} else {
			spans = append(spans, DateSpan{date, date})
		}
	}
	return spans
}

// CompleteSettings returns the settings as a JSON object with every key, in which
// holiday_dates has the holidays of the company, too.
func (e Effective) CompleteSettings() (json.RawMessage, error) {
	complete := e.Settings.Complete()
	if e.Holidays == nil {
		return complete, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(complete, &all); err != nil {
		return nil, err
	}
	type ownDate struct {
		Date string `json:"date"`
		Name string `json:"name"`
	}
	var dates []ownDate
	if err := json.Unmarshal(all["holiday_dates"], &dates); err != nil {
		return nil, err
	}
	for date, name := range e.Holidays.Names {
		if !slices.ContainsFunc(dates, func(own ownDate) bool { return own.Date == date.String() }) {
			dates = append(dates, ownDate{date.String(), name})
		}
	}
	slices.SortFunc(dates, func(a, b ownDate) int { return strings.Compare(a.Date, b.Date) })
	var err error
	if all["holiday_dates"], err = json.Marshal(dates); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
