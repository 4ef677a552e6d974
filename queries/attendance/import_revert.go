package attendance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// ReversalReport is what reverting an import did, or would do.
type ReversalReport struct {
	ID      int64       `json:"id"` // of the import
	Days    int         `json:"days"`
	People  int         `json:"people"`
	Dropped int         `json:"dropped"` // records that are no longer there, because the import had created them
	Edited  []EditedDay `json:"edited,omitempty"`
	Total   int         `json:"edited_total"` // of the edited records, of which Edited has the first ones
	DryRun  bool        `json:"-"`            // whether nothing was reverted
}

// EditedDay is a day of an import whose record was edited after it, and remains edited.
type EditedDay struct {
	Name string       `json:"name"`
	Date workday.Date `json:"work_date"`
	Key  string       `json:"record_id"`
}

// Refusals of reverting an import.
const (
	refusedRevertState  = queries.Invalid("import.revert.state")
	refusedRevertLocked = queries.Invalid("import.revert.locked")
	refusedRevertOwn    = queries.Invalid("import.revert.own")
)

// ImmediateReversal is the maximum number of days of an import that is reverted while
// the reader waits. A job reverts larger ones.
const ImmediateReversal = 20_000

// RevertImport reverts an import: its events no longer count, the records of their days
// are derived again, and those that it had created are no longer there. Records that
// were edited since remain edited. It is Invalid for an import that is not done, if one of
// its months is locked, and if it has days of an administrator who may not edit their own;
// NotFound for one that does not exist.
func (s *Store) RevertImport(ctx context.Context, by queries.Actor, id int64) (ReversalReport, error) {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (ReversalReport, error) {
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return ReversalReport{}, err
		}
		return s.revertImport(ctx, q, reversal{by: by, id: id})
	})
}

// TryReversal returns what RevertImport would do, and reverts nothing. It holds up clocking
// as long as reverting does.
func (s *Store) TryReversal(ctx context.Context, by queries.Actor, id int64) (done ReversalReport, err error) {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return err
		}
		if done, err = s.revertImport(ctx, q, reversal{by: by, id: id}); err != nil {
			return err
		}
		return directory.ErrNothingWritten
	})
	if errors.Is(err, directory.ErrNothingWritten) {
		done.DryRun = true
		return done, nil
	}
	return done, err
}

// reversal is which import is reverted.
type reversal struct {
	by       queries.Actor
	id       int64
	replaced bool // by another import
}

// revertImport reverts an import in a transaction that holds lockAttendance.
func (s *Store) revertImport(ctx context.Context, q *Queries, r reversal) (ReversalReport, error) {
	done := ReversalReport{ID: r.id}
	row, err := q.lockImport(ctx, lockImportParams{r.by.CompanyID, r.id})
	if err != nil {
		return done, fmt.Errorf("import %d: %w", r.id, err)
	}
	if err := q.checkRevertible(ctx, r.by, row); err != nil {
		return done, err
	}
	if done.Edited, done.Total, err = q.editedDays(ctx, row); err != nil {
		return done, err
	}
	now := s.db.Now().Truncate(time.Microsecond)
	err = q.markReverted(ctx, markRevertedParams{Now: &now, RevertedBy: queries.OrNil(r.by.UserID), RevertedByName: r.by.Name, CompanyID: r.by.CompanyID, ID: r.id})
	if err != nil {
		return done, err
	}
	if err := s.revertDays(ctx, q, row, &done); err != nil {
		return done, err
	}
	var files []StoredFile
	if err := json.Unmarshal(row.Files, &files); err != nil {
		return done, err
	}
	return done, queries.New(q.db).RecordChange(ctx, r.by, now, queries.Change{
		Action: "attendance.import_reverted", ObjectType: "attendance_import", ObjectID: r.id, ObjectName: fileNames(files),
		New: reversalRecord{done.Days, done.Dropped, done.Total, r.replaced},
	})
}

// reversalRecord is the reversal of an import as the change log shows it.
type reversalRecord struct {
	Days     int  `json:"imported_days"`
	Dropped  int  `json:"dropped_records"`
	Edited   int  `json:"edited_records,omitempty"`
	Replaced bool `json:"replaced,omitempty"`
}

func fileNames(files []StoredFile) string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = file.Name
	}
	return strings.Join(names, ", ")
}

// checkRevertible refuses an import that is not done, that has days in a locked month, or
// days of an administrator who may not edit their own.
func (q *Queries) checkRevertible(ctx context.Context, by queries.Actor, row Import) error {
	if row.State != "done" && row.State != "reverting" {
		return refusedRevertState
	}
	if own, err := q.isImportOf(ctx, isImportOfParams{row.CompanyID, row.ID, by.UserID}); err != nil {
		return err
	} else if own {
		only, err := q.isOnlyAdministrator(ctx, isOnlyAdministratorParams{row.CompanyID, by.UserID})
		if err != nil {
			return err
		}
		if !only {
			return refusedRevertOwn
		}
	}
	if row.FirstDate == nil || row.LastDate == nil {
		return nil
	}
	months, err := q.lockedMonths(ctx, lockedMonthsParams{row.CompanyID, monthOf(workday.DateOf(*row.FirstDate)).Time(), *row.LastDate})
	if err != nil || len(months) == 0 {
		return err
	}
	// Between its dates there may be months without any of its days.
	locked, err := q.hasImportDays(ctx, hasImportDaysParams{row.CompanyID, row.ID, months})
	if err == nil && locked {
		err = refusedRevertLocked
	}
	return err
}

