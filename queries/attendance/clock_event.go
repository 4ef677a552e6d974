package attendance

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/workday"
)

// ClockInput is a clock event as the messenger or a person sends it (domain §7).
type ClockInput struct {
	EventID    string
	UserID     int64
	Kind       workday.Kind
	OccurredAt time.Time
	SentAt     time.Time // zero if unknown
	Offline    bool      // clocked while the device was offline, so it may arrive late
	Platform   string    // pc, web, mobile or mobile_web; "" if unknown
	DeviceID   string
	Address    netip.Addr
	GPS        *GPS
	Reason     string
	Source     string // manual, auto or pc_off; "" means manual
}

// GPS is where a device says it was.
type GPS struct {
	Lat, Lng  float64 // degrees
	AccuracyM float64
	Mock      bool // the position was made up by an app
}

// ClockResult is the outcome of one event.
type ClockResult struct {
	EventID string
	Status  ClockStatus
	Code    string // why it was refused; or event.locked, if it was accepted and does not count yet
}

// ClockStatus is accepted, duplicate or refused.
type ClockStatus string

// The statuses.
const (
	ClockAccepted  ClockStatus = "accepted"
	ClockDuplicate ClockStatus = "duplicate"
	ClockRefused   ClockStatus = "refused"
)

// ClockBatch is the maximum number of events of a call.
const ClockBatch = 500

// An event is refused when it is older than the oldest month that is usually
// not locked, or further in the future than a time zone or a wrong clock can
// explain.
const (
	maxEventAge  = 31 * 24 * time.Hour
	maxEventLead = 24 * time.Hour
)

// longestText is the maximum number of characters of device ids and reasons.
const longestText = 200

// The refusals of an event, and of a device.
const (
	refusedID       = "event.id"
	refusedUser     = "event.user"
	refusedHidden   = "event.user_hidden"
	refusedKind     = "event.kind"
	refusedTime     = "event.time"
	refusedFuture   = "event.future"
	refusedPast     = "event.past"
	refusedText     = "event.too_long"
	refusedChar     = "event.character"
	refusedPosition = "event.position"
	refusedPlatform = "event.platform"
	refusedDevice   = "event.device"
	refusedDeviceID = "event.device_id"
	refusedSource   = "event.source"
	refusedMock     = "event.mock"
	refusedOutside  = "event.outside"
	refusedReason   = "event.reason"
	refusedWeek     = "event.weekly_cap"
)

// acceptedLocked is the code of an accepted event whose record is in a locked
// month, so that it counts once the month is unlocked.
const acceptedLocked = "event.locked"

// TakeClockEvents stores events of a company and derives the records of the
// days they belong to. The events of each lane are stored in one transaction, which
// calls that arrive at the same time share; after an error those of some lanes may be
// stored. A refused event does not affect the others; an event whose id is stored
// already is a duplicate and changes nothing, so that a call can be sent again. More
// than ClockBatch events are Invalid. The results are in the order of the events.
func (s *Store) TakeClockEvents(ctx context.Context, companyID int64, events []ClockInput) ([]ClockResult, error) {
	if len(events) > ClockBatch {
		return nil, queries.Invalid("event.too_many")
	}
	return s.clockQueue.take(ctx, companyID, events, func(ctx context.Context, lane clockLane, events []ClockInput) ([]ClockResult, error) {
		return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]ClockResult, error) {
			return s.takeEvents(ctx, q, lane, events)
		})
	})
}

