package attendance

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// ReviewsPath is where decisions about items of the desk are asked for and sent.
const ReviewsPath = dayPath + "/reviews"

// Desk is the page of what needs a person.
type Desk struct {
	attendance.DeskFilter
	attendance.Desk
	Frame       views.Frame
	Refused     string                  // message id of why the search was refused; "" for none
	Departments []attendance.Department // that can be chosen
	LetterKeys  bool                    // whether single letters are shortcuts
	Picked      []string                // the values of DeskItemValue whose boxes are ticked
	Weeks       Forecasts               // whose week is expected to pass its limit, the most urgent; empty with a search or kind
	Peek        *DeskPeek               // of the item that is open; nil for none
}

// DeskPeek is the item beside the list, with what was typed in its form.
type DeskPeek struct {
	attendance.DeskEvidence
	View     RecordView // the record, for its events and its map
	Next     string     // the key of the item after it; "" for none
	Time     TimeField  // as typed, by the clocks of the company; none for the suggested one
	Comment  string
	Errors   queries.FieldErrors
	AskTimed bool // whether the field of the time takes the focus
}

// address is the address of the desk with an item open, or "".
func (d Desk) address(open string) string {
	query := d.Values()
	query.Set("view", "desk")
	if open != "" {
		query.Set("open", open)
	}
	return views.WithQuery(dayPath, query)
}

// with is the address of the desk with another value of a filter.
func (d Desk) with(name, value string) string {
	query := d.Values()
	query.Set("view", "desk")
	return views.ListURL(dayPath, query, name, value)
}

// older is the address of the desk with the earliest dates that it can show.
func (d Desk) older() string {
	return d.with("from", attendance.OldestDesk(d.Last).String())
}

// question is the address of the question about all items of a kind.
func (d Desk) question(kind attendance.DeskKind, decision attendance.Decision) string {
	return views.WithQuery(ReviewsPath, url.Values{"kind": {string(kind)}, "decision": {string(decision)}, "back": {d.address("")}})
}

// rejection is the address of the question whether to reject the item that is open.
func (d Desk) rejection(p *DeskPeek) string {
	return views.WithQuery(ReviewsPath, url.Values{"item": {DeskItemValue(p.Item)}, "decision": {string(attendance.Reject)}, "next": {p.Next}, "back": {d.address("")}})
}

// lacksTime is NeedsTime as far as the list tells: only the evidence of uncounted events
// says whether there is one to add.
func lacksTime(i attendance.DeskItem) bool { return NeedsTime(i) && i.Kind != attendance.DeskUncounted }

// isOpen reports whether an item is beside the list.
func (d Desk) isOpen(item attendance.DeskItem) bool {
	return d.Peek != nil && d.Peek.Item.DeskKey == item.DeskKey
}

// isPicked reports whether the box of an item is ticked, also if the suggestion or the
// request has changed since.
func (d Desk) isPicked(item attendance.DeskItem) bool {
	return slices.ContainsFunc(d.Picked, func(value string) bool {
		picked, err := ParseDeskItem(value)
		return err == nil && picked.DeskKey == item.DeskKey
	})
}

// pickedText counts the ticked items, as the browser does from then on.
func (d Desk) pickedText(ctx context.Context) string {
	if len(d.Picked) == 0 {
		return locales.T(ctx, "desk.bulk")
	}
	return views.PickedText(ctx, "desk.bulk.picked", len(d.Picked), 0)
}

// isFiltered reports whether a filter may have excluded items.
func (d Desk) isFiltered() bool { return d.Kind != "" || d.Query != "" || d.DepartmentID != 0 }

func (d Desk) kinds(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "desk.kind.any")}}
	for _, kind := range attendance.DeskKinds {
		options = append(options, views.Option{Value: string(kind), Text: deskKindWord(ctx, kind)})
	}
	return options
}

func (d Desk) departments(ctx context.Context) []views.Option {
	return departmentOptions(ctx, d.Departments)
}

// Following returns the key of the item after one in the list, or before it if it is the
// last; "" for none.
func (d Desk) Following(key attendance.DeskKey) string {
	var keys []attendance.DeskKey
	for _, group := range d.Groups {
		for _, item := range group.Items {
			keys = append(keys, item.DeskKey)
		}
	}
	at := slices.Index(keys, key)
	switch {
	case at >= 0 && at+1 < len(keys):
		return keys[at+1].String()
	case at > 0:
		return keys[at-1].String()
	}
	return ""
}