// editedDays returns the first days of an import whose records were edited since, and
// the number of all.
func (q *Queries) editedDays(ctx context.Context, row Import) ([]EditedDay, int, error) {
	rows, err := q.editedImportDays(ctx, editedImportDaysParams{row.CompanyID, row.ID, importfile.Brief})
	var days []EditedDay
	total := 0
	for _, e := range rows {
		date := workday.DateOf(e.WorkDate)
		days, total = append(days, EditedDay{e.Name, date, RecordKey{UserID: e.UserID, Date: date}.String()}), int(e.Total)
	}
	return days, total, err
}

// revertDays derives the records of an import again, some users at a time.
func (s *Store) revertDays(ctx context.Context, q *Queries, row Import, done *ReversalReport) error {
	if row.FirstDate == nil || row.LastDate == nil {
		return nil
	}
	span := int(row.LastDate.Sub(*row.FirstDate)/(24*time.Hour)) + 1
	size := min(max(1, importPortion/span), mostImportPeople)
	for after := int64(0); ; {
		people, err := q.importPeople(ctx, importPeopleParams{row.CompanyID, row.ID, after, int32(size)})
		if err != nil || len(people) == 0 {
			return err
		}
		after = people[len(people)-1].UserID
		for _, p := range people {
			done.People, done.Days = done.People+1, done.Days+len(p.Days)
		}
		if err := q.dropGrants(ctx, row, people); err != nil {
			return err
		}
		dropped, err := q.dropCreated(ctx, row.CompanyID, people)
		if err != nil {
			return err
		}
		done.Dropped += len(dropped.UserIds)
		if err := s.deriveReverted(ctx, q, row.CompanyID, people); err != nil {
			return err
		}
		again, err := q.countRecords(ctx, countRecordsParams(dropped))
		if err != nil {
			return err
		}
		done.Dropped -= int(again)
	}
}

// dropCreated deletes the records that the import has created, unless somebody has
// edited them or granted leave since, and returns which. Those that events of others need
// are derived again.
func (q *Queries) dropCreated(ctx context.Context, companyID int64, people []importPeopleRow) (dropRecordsParams, error) {
	drop := dropRecordsParams{CompanyID: companyID}
	ids, first, last := datesOfPeople(people, func(p importPeopleRow) []time.Time { return p.Created })
	if len(ids) == 0 {
		return drop, nil
	}
	touched := map[RecordKey]bool{}
	edits, err := q.editsBetween(ctx, editsBetweenParams{companyID, ids, first.Time(), last.Time()})
	if err != nil {
		return drop, err
	}
	for _, e := range edits {
		touched[RecordKey{UserID: e.UserID, Date: workday.DateOf(e.WorkDate)}] = true
	}
	grants, err := q.grantsBetween(ctx, grantsBetweenParams{companyID, ids, first.Time(), last.Time()})
	if err != nil {
		return drop, err
	}
	for _, g := range grants {
		touched[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = true
	}
	months, err := q.monthsOf(ctx, companyID, ids, first, last)
	if err != nil {
		return drop, err
	}
	for _, p := range people {
		for _, on := range p.Created {
			key := RecordKey{UserID: p.UserID, Date: workday.DateOf(on)}
			if !touched[key] {
				months.remove(key)
				drop.UserIds, drop.WorkDates = append(drop.UserIds, key.UserID), append(drop.WorkDates, on)
			}
		}
	}
	if len(drop.UserIds) == 0 {
		return drop, nil
	}
	drop.First, drop.Last = boundsOf(drop.WorkDates)
	if err := q.dropRecords(ctx, drop); err != nil {
		return drop, err
	}
	return drop, q.putMonths(ctx, companyID, months)
}

// deriveReverted derives the records of the days, and of those next to them.
func (s *Store) deriveReverted(ctx context.Context, q *Queries, companyID int64, people []importPeopleRow) error {
	ids, first, last := datesOfPeople(people, func(p importPeopleRow) []time.Time { return p.Days })
	d, err := s.unlockedDerivation(ctx, q, companyID, ids)
	if err != nil {
		return err
	}
	// A user who has become a bot has no records to derive.
	known := ids[:0]
	for _, id := range ids {
		if _, there := d.people[id]; there {
			known = append(known, id)
		}
	}
	if len(known) == 0 {
		return nil
	}
	return d.deriveBetween(ctx, known, first-1, last+1, nil)
}

// datesOfPeople returns the users who have dates, and the first and last of these.
func datesOfPeople(people []importPeopleRow, dates func(importPeopleRow) []time.Time) (ids []int64, first, last workday.Date) {
	for _, p := range people {
		for i, on := range dates(p) {
			date := workday.DateOf(on)
			if len(ids) == 0 && i == 0 {
				first, last = date, date
			}
			first, last = min(first, date), max(last, date)
			if i == 0 {
				ids = append(ids, p.UserID)
			}
		}
	}
	return ids, first, last
}
