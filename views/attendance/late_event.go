package attendance

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// LateEventsPath is the page of the clock events that were received after a month was
// locked. The month is in the query.
const LateEventsPath = ManagementPath + "/locks/events"

// LateEventList is the list of the late clock events of a month.
type LateEventList struct {
	Frame views.Frame
	Month attendance.LockedMonth
	Page  lists.Page[attendance.LateEvent]
}

// LateEventsAddress is the address of the list of a month.
func LateEventsAddress(month workday.Date) string {
	return views.WithQuery(LateEventsPath, url.Values{"month": {monthText(month)}})
}

func (l LateEventList) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "attendance.total", func(cursor string) string {
		query := url.Values{"month": {monthText(l.Month.Month)}}
		lists.SetText(query, "cursor", cursor)
		return views.WithQuery(LateEventsPath, query)
	})
}

// lateTime is the time of an event, with the day if that is not the work date.
func (l LateEventList) lateTime(ctx context.Context, e attendance.LateEvent) string {
	local := e.At.In(l.Frame.Zone())
	return clockOn(ctx, e.Key().Date, local, locales.Time(ctx, local))
}

// lateText says of the late events of a month and their people what the message says. The
// people of more events than are counted may be more, too.
func lateText(ctx context.Context, id string, m attendance.LockedMonth) string {
	people := locales.N(ctx, "attendance.locks.people", m.LatePeople)
	if m.LateEvents > attendance.MaxMonthSize {
		people = locales.N(ctx, "attendance.locks.people.more", m.LatePeople)
	}
	return locales.T(ctx, id, "Events", sizeText(ctx, "attendance.late.events", "attendance.late.events.more", m.LateEvents), "People", people)
}

// late counts the late events of all months.
func (m LockedMonths) late() int {
	sum := 0
	for _, month := range m.Months {
		sum += month.LateEvents
	}
	return sum
}