// takeEvents stores events of people of a lane.
func (s *Store) takeEvents(ctx context.Context, q *Queries, lane clockLane, events []ClockInput) ([]ClockResult, error) {
	if err := q.lockClockLane(ctx, lockClockLaneParams{CompanyID: lane.companyID, Lane: int32(lane.number)}); err != nil {
		return nil, err
	}
	var userIDs []int64
	var eventIDs []string
	for _, e := range events {
		if !e.canBeStored() {
			continue // refused below; a statement with its id would fail for all
		}
		userIDs, eventIDs = append(userIDs, e.UserID), append(eventIDs, e.EventID)
	}
	d, err := s.unlockedDerivation(ctx, q, lane.companyID, userIDs)
	if err != nil {
		return nil, err
	}
	known, err := q.knownEvents(ctx, knownEventsParams{userIDs, eventIDs, lane.companyID, d.Now.Add(-maxEventAge - 24*time.Hour), d.Now.Add(maxEventLead + 24*time.Hour)})
	if err != nil {
		return nil, err
	}
	b := &eventBatch{
		derivation: d, userIDs: userIDs, taken: map[knownEventsRow]bool{}, events: make([]copyEventsParams, 0, len(events)),
		added: map[RecordKey][]addedEvent{}, weeks: map[workday.Date]*loadedDays{}, longWeeks: map[personWeek]*recordPolicy{},
	}
	for _, event := range known {
		b.taken[event] = true
	}
	if err := b.readDevices(ctx, userIDs); err != nil {
		return nil, err
	}
	results := make([]ClockResult, len(events))
	for i, e := range events {
		results[i].EventID = e.EventID
		if results[i].Status, results[i].Code, err = b.take(ctx, e); err != nil {
			return nil, fmt.Errorf("event %s: %w", e.EventID, err)
		}
	}
	locked, err := b.write(ctx)
	if err != nil {
		return nil, err
	}
	for i, e := range events {
		if results[i].Status == ClockAccepted && locked[knownEventsRow{e.UserID, e.EventID}] {
			results[i].Code = acceptedLocked
		}
	}
	return results, q.noteRecords(ctx, lane.companyID) // last: the other lane waits until this transaction has ended
}

// eventBatch is a batch of events that is being stored.
type eventBatch struct {
	*derivation
	userIDs []int64
	taken   map[knownEventsRow]bool // the stored events; each person has ids of their own
	devices map[int64]map[string]bool
	fresh   insertDevicesParams
	events  []copyEventsParams
	added   map[RecordKey][]addedEvent // the accepted events, by the user and date

	refusals  map[refusalKey]refusal       // nil until a policy refuses an event
	worked    workedWeeks                  // before the batch; nil until a policy blocks long weeks
	weeks     map[workday.Date]*loadedDays // by the first day; see loadWeek
	longWeeks map[personWeek]*recordPolicy
}

func (b *eventBatch) take(ctx context.Context, e ClockInput) (ClockStatus, string, error) {
	if refusal := b.refuses(e); refusal != "" {
		return ClockRefused, refusal, nil
	}
	id := knownEventsRow{e.UserID, e.EventID}
	if b.taken[id] {
		return ClockDuplicate, "", nil
	}
	row := b.newEvent(e)
	// What somebody did before they were hidden or deactivated arrives later.
	if hidden := b.people[e.UserID].HiddenAt; hidden != nil && !row.At.Before(*hidden) {
		return ClockRefused, refusedHidden, nil
	}
	// A transfer takes effect with the next date (domain §2), and an event may be of an
	// earlier one.
	person := b.personOn(e.UserID, workday.DateOf(row.At.In(b.zone)))
	p, err := b.policyAt(ctx, e.UserID, person.Ancestors, row.At)
	if err != nil {
		return "", "", err
	}
	if blocked, err := b.blocks(ctx, row, p); err != nil {
		return "", "", err
	} else if blocked {
		b.noteRefusal(&row, refusedWeek)
		return ClockRefused, refusedWeek, nil
	}
	consentAt := b.people[e.UserID].LocationConsentAt
	if refusal := b.admit(&row, e, p.Clocking, consentAt != nil && !row.At.Before(*consentAt)); refusal != "" {
		b.noteRefusal(&row, refusal)
		return ClockRefused, refusal, nil
	}
	b.taken[id] = true
	b.events = append(b.events, copyEventsParams(row))
	key := RecordKey{UserID: e.UserID, Date: workday.DateOf(row.At.In(p.Zone))}
	b.added[key] = append(b.added[key], addedEvent{row.EventID, row.At})
	b.noteLongWeek(row, key.Date, p)
	return ClockAccepted, "", nil
}

