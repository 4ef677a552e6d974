package attendance

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// PreviewHoliday returns what a change of a company's holidays would do to records, and
// writes nothing. Dates without records change nothing.
func (s *Store) PreviewHoliday(ctx context.Context, companyID int64, plan *policy.HolidayPlan) (PastPreview, error) {
	p := PastPreview{IsExact: true}
	if plan == nil || !plan.Records {
		return p, nil
	}
	spans := plan.Spans()
	p.First = spans[0].First
	size := min(s.mostRecomputed, recomputeDays/policy.MostHolidayDays)
	for people, after := 0, int64(0); ; people += size {
		if people >= mostPreviewedPeople || p.days > mostPreviewedDays {
			p.IsExact = false
			return p, nil
		}
		ids, err := s.nextRecomputed(ctx, nextRecomputedParams{CompanyID: companyID, AfterID: after, Size: int32(size)})
		if err != nil || len(ids) == 0 {
			return p, err
		}
		d, err := s.unlockedDerivation(ctx, s.Queries, companyID, ids)
		if err != nil {
			return p, err
		}
		d.planned, after = plan, ids[len(ids)-1]
		for _, span := range spans {
			if err := d.previewBetween(ctx, ids, span.First-windowReach, span.Last+windowReach, &p.RecordSums); err != nil {
				return p, err
			}
		}
	}
}

// previewBetween derives the records of users from one date to another without writing
// them, and adds how they differ to sums.
func (d *derivation) previewBetween(ctx context.Context, userIDs []int64, first, last workday.Date, sums *RecordSums) error {
	loaded, err := d.load(ctx, userIDs, first, last)
	if err != nil {
		return err
	}
	for _, id := range userIDs {
		loaded.choose(id, first, last)
	}
	c, err := loaded.compute(ctx)
	if err != nil {
		return err
	}
	sums.add(loaded, c)
	return nil
}

// HolidayEntry is a holiday in the calendar of a company: one of the company's own, or
// a public one.
type HolidayEntry struct {
	First, Last workday.Date
	Company     *policy.Holiday // nil for a public holiday

	Calendar workday.Calendar // of a public holiday
	Public   workday.PublicHoliday
}

// HolidayCalendar returns the holidays of a year by date: those of the company, and the
// public ones of the calendars of its working attitude policies that are in force.
func (s *Store) HolidayCalendar(ctx context.Context, p directory.Person, year int) ([]HolidayEntry, error) {
	own, err := s.policy.Holidays(ctx, p.CompanyID)
	if err != nil {
		return nil, err
	}
	var all []HolidayEntry
	for _, h := range own {
		if h.First.Year() <= year && year <= h.Last.Year() {
			all = append(all, HolidayEntry{First: h.First, Last: h.Last, Company: &h})
		}
	}
	calendars, err := s.calendars(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, calendar := range calendars {
		for _, public := range calendar.Holidays(year) {
			all = append(all, HolidayEntry{First: public.Date, Last: public.Date, Calendar: calendar, Public: public})
		}
	}
	slices.SortStableFunc(all, func(a, b HolidayEntry) int { return int(a.First - b.First) })
	return all, nil
}

// calendars returns the calendars of the policies in force.
func (s *Store) calendars(ctx context.Context, p directory.Person) ([]workday.Calendar, error) {
	now := s.db.Now()
	t, err := s.policy.Timeline(ctx, policy.TimelineRequest{CompanyID: p.CompanyID, Kind: "workingattitude", PolicyVersion: p.PolicyVersion, At: now})
	if err != nil {
		return nil, fmt.Errorf("calendars of company %d: %w", p.CompanyID, err)
	}
	used := map[workday.Calendar]bool{}
	for _, span := range t.Spans() {
		version, err := s.policies.with(t).get(span)
		if err != nil {
			return nil, err
		}
		used[version.Calendar] = used[version.Calendar] || span.Enabled
	}
	return slices.DeleteFunc([]workday.Calendar{workday.CalendarKR, workday.CalendarJP}, func(c workday.Calendar) bool { return !used[c] }), nil
}