// sentence says of which days the desk is.
func (d Desk) sentence(ctx context.Context) string {
	if d.IsUsual() {
		return locales.T(ctx, "desk.text", "Date", locales.LongDate(ctx, d.Frame.Now))
	}
	return locales.T(ctx, "desk.text.since", "Date", locales.Date(ctx, d.First.Time()))
}

// deskLooks are the tone and the icon of a kind.
var deskLooks = map[attendance.DeskKind]statusLook{
	attendance.DeskMissingDeparture: {"warning", "help"},
	attendance.DeskMissingArrival:   {"warning", "help"},
	attendance.DeskCorrection:       {"info", "edit"},
	attendance.DeskUnproven:         {"warning", "shield"},
	attendance.DeskRefused:          {"danger", "x"},
	attendance.DeskUncounted:        {"", "alert"},
}

func deskKindWord(ctx context.Context, kind attendance.DeskKind) string {
	return locales.T(ctx, "desk.kind."+string(kind))
}

// groupCount is the number of items of a group, "300+" for more than are counted.
func groupCount(ctx context.Context, g attendance.DeskGroup) string {
	return countText(ctx, g.Total, g.IsMore)
}

func countText(ctx context.Context, n int, isMore bool) string {
	text := locales.Number(ctx, int64(n))
	if isMore {
		text += "+"
	}
	return text
}

// total is the number of all items.
func (d Desk) total(ctx context.Context) string {
	return countText(ctx, d.Total, slices.ContainsFunc(d.Groups, func(g attendance.DeskGroup) bool { return g.IsMore }))
}

// decidable is the number of items of a group that its button decides at once.
func decidable(g attendance.DeskGroup) bool {
	return g.Total > 1 && !slices.ContainsFunc(g.Items, func(i attendance.DeskItem) bool { return !i.MayDecide })
}

// clock writes a time of an item, with its day unless it is the work date.
func (d Desk) clock(ctx context.Context, i attendance.DeskItem, at *time.Time) string {
	if at == nil {
		return unknownTime
	}
	local := at.In(d.Frame.Zone())
	return clockOn(ctx, i.Date, local, locales.Time(ctx, local))
}

// what says in a line what the matter is.
func (d Desk) what(ctx context.Context, i attendance.DeskItem) string {
	arrival := locales.T(ctx, "desk.what.arrival", "Time", d.clock(ctx, i, i.ArrivalAt))
	departure := locales.T(ctx, "desk.what.departure", "Time", d.clock(ctx, i, i.DepartureAt))
	device := platformWord(ctx, i.Device)
	switch i.Kind {
	case attendance.DeskMissingDeparture:
		return locales.T(ctx, "desk.what.missing_departure", "Arrival", joined(arrival, device))
	case attendance.DeskMissingArrival:
		return locales.T(ctx, "desk.what.missing_arrival", "Departure", departure)
	case attendance.DeskCorrection:
		return d.asked(ctx, i) + " " + locales.T(ctx, "record.quote", "Text", i.Reason)
	case attendance.DeskUnproven:
		clocked := arrival
		if i.ArrivalAt == nil {
			clocked = departure
		}
		return joined(append([]string{clocked, device}, flagWords(ctx, int32(workday.Flags(i.Flags)&(workday.FlagOutside|workday.FlagUnproven|workday.FlagMock)))...)...)
	case attendance.DeskRefused:
		return joined(locales.N(ctx, "desk.what.refused."+i.EventKind, int(i.Attempts), "Time", d.clock(ctx, i, i.At)), device, locales.T(ctx, "desk.code."+i.Code[len("event."):]))
	}
	return locales.N(ctx, "desk.what.uncounted", int(i.Uncounted))
}

// asked says what a request changes.
func (d Desk) asked(ctx context.Context, i attendance.DeskItem) string {
	var changes []string
	change := func(field string, now, asked *time.Time) {
		if asked != nil {
			changes = append(changes, locales.T(ctx, "attendance.edit.change", "Field", locales.T(ctx, "record.field."+field), "Old", d.clock(ctx, i, now), "New", d.clock(ctx, i, asked)))
		}
	}
	change("arrival", i.ArrivalAt, i.AskedArrivalAt)
	change("departure", i.DepartureAt, i.AskedDepartureAt)
	return joined(changes...)
}

