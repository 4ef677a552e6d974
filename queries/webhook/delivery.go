package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
)

// LogTime is how long deliveries are stored, whether they were delivered or not.
const LogTime = 30 * 24 * time.Hour

// States are those of a delivery: it waits for its first or next attempt, has
// been delivered, or was given up.
var States = []string{"waiting", "delivered", "failed"}

// Filter is what somebody chose for the log, the latest first.
type Filter struct {
	State  string // "" for all
	Cursor *lists.Cursor
	Limit  int
}

// logList is the list name of the cursors of deliveries, per state.
const logList = "webhook_deliveries"

func (f Filter) list() string { return logList + ":" + f.State }

// ReadFilter reads the filter from a URL: status and cursor. Other values than the
// page offers are refused with FieldErrors.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{State: lists.OneOf(&r, "status", States)}
	f.Cursor = r.Cursor(f.list())
	return f, r.Err()
}

// Values returns the filter as parameters of a URL, without the cursor.
func (f Filter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "status", f.State)
	return query
}

// Deliveries returns the deliveries of a company, the latest first.
func (s *Store) Deliveries(ctx context.Context, companyID int64, f Filter) (lists.Page[Delivery], error) {
	if err := f.Cursor.Check(f.list()); err != nil {
		return lists.Page[Delivery]{}, err
	}
	found, err := s.read(ctx, companyID, f)
	if err != nil {
		return lists.Page[Delivery]{}, err
	}
	return lists.NewPage(found, f.Cursor, f.Limit, func(d Delivery) lists.Cursor { return lists.Cursor{List: f.list(), ID: d.ID} }), nil
}

func (s *Store) read(ctx context.Context, companyID int64, f Filter) ([]Delivery, error) {
	size, before := int32(f.Limit+1), int64(math.MaxInt64)
	if !f.Cursor.IsStart() {
		before = f.Cursor.ID
	}
	switch {
	case f.State == "" && f.Cursor.IsBackward():
		return s.deliveriesAfter(ctx, deliveriesAfterParams{companyID, before, size})
	case f.State == "":
		return s.deliveries(ctx, deliveriesParams{companyID, before, size})
	case f.Cursor.IsBackward():
		return s.deliveriesInStateAfter(ctx, deliveriesInStateAfterParams{companyID, f.State, before, size})
	}
	return s.deliveriesInState(ctx, deliveriesInStateParams{companyID, f.State, before, size})
}

// Most is the greatest number that a Health counts.
const Most = 10_000

// Health is how a webhook does. Numbers above Most are Most+1.
type Health struct {
	State        HealthState
	LastSuccess  *time.Time // nil without any
	Tried        int64      // deliveries of the last 24 hours, by their last attempt
	Failed       int64      // those of them that were not delivered
	Waiting      int64      // deliveries that wait for their first or next attempt
	PausedUntil  *time.Time // of a paused webhook: when the next attempt is made
	FailingSince *time.Time // the first of the attempts that failed since the last success
}

// HealthState is the state of a webhook in a word.
type HealthState string

// The states of a webhook. A failing one has not been able to deliver its last
// message; a paused one makes an attempt once in a while only.
const (
	Healthy  HealthState = "healthy"
	Idle     HealthState = "idle" // nothing was sent yet
	Failing  HealthState = "failing"
	Paused   HealthState = "paused"
	Disabled HealthState = "disabled"
	Gone     HealthState = "gone" // disabled because the receiver wants no more messages
)

// Health returns how the webhook of a company does.
func (s *Store) Health(ctx context.Context, e Endpoint) (Health, error) {
	now := s.db.Now()
	t, err := s.tally(ctx, tallyParams{CompanyID: e.CompanyID, Most: Most + 1, Since: now.Add(-24 * time.Hour)})
	if err != nil {
		return Health{}, err
	}
	h := Health{LastSuccess: e.LastSuccessAt, Tried: t.Tried, Failed: t.Failed, Waiting: t.Waiting, PausedUntil: e.PausedUntil, FailingSince: e.FailingSince}
	switch {
	case e.GoneAt != nil:
		h.State = Gone
	case !e.Enabled:
		h.State = Disabled
	case e.PausedUntil != nil:
		h.State = Paused
	case e.Failures > 0:
		h.State = Failing
	case e.LastSuccessAt != nil:
		h.State = Healthy
	default:
		h.State = Idle
	}
	return h, nil
}

// Test adds a test message, which is sent at once and only once. It refuses with
// ErrDisabled.
func (s *Store) Test(ctx context.Context, by queries.Actor) (Delivery, error) {
	if err := s.enabled(ctx, by.CompanyID); err != nil {
		return Delivery{}, err
	}
	payload, err := json.Marshal(struct {
		SentBy string `json:"sent_by"`
	}{by.Name})
	if err != nil {
		return Delivery{}, err
	}
	id, err := s.insertTest(ctx, insertTestParams{by.CompanyID, TestType, s.db.Now(), payload})
	if err != nil {
		return Delivery{}, err
	}
	return s.Delivery(ctx, DeliveryParams{by.CompanyID, id})
}

// Resend sends a message again now, whatever came of it. Its id stays, so that a
// receiver that has it already can ignore it. It refuses with ErrDisabled.
func (s *Store) Resend(ctx context.Context, companyID, id int64) (Delivery, error) {
	err := s.enabled(ctx, companyID)
	if errors.Is(err, ErrDisabled) {
		if _, missing := s.Delivery(ctx, DeliveryParams{companyID, id}); missing != nil {
			return Delivery{}, missing
		}
	}
	if err != nil {
		return Delivery{}, err
	}
	return s.resend(ctx, resendParams{s.db.Now(), companyID, id})
}

// DeleteOld deletes the deliveries of every company that are older than LogTime.
func (s *Store) DeleteOld(ctx context.Context) error {
	return s.deleteDeliveries(ctx, s.db.Now().Add(-LogTime))
}