// refuses returns why an event cannot be accepted whoever sent it, or "".
func (b *eventBatch) refuses(e ClockInput) string {
	_, known := b.people[e.UserID]
	longest := max(utf8.RuneCountInString(e.DeviceID), utf8.RuneCountInString(e.Reason))
	switch {
	case !e.canBeStored():
		return refusedChar
	case e.EventID == "" || utf8.RuneCountInString(e.EventID) > 100:
		return refusedID
	case !known:
		return refusedUser
	case !slices.Contains([]workday.Kind{workday.In, workday.Out, workday.BreakStart, workday.BreakEnd}, e.Kind):
		return refusedKind
	case !slices.Contains([]string{"", "pc", "web", "mobile", "mobile_web"}, e.Platform):
		return refusedPlatform
	case !slices.Contains([]string{"", "manual", "auto", "pc_off"}, e.Source):
		return refusedSource
	case e.OccurredAt.IsZero():
		return refusedTime
	case e.OccurredAt.After(b.Now.Add(maxEventLead)):
		return refusedFuture
	case e.OccurredAt.Before(b.Now.Add(-maxEventAge)):
		return refusedPast
	case longest > longestText:
		return refusedText
	case e.GPS != nil && !e.GPS.possible():
		return refusedPosition
	}
	return ""
}

// canBeStored reports whether PostgreSQL can store the texts.
func (e ClockInput) canBeStored() bool {
	text := e.EventID + e.DeviceID + e.Reason
	return !strings.ContainsRune(text, 0) && utf8.ValidString(text)
}

// possible reports whether the coordinates are within their ranges and not NaN.
func (g GPS) possible() bool {
	return math.Abs(g.Lat) <= 90 && math.Abs(g.Lng) <= 180 && g.AccuracyM >= 0 && !math.IsInf(g.AccuracyM, 0)
}

// hasFix reports whether the device knew its position: without a fix, some
// devices send 0, 0.
func (g *GPS) hasFix() bool { return g != nil && (g.Lat != 0 || g.Lng != 0) }

// newEvent returns an event as a row, without its proof.
func (b *eventBatch) newEvent(e ClockInput) ClockEvent {
	event := workday.Event{OccurredAt: e.OccurredAt, SentAt: e.SentAt, ReceivedAt: b.Now, Offline: e.Offline}
	at, _ := event.At()
	row := ClockEvent{
		CompanyID: b.CompanyID, UserID: e.UserID, At: at.Truncate(time.Microsecond), EventID: e.EventID, Kind: string(e.Kind),
		OccurredAt: e.OccurredAt.Truncate(time.Microsecond), SentAt: timeOrNil(e.SentAt.Truncate(time.Microsecond)), ReceivedAt: b.Now, Offline: e.Offline,
		Platform: e.Platform, DeviceID: e.DeviceID, Reason: e.Reason, Source: e.Source, Proof: "none",
	}
	if row.Source == "" {
		row.Source = "manual"
	}
	if e.Address.IsValid() {
		address := e.Address.Unmap().WithZone("")
		row.Ip = &address
	}
	return row
}

// write stores the batch and returns the ids of the events of locked months.
func (b *eventBatch) write(ctx context.Context) (locked map[knownEventsRow]bool, err error) {
	if _, err := b.copyEvents(ctx, b.events); err != nil {
		return nil, fmt.Errorf("write clock events: %w", err)
	}
	if len(b.fresh.UserIds) > 0 {
		b.fresh.CompanyID, b.fresh.Now = b.CompanyID, b.Now
		if err := b.insertDevices(ctx, b.fresh); err != nil {
			return nil, err
		}
	}
	if err := b.writeRefusals(ctx); err != nil {
		return nil, fmt.Errorf("write refused clock events: %w", err)
	}
	if locked, err = b.deriveEvents(ctx, b.added); err != nil {
		return nil, fmt.Errorf("derive records of clock events: %w", err)
	}
	if err := b.writeLate(ctx); err != nil {
		return nil, fmt.Errorf("write events of locked months: %w", err)
	}
	return locked, b.publishLongWeeks(ctx)
}