// suggested writes what approving an item sets; isTime is false if that is in words.
func (d Desk) suggested(ctx context.Context, i attendance.DeskItem) (text string, isTime bool) {
	switch {
	case !i.Suggestion.At.IsZero():
		return d.clock(ctx, i, &i.Suggestion.At), true
	case i.AskedDepartureAt != nil:
		return d.clock(ctx, i, i.AskedDepartureAt), true
	case i.AskedArrivalAt != nil:
		return d.clock(ctx, i, i.AskedArrivalAt), true
	case i.Kind == attendance.DeskUncounted:
		return locales.T(ctx, "desk.suggestion.look"), false
	case i.Kind.MayBeAsIs():
		return locales.T(ctx, "desk.suggestion.as_is"), false
	}
	return locales.T(ctx, "desk.suggestion.none"), false
}

// NeedsTime reports whether an item cannot be approved without a typed time.
func NeedsTime(i attendance.DeskItem) bool {
	return i.Kind.Field() != "" && i.Suggestion.At.IsZero()
}

// DeskItemValue is the value of the field that sends an item, with the suggestion that
// was shown, or what was shown of a request:
// "missing_departure:12-2026-11-20@2026-11-20T09:00:00Z", "correction:12-2026-11-20~7.31".
// It ends with "!" if the month was locked.
func DeskItemValue(i attendance.DeskItem) string {
	value := i.DeskKey.String()
	if seen := i.Seen(); seen != nil {
		value += fmt.Sprintf("~%d.%d", seen.CorrectionID, seen.LastEditID)
	} else if !i.Suggestion.At.IsZero() {
		value += "@" + i.Suggestion.At.UTC().Format(deskTimeLayout)
	}
	if i.Locked {
		value += lockedMark
	}
	return value
}

const lockedMark = "!"

const deskTimeLayout = "2006-01-02T15:04:05Z"

// ParseDeskItem parses the result of DeskItemValue; anything else is NotFound.
func ParseDeskItem(value string) (attendance.ReviewItem, error) {
	text, wasLocked := strings.CutSuffix(value, lockedMark)
	item := attendance.ReviewItem{IfUnlocked: !wasLocked}
	text, when, isTimed := strings.Cut(text, "@")
	text, version, isSeen := strings.Cut(text, "~")
	var err error
	if item.DeskKey, err = attendance.ParseDeskKey(text); err != nil {
		return item, err
	}
	if isTimed {
		at, err := time.Parse(deskTimeLayout, when)
		if err != nil {
			return item, fmt.Errorf("item %q: %w", value, queries.NotFound)
		}
		item.At = &at
	}
	if isSeen {
		item.Seen = &attendance.SeenRequest{}
		if _, err := fmt.Sscanf(version, "%d.%d", &item.Seen.CorrectionID, &item.Seen.LastEditID); err != nil {
			return item, fmt.Errorf("item %q: %w", value, queries.NotFound)
		}
	}
	return item, nil
}

// rowID is the id of the row of an item.
func rowID(i attendance.DeskItem) string {
	return "item-" + string(i.Kind) + "-" + i.RecordKey.String()
}

// SuggestionReason words why a record is edited if nobody wrote a reason.
func SuggestionReason(ctx context.Context, i attendance.DeskItem) string {
	return locales.T(ctx, "desk.reason."+cmpOr(string(i.Suggestion.Basis), "typed"))
}

func cmpOr(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// dayText writes the date of an item: today, yesterday, or the date.
func (d Desk) dayText(ctx context.Context, date workday.Date) string {
	switch workday.DateOf(d.Frame.Now) - date {
	case 0:
		return locales.T(ctx, "desk.date.today")
	case 1:
		return locales.T(ctx, "desk.date.yesterday")
	}
	return locales.WithWeekday(ctx, locales.ShortDate(ctx, date.Time(), d.Frame.Now), date.Time())
}

// fullDay is the address of the records of the current day.
func fullDay() string { return dayPath + "?view=all" }

// UndoReviewsPath is where the form is sent that undoes decisions.
func UndoReviewsPath(set int64, back string) string {
	return ReviewsPath + "/" + strconv.FormatInt(set, 10) + "/reversal?" + url.Values{"back": {back}}.Encode()
}

// uncountedItem is the key of the uncounted events of a record.
func uncountedItem(r attendance.FullRecord) string {
	return attendance.DeskKey{Kind: attendance.DeskUncounted, RecordKey: r.Key()}.String()
}
