package policy

import (
	"context"
	"fmt"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// ErrHolidayUnconfirmed refuses a change of a holiday that changes records, until
// somebody confirms it.
const ErrHolidayUnconfirmed = queries.Invalid("holiday.unconfirmed")

// HolidayRecord is a holiday as the change log stores it.
type HolidayRecord struct {
	VersionNo int32  `json:"version_no"`
	FirstDate string `json:"first_date"`
	LastDate  string `json:"last_date"`
	Name      string `json:"name"`
}

func newHolidayRecord(h *Holiday) any {
	if h == nil {
		return nil
	}
	return HolidayRecord{h.VersionNo, h.First.String(), h.Last.String(), h.Name}
}

// Draft returns the holiday as it was.
func (r HolidayRecord) Draft() (d HolidayDraft, err error) {
	if d.First, err = workday.ParseDate(r.FirstDate); err != nil {
		return d, err
	}
	d.Last, err = workday.ParseDate(r.LastDate)
	d.Name = r.Name
	return d, err
}

// SaveHoliday makes a change and returns the holiday, a deleted one as it was. Records
// of its dates are computed again by a job. It refuses with FieldErrors, with Conflict
// where somebody else has changed the holiday, and with ErrHolidayUnconfirmed; NotFound is
// a holiday that the company does not have.
func (s *Store) SaveHoliday(ctx context.Context, by queries.Actor, c HolidayChange) (Holiday, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (Holiday, error) {
		p, err := q.beginHoliday(ctx, by, c)
		if err != nil || p == nil {
			return q.unchangedHoliday(ctx, by.CompanyID, c, err)
		}
		save := holidaySave{Queries: q, HolidayPlan: p, by: by}
		switch {
		case p.before == nil:
			save.action = "holiday.created"
		case p.after == nil:
			save.action = "holiday.deleted"
		default:
			save.action = "holiday.updated"
		}
		return save.run(ctx, s)
	})
}

// RestoreHoliday saves a deleted holiday again, as its next version.
func (s *Store) RestoreHoliday(ctx context.Context, by queries.Actor, id int64, r HolidayRecord) error {
	draft, err := r.Draft()
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		p, err := q.beginHoliday(ctx, by, HolidayChange{Draft: &draft, Confirmed: true})
		if err != nil {
			return err
		}
		all, err := q.Holidays(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		for _, h := range all {
			if h.ID == id {
				return queries.Conflict("change.revert.changed")
			}
		}
		p.after.ID, p.after.VersionNo = id, r.VersionNo+1
		save := holidaySave{Queries: q, HolidayPlan: p, by: by}
		save.action = "holiday.restored"
		_, err = save.run(ctx, s)
		return err
	})
}

// beginHoliday locks the holidays of a company and plans a change of them.
func (q *Queries) beginHoliday(ctx context.Context, by queries.Actor, c HolidayChange) (*HolidayPlan, error) {
	if _, err := directory.New(q.db).TouchPolicies(ctx, by.CompanyID); err != nil {
		return nil, err
	}
	if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
		return nil, err
	}
	p, err := q.planHoliday(ctx, by.CompanyID, c)
	if err == nil && p != nil && p.Records && !c.Confirmed {
		err = ErrHolidayUnconfirmed
	}
	return p, err
}

// unchangedHoliday returns a holiday that a change leaves as it is.
func (q *Queries) unchangedHoliday(ctx context.Context, companyID int64, c HolidayChange, err error) (Holiday, error) {
	if err != nil {
		return Holiday{}, err
	}
	all, err := q.Holidays(ctx, companyID)
	for _, h := range all {
		if h.ID == c.ID {
			return h, err
		}
	}
	return Holiday{}, err
}

// holidaySave saves a change of a holiday.
type holidaySave struct {
	*Queries
	*HolidayPlan
	by     queries.Actor
	action string
}

func (h *holidaySave) run(ctx context.Context, s *Store) (Holiday, error) {
	now := s.db.Now()
	if h.after != nil {
		h.after.UpdatedAt, h.after.UpdatedByName = now, h.by.Name
	}
	if err := h.store(ctx); err != nil {
		return Holiday{}, fmt.Errorf("%s: %w", h.action, err)
	}
	if err := h.outdate(ctx); err != nil {
		return Holiday{}, err
	}
	t, err := h.ReadTimeline(ctx, h.by.CompanyID, "workingattitude", now)
	if err != nil {
		return Holiday{}, err
	}
	for id := range t.byPolicy {
		if span := t.inForce(id, now); span != nil {
			if err := queries.New(h.db).Publish(ctx, h.by.CompanyID, now, "policy.changed", policyChanged{"workingattitude", id, span.No, now}); err != nil {
				return Holiday{}, err
			}
		}
	}
	changed := h.after
	if changed == nil {
		changed = h.before
	}
	return *changed, queries.New(h.db).RecordChange(ctx, h.by, now, queries.Change{
		Action: h.action, ObjectType: "holiday", ObjectID: changed.ID, ObjectName: changed.Name, Old: newHolidayRecord(h.before), New: newHolidayRecord(h.after),
	})
}

func (h *holidaySave) store(ctx context.Context) (err error) {
	company, after := h.by.CompanyID, h.after
	switch h.action {
	case "holiday.created":
		after.ID, err = h.insertHoliday(ctx, insertHolidayParams{company, after.First.Time(), after.Last.Time(), after.Name, after.UpdatedAt, after.UpdatedByName})
		return err
	case "holiday.restored":
		return h.restoreHoliday(ctx, restoreHolidayParams{company, after.ID, after.First.Time(), after.Last.Time(), after.Name, after.VersionNo, after.UpdatedAt, after.UpdatedByName})
	case "holiday.updated":
		return h.updateHoliday(ctx, updateHolidayParams{
			FirstDate: after.First.Time(), LastDate: after.Last.Time(), Name: after.Name, UpdatedAt: after.UpdatedAt, UpdatedByName: after.UpdatedByName, CompanyID: company, ID: after.ID,
		})
	}
	return h.deleteHoliday(ctx, deleteHolidayParams{company, h.before.ID})
}

// windowReach is the number of days around a date whose windows may depend on it.
const windowReach = 3

// outdate has the records computed again that depend on the dates of the change.
func (h *holidaySave) outdate(ctx context.Context) error {
	for _, span := range h.Spans() {
		first, last := (span.First - windowReach).Time(), (span.Last + windowReach).Time()
		recorded, err := h.anyRecordOn(ctx, anyRecordOnParams{h.by.CompanyID, first, last})
		if err == nil && recorded {
			err = h.OutdateRecords(ctx, OutdateRecordsParams{h.by.CompanyID, first, last})
		}
		if err != nil {
			return fmt.Errorf("records of holidays: %w", err)
		}
	}
	return nil
}
