package notice

import (
	"context"
	"time"

	"officeconsole/queries"
)

// ReminderPause is the shortest time between two reminders of a notice.
const ReminderPause = time.Hour

// ReminderTooSoon is the refusal of a reminder before ReminderPause is over.
type ReminderTooSoon struct {
	Until time.Time // from when on it is possible again
}

func (e ReminderTooSoon) Error() string { return "reader.remind.too_soon" }

// ReminderPlan is when those who have not read a notice would be reminded of it.
type ReminderPlan struct {
	Now, Later int       // people who are at work, and people who begin later
	Waiting    int       // further people, for whom an earlier reminder waits
	Next       time.Time // when the first of those later begins; zero without any

	userIDs []int64
	dueAts  []time.Time
}

// People returns how many the reminder would reach.
func (p ReminderPlan) People() int { return p.Now + p.Later }

// Refusal returns why there is nobody to remind; "" if there is somebody.
func (p ReminderPlan) Refusal() queries.Invalid {
	switch {
	case p.People() > 0:
		return ""
	case p.Waiting > 0:
		return "reader.remind.waiting"
	}
	return "reader.remind.nobody"
}

// PlanReminder returns whom a reminder would reach when. Nobody is reminded at
// night, outside of their working hours or on leave (see nextTimes).
func (s *Store) PlanReminder(ctx context.Context, companyID, noticeID int64) (ReminderPlan, error) {
	var plan ReminderPlan
	now := s.db.Now()
	people, err := s.nonReaders(ctx, nonReadersParams{Now: now, CompanyID: companyID, ID: noticeID})
	if err != nil {
		return plan, err
	}
	var userIDs []int64
	for _, p := range people {
		if p.Waiting {
			plan.Waiting++
		} else {
			userIDs = append(userIDs, p.UserID)
		}
	}
	if len(userIDs) == 0 {
		return plan, nil
	}
	times, err := s.nextTimes(ctx, companyID, userIDs, now)
	for _, id := range userIDs {
		if t, found := times[id]; found {
			plan.add(id, t.at, now)
		}
	}
	return plan, err
}

func (p *ReminderPlan) add(userID int64, due, now time.Time) {
	p.userIDs, p.dueAts = append(p.userIDs, userID), append(p.dueAts, due)
	if !due.After(now) {
		p.Now++
		return
	}
	p.Later++
	if p.Next.IsZero() || due.Before(p.Next) {
		p.Next = due
	}
}

// ReminderRecord is a reminder in the change log.
type ReminderRecord struct {
	People int `json:"people"`
	Now    int `json:"now"`
	Later  int `json:"later"`
}

// reminderTimeout is the time-out of a reminder's statements, one of which writes a
// row for every person.
const reminderTimeout = time.Minute

// Remind reminds everybody who has not read a published notice: those at work
// within a minute, others when they begin. It refuses with
// Invalid("reader.remind.nobody") where everybody has read it, with
// Invalid("reader.remind.waiting") where an earlier reminder waits for everybody else,
// with Invalid("reader.remind.unpublished"), and with ReminderTooSoon.
func (s *Store) Remind(ctx context.Context, by queries.Actor, noticeID int64) (ReminderPlan, error) {
	ctx = queries.WithStatementTimeout(ctx, reminderTimeout)
	plan, err := s.PlanReminder(ctx, by.CompanyID, noticeID)
	if err != nil {
		return plan, err
	}
	return plan, s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		now := s.db.Now()
		last, err := q.lastReminder(ctx, lastReminderParams{by.CompanyID, noticeID})
		switch {
		case err != nil:
			return err
		case last.PublishAt.After(now):
			return queries.Invalid("reader.remind.unpublished")
		case plan.People()+plan.Waiting == 0:
			return plan.Refusal()
		}
		if until := last.RemindedAt.Add(ReminderPause); until.After(now) {
			return ReminderTooSoon{until}
		}
		if plan.People() == 0 {
			return plan.Refusal()
		}
		id, err := q.insertReminder(ctx, insertReminderParams{CompanyID: by.CompanyID, NoticeID: noticeID, Now: now, ByUserID: by.UserID, People: int32(plan.People())})
		if err != nil {
			return err
		}
		if err := q.insertReminderPeople(ctx, insertReminderPeopleParams{CompanyID: by.CompanyID, ReminderID: id, UserIds: plan.userIDs, DueAts: plan.dueAts}); err != nil {
			return err
		}
		return shared.RecordChange(ctx, by, now, queries.Change{
			Action: "notice.reminded", ObjectType: "notice", ObjectID: noticeID, ObjectName: last.Title, New: ReminderRecord{plan.People(), plan.Now, plan.Later},
		})
	})
}

// remindedBatch is the maximum number of people in a message.
const remindedBatch = 500

// Reminded is the message to the messenger that people are to be reminded of a
// notice.
type Reminded struct {
	NoticeID int64   `json:"notice_id"`
	UserIDs  []int64 `json:"user_ids"`
}

// SendReminders tells the messenger of every company whose reminders are due. Who
// has read the notice in the meantime, or may not any longer, is not reminded.
func (s *Store) SendReminders(ctx context.Context) error {
	due, err := s.dueReminders(ctx, s.db.Now())
	if err != nil {
		return err
	}
	for _, reminder := range due {
		for more := true; more; {
			if more, err = s.sendDue(ctx, reminder); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendDue publishes one message of a reminder, and reports whether there may be
// more. People who are not at work although it was planned so, because their leave
// was entered since, are reminded when they are back.
func (s *Store) sendDue(ctx context.Context, r dueRemindersRow) (more bool, err error) {
	now := s.db.Now()
	userIDs, err := s.dueOf(ctx, dueOfParams{CompanyID: r.CompanyID, ReminderID: r.ReminderID, Now: now, Size: remindedBatch})
	if err != nil || len(userIDs) == 0 {
		return false, err
	}
	times, err := s.nextTimes(ctx, r.CompanyID, userIDs, now)
	if err != nil {
		return false, err
	}
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		taken, err := q.takeDue(ctx, takeDueParams{NoticeID: r.NoticeID, CompanyID: r.CompanyID, ReminderID: r.ReminderID, Now: now, UserIds: userIDs})
		if err != nil || len(taken) == 0 { // another server has them
			return err
		}
		more = len(userIDs) == remindedBatch
		var unread, others []int64
		postponed := postponeParams{CompanyID: r.CompanyID, ReminderID: r.ReminderID}
		for _, p := range taken {
			switch t := times[p.UserID]; {
			case !p.Unread:
				others = append(others, p.UserID)
			case t.works && t.at.After(now):
				postponed.UserIds, postponed.DueAts = append(postponed.UserIds, p.UserID), append(postponed.DueAts, t.at)
			default:
				unread = append(unread, p.UserID)
			}
		}
		if err := q.deleteDue(ctx, deleteDueParams{r.CompanyID, r.ReminderID, others}); err != nil {
			return err
		}
		if err := q.postpone(ctx, postponed); err != nil || len(unread) == 0 {
			return err
		}
		if err := q.setSent(ctx, setSentParams{CompanyID: r.CompanyID, ReminderID: r.ReminderID, UserIds: unread, Now: now}); err != nil {
			return err
		}
		return shared.Publish(ctx, r.CompanyID, now, "notice.reminded", Reminded{r.NoticeID, unread})
	})
	return more, err
}
