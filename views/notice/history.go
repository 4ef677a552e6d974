package notice

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/notice"
	"officeconsole/views"
)

// Event is an entry of a notice's history.
type Event struct {
	At            time.Time
	By            string // "" for an operator, and for what the clock did
	Action        string // of the change log, or published
	Before, After notice.Record
	Reminder      notice.ReminderRecord // of notice.reminded
}

// published is the action of a reservation whose time came, which is no change.
const published = "notice.published"

// NewEvent reads an entry of the change log.
func NewEvent(at time.Time, by, action string, before, after json.RawMessage) (Event, error) {
	e := Event{At: at, By: by, Action: action}
	if before != nil {
		if err := json.Unmarshal(before, &e.Before); err != nil {
			return e, err
		}
	}
	if after == nil {
		return e, nil
	}
	if action == "notice.reminded" {
		return e, json.Unmarshal(after, &e.Reminder)
	}
	return e, json.Unmarshal(after, &e.After)
}

// History is a page of a notice's history, the latest event first.
type History struct {
	Events  []Event
	Names   notice.TargetNames
	Later   bool   // whether there are events before the page
	Earlier string // cursor of the events after it; "" without any
}

// AddClock adds to a page what the change log does not have: that a reservation was
// published, and the creation of a notice from before the log.
func (h *History) AddClock(d Detail) {
	if d.isPublished() && d.PublishAt.After(d.CreatedAt) {
		h.add(Event{At: d.PublishAt, Action: published})
	}
	h.add(Event{At: d.CreatedAt, By: d.Author, Action: "notice.created", After: notice.Record{Draft: notice.Draft{PublishAt: &d.PublishAt}}})
}

// add adds an event at its time, unless it belongs to another page or there is one
// of that time.
func (h *History) add(e Event) {
	at := slices.IndexFunc(h.Events, func(other Event) bool { return !other.At.After(e.At) })
	isOther := at == 0 && h.Later || at < 0 && h.Earlier != ""
	if isOther || at >= 0 && h.Events[at].At.Equal(e.At) {
		return
	}
	if at < 0 {
		at = len(h.Events)
	}
	h.Events = slices.Insert(h.Events, at, e)
}

// text says what happened.
func (e Event) text(ctx context.Context, f views.Frame) string {
	isReserved := func(r notice.Record) bool { return r.PublishAt != nil && r.PublishAt.After(e.At) }
	moment := func(r notice.Record) string { return locales.ShortDateTime(ctx, r.PublishAt.In(f.Zone()), f.Now) }
	switch e.Action {
	case published:
		return locales.T(ctx, "notice.history.clock")
	case "notice.created":
		if isReserved(e.After) {
			return locales.T(ctx, "notice.history.reserved", "Time", moment(e.After))
		}
		return locales.T(ctx, "notice.history.published")
	case "notice.updated":
		if !isReserved(e.After) {
			return locales.T(ctx, "notice.history.at_once")
		}
		return locales.T(ctx, "notice.history.edited")
	case "notice.deleted":
		if isReserved(e.Before) {
			return locales.T(ctx, "notice.history.cancelled")
		}
		return locales.T(ctx, "notice.history.deleted")
	case "notice.restored":
		return locales.T(ctx, "notice.history.restored")
	}
	return locales.N(ctx, "notice.history.reminded", e.Reminder.People)
}

// tone marks an event that readers notice, or that removed something.
func (e Event) tone() string {
	switch e.Action {
	case published, "notice.reminded", "notice.restored":
		return "accent"
	case "notice.deleted":
		return "danger"
	}
	return ""
}

// differences are what an edit changed.
func (e Event) differences(h History, f views.Frame) differences {
	if e.Action != "notice.updated" {
		return differences{}
	}
	return differences{notice.Compare(e.Before, e.After), h.Names, f.Zone()}
}
