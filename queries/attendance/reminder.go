package attendance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

const (
	// reminderDelay is how late a reminder may be. One that could not be sent
	// earlier, because the server was down, is not sent any more.
	reminderDelay = 10 * time.Minute
	// readReminders is the maximum number of people that are read at once, and
	// remindedBatch that of a transaction.
	readReminders = 10_000
	remindedBatch = 500
	// noticeDays is the number of days after which notices are deleted.
	noticeDays = 60
)

// The kinds of reminders.
const (
	remindIn  = "remind_in"
	remindOut = "remind_out"
)

// Reminded is the message to the messenger that people are to be reminded to
// clock.
type Reminded struct {
	Kind     string    `json:"kind"` // in or out
	WorkDate string    `json:"work_date"`
	At       time.Time `json:"at"` // when their work begins or has ended
	UserIDs  []int64   `json:"user_ids"`
}

// SendReminders tells the messenger of every company whom to remind to clock,
// by the hours of their own day: nobody on leave, on a day off or on a holiday,
// nobody who has clocked, and nobody twice. Several servers may do so at once.
func (s *Store) SendReminders(ctx context.Context) error {
	rows, err := s.remindingVersions(ctx)
	if err != nil {
		return err
	}
	versions := map[int64]map[policy.VersionKey]bool{}
	for _, row := range rows {
		if versions[row.CompanyID] == nil {
			versions[row.CompanyID] = map[policy.VersionKey]bool{}
		}
		versions[row.CompanyID][policy.VersionKey{PolicyID: row.PolicyID, No: row.No}] = true
	}
	for companyID, keys := range versions {
		policies, failed := s.policies.read(ctx, s.Queries, companyID, keys)
		for _, kind := range []string{remindIn, remindOut} {
			if failed == nil {
				failed = s.remind(ctx, newReminderQuery(companyID, kind, policies, s.db.Now()))
			}
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("remind people of company %d: %w", companyID, failed))
		}
	}
	return err
}

// DeleteNotices deletes what people were told long ago, and the refused clock events
// that the desk cannot show any more.
func (s *Store) DeleteNotices(ctx context.Context) error {
	today := workday.DateOf(s.db.Now())
	if err := s.deleteRefusals(ctx, (today - MostDeskDays - 1).Time()); err != nil {
		return err
	}
	return s.deleteNotices(ctx, (today - noticeDays).Time())
}

// reminderQuery are the parameters of dueArrivals and dueDepartures.
type reminderQuery struct {
	dueDeparturesParams
	kind string
}

// newReminderQuery returns who is due now by the policies. Since and Until bound
// the starts or ends of the days for the index: the departure from flexible
// work may be a day away from the end for the latest arrival.
func newReminderQuery(companyID int64, kind string, policies map[policy.VersionKey]*recordPolicy, now time.Time) reminderQuery {
	today := workday.DateOf(now)
	q := reminderQuery{kind: kind, dueDeparturesParams: dueDeparturesParams{
		CompanyID: companyID, Oldest: now.Add(-reminderDelay), Now: now, Since: now, Until: now,
		First: (today - 2).Time(), Last: (today + 2).Time(), Size: readReminders,
	}}
	for key, p := range policies {
		r := p.reminders
		minutes, from, to := r.Out, time.Duration(0), time.Duration(0)
		switch {
		case kind == remindIn && r.In != nil:
			minutes = r.In
			from = time.Duration(*r.In-r.LateMin)*time.Minute - reminderDelay
			to = time.Duration(*r.In-r.LateMin) * time.Minute
		case kind == remindOut && r.Out != nil:
			from, to = -time.Duration(*r.Out)*time.Minute-reminderDelay, -time.Duration(*r.Out)*time.Minute
			if r.Flexible {
				from, to = from-24*time.Hour, to+time.Duration(r.LateMin)*time.Minute
			}
		default:
			continue
		}
		if at := now.Add(from); at.Before(q.Since) {
			q.Since = at
		}
		if at := now.Add(to); at.After(q.Until) {
			q.Until = at
		}
		q.PolicyIds, q.Nos, q.RemindMins = append(q.PolicyIds, key.PolicyID), append(q.Nos, key.No), append(q.RemindMins, int32(*minutes))
		q.LateMins, q.CoreMins, q.Flexible = append(q.LateMins, int32(r.LateMin)), append(q.CoreMins, int32(r.CoreMin)), append(q.Flexible, r.Flexible)
	}
	return q
}

// remind publishes the reminders of one kind, some people in each transaction.
func (s *Store) remind(ctx context.Context, due reminderQuery) error {
	if len(due.PolicyIds) == 0 {
		return nil
	}
	for {
		people, err := s.due(ctx, due)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(people, remindedBatch) {
			if err := s.inTx(ctx, func(ctx context.Context, q *Queries) error { return q.remind(ctx, due, some) }); err != nil {
				return err
			}
		}
		if len(people) < readReminders {
			return nil
		}
	}
}

func (q *Queries) due(ctx context.Context, r reminderQuery) ([]dueDeparturesRow, error) {
	if r.kind == remindOut {
		return q.dueDepartures(ctx, r.dueDeparturesParams)
	}
	rows, err := q.dueArrivals(ctx, dueArrivalsParams{
		PolicyIds: r.PolicyIds, Nos: r.Nos, RemindMins: r.RemindMins, LateMins: r.LateMins, CompanyID: r.CompanyID,
		Since: r.Since, Until: r.Until, First: r.First, Last: r.Last, Oldest: r.Oldest, Now: r.Now, Size: r.Size,
	})
	people := make([]dueDeparturesRow, len(rows))
	for i, row := range rows {
		people[i] = dueDeparturesRow(row)
	}
	return people, err
}

// remind publishes one message for all whose work begins or ends at the same
// time, and stores that they are reminded. Who has been reminded by another
// server in the meantime is left out.
func (q *Queries) remind(ctx context.Context, r reminderQuery, people []dueDeparturesRow) error {
	arg := insertNoticesParams{CompanyID: r.CompanyID, Now: r.Now}
	for _, p := range people {
		arg.Days, arg.UserIds, arg.Kinds = append(arg.Days, p.WorkDate), append(arg.UserIds, p.UserID), append(arg.Kinds, r.kind)
	}
	rows, err := q.insertNotices(ctx, arg)
	if err != nil {
		return err
	}
	fresh := make(map[RecordKey]bool, len(rows))
	for _, row := range rows {
		fresh[RecordKey{UserID: row.UserID, Date: workday.DateOf(row.Day)}] = true
	}
	var messages []Reminded
	for _, p := range people { // in the order of dates and times
		if !fresh[RecordKey{UserID: p.UserID, Date: workday.DateOf(p.WorkDate)}] {
			continue
		}
		date := p.WorkDate.Format(time.DateOnly)
		if last := len(messages) - 1; last >= 0 && messages[last].WorkDate == date && messages[last].At.Equal(p.At) {
			messages[last].UserIDs = append(messages[last].UserIDs, p.UserID)
			continue
		}
		messages = append(messages, Reminded{r.kind[len("remind_"):], date, p.At, []int64{p.UserID}})
	}
	for _, m := range messages {
		if err := queries.New(q.db).Publish(ctx, r.CompanyID, r.Now, "attendance.reminded", m); err != nil {
			return err
		}
	}
	return nil
}
