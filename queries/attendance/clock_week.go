package attendance

import (
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// The kinds of notices about the hours of a week. Of a week that reaches both
// limits at once only the second one is told.
const (
	noticeWarn = "week_warn"
	noticeCap  = "week_cap"
)

// personWeek is a user's week by its first day.
type personWeek struct {
	userID int64
	first  workday.Date
}

func weekOf(userID int64, date workday.Date, p *recordPolicy) personWeek {
	return personWeek{userID, workday.WeekOf(date, p.WeekStart)}
}

// workedWeeks are worked minutes by user and date.
type workedWeeks map[RecordKey]int

// sum returns the worked minutes of a week.
func (w workedWeeks) sum(week personWeek) int {
	sum := 0
	for date := week.first; date < week.first+7; date++ {
		sum += w[RecordKey{UserID: week.userID, Date: date}]
	}
	return sum
}

// workedBetween reads the worked minutes of the batch's users from one date to another.
func (b *eventBatch) workedBetween(ctx context.Context, first, last workday.Date) (workedWeeks, error) {
	rows, err := b.workedDays(ctx, workedDaysParams{b.CompanyID, b.userIDs, first.Time(), last.Time()})
	worked := make(workedWeeks, len(rows))
	for _, row := range rows {
		worked[RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}] = int(row.WorkedMin)
	}
	return worked, err
}

// blocks reports whether the policy refuses an arrival because the week has
// reached its limit, with what the accepted events of the batch add to it.
func (b *eventBatch) blocks(ctx context.Context, event ClockEvent, p *recordPolicy) (bool, error) {
	if p.WeeklyAction != "block" || workday.Kind(event.Kind) != workday.In {
		return false, nil
	}
	if b.worked == nil {
		var err error
		oldest, newest := workday.DateOf(b.Now.Add(-maxEventAge)), workday.DateOf(b.Now)
		if b.worked, err = b.workedBetween(ctx, oldest-7, newest+7); err != nil {
			return false, err
		}
	}
	week := weekOf(event.UserID, workday.DateOf(event.At.In(p.Zone)), p)
	added, err := b.workedInBatch(ctx, week)
	return b.worked.sum(week)+added >= p.WeeklyCapMin, err
}

// workedInBatch returns the minutes that the accepted events of the batch add to a
// week. Its records are not derived yet, so those of the week are computed.
func (b *eventBatch) workedInBatch(ctx context.Context, week personWeek) (int, error) {
	var events []workday.Event
	for _, row := range b.events {
		if row.UserID == week.userID {
			events = append(events, ClockEvent(row).event())
		}
	}
	if len(events) == 0 {
		return 0, nil
	}
	loaded, err := b.loadWeek(ctx, week.first)
	if err != nil {
		return 0, err
	}
	p, sum := loaded.days[week.userID], 0
	changes := func(on workday.Date) bool {
		return isBetween(on, week.first, week.first+6) && !loaded.isLockedMonth(on)
	}
	for _, r := range workday.RecordsOn(p.plans, append(events, p.events...), b.Now, changes) {
		old := p.stored(RecordKey{UserID: week.userID, Date: r.Date, Extra: r.Extra})
		if old != nil && old.DeletedAt != nil {
			continue
		}
		if r.WorkedMin != nil {
			sum += *r.WorkedMin
		}
		if old != nil && old.WorkedMin != nil {
			sum -= int(*old.WorkedMin)
		}
	}
	return sum, nil
}

// loadWeek reads the days of a week of all people of the batch, once.
func (b *eventBatch) loadWeek(ctx context.Context, first workday.Date) (*loadedDays, error) {
	if loaded := b.weeks[first]; loaded != nil {
		return loaded, nil
	}
	ids := slices.Sorted(maps.Keys(b.people))
	loaded, err := b.load(ctx, ids, first, first+6)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		loaded.choose(id, first, first+6)
	}
	b.weeks[first] = loaded
	return loaded, loaded.readFacts(ctx)
}

// noteLongWeek has the week of a departure examined after its records are
// derived. The work of a departure after midnight may belong to the week
// before.
func (b *eventBatch) noteLongWeek(event ClockEvent, date workday.Date, p *recordPolicy) {
	if p.WeeklyAction != "notify" || workday.Kind(event.Kind) != workday.Out {
		return
	}
	today := workday.DateOf(b.Now.In(p.Zone))
	for _, on := range []workday.Date{date - 1, date} {
		if week := weekOf(event.UserID, on, p); week.first+7 >= today {
			b.longWeeks[week] = p
		}
	}
}

// WeeklyLimit is the message to the messenger that somebody's week has reached
// a limit.
type WeeklyLimit struct {
	UserID    int64  `json:"user_id"`
	Week      string `json:"week"`  // its first day
	Level     string `json:"level"` // warn or cap
	WorkedMin int    `json:"worked_min"`
	LimitMin  int    `json:"limit_min"`
}

// publishLongWeeks publishes which of the examined weeks have reached a limit,
// each limit once.
func (b *eventBatch) publishLongWeeks(ctx context.Context) error {
	if len(b.longWeeks) == 0 {
		return nil
	}
	worked := make(map[personWeek]int, len(b.longWeeks))
	arg := insertNoticesParams{CompanyID: b.CompanyID, Now: b.Now}
	for week, p := range b.longWeeks {
		worked[week] = b.derived.workedMin(week.userID, week.first, week.first+6)
		for kind, limit := range map[string]int{noticeWarn: p.WeeklyWarnMin, noticeCap: p.WeeklyCapMin} {
			if worked[week] >= limit {
				arg.Days, arg.UserIds, arg.Kinds = append(arg.Days, week.first.Time()), append(arg.UserIds, week.userID), append(arg.Kinds, kind)
			}
		}
	}
	if len(arg.Kinds) == 0 {
		return nil
	}
	rows, err := b.insertNotices(ctx, arg)
	if err != nil || len(rows) == 0 {
		return err
	}
	for _, limit := range b.weeklyLimits(rows, worked) {
		if err := queries.New(b.db).Publish(ctx, b.CompanyID, b.Now, "attendance.weekly_limit", limit); err != nil {
			return err
		}
	}
	return nil
}

// weeklyLimits returns what to tell of weeks that have just reached limits.
func (b *eventBatch) weeklyLimits(rows []insertNoticesRow, worked map[personWeek]int) []WeeklyLimit {
	capped := map[personWeek]bool{}
	for _, row := range rows {
		if row.Kind == noticeCap {
			capped[personWeek{row.UserID, workday.DateOf(row.Day)}] = true
		}
	}
	var limits []WeeklyLimit
	for _, row := range rows {
		week := personWeek{row.UserID, workday.DateOf(row.Day)}
		p, first := b.longWeeks[week], row.Day.Format(time.DateOnly)
		switch {
		case row.Kind == noticeCap:
			limits = append(limits, WeeklyLimit{row.UserID, first, "cap", worked[week], p.WeeklyCapMin})
		case !capped[week]:
			limits = append(limits, WeeklyLimit{row.UserID, first, "warn", worked[week], p.WeeklyWarnMin})
		}
	}
	return limits
}
