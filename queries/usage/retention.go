package usage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// Log is a log of usage that a company keeps for a time of its choice.
type Log string

// The logs: the access history, the saved files, and the events of clients, from which
// the state of every client is derived when they arrive.
const (
	AccessLog Log = "access"
	FileLog   Log = "files"
	ClientLog Log = "clients"
)

// Logs lists the logs.
var Logs = []Log{AccessLog, FileLog, ClientLog}

// Months are the times of retention that a company can choose.
var Months = []int{1, 3, 6, 12, 24, 36, 60, 120}

// MinMonths returns the shortest retention of a log. Who has access to personal data
// must stay known for two years (Standards of measures to ensure the safety of personal
// information, Article 8, for large or sensitive collections).
func (l Log) MinMonths() int {
	if l == AccessLog {
		return 24
	}
	return 1
}

// Choices returns the times of retention that the log can have.
func (l Log) Choices() []int {
	return slices.DeleteFunc(slices.Clone(Months), func(months int) bool { return months < l.MinMonths() })
}

// RetentionMonths says for how many months each log stays; 0 is without end.
type RetentionMonths map[Log]int

// Shortened returns the logs that next keeps for a shorter time.
func (m RetentionMonths) Shortened(next RetentionMonths) []Log {
	return slices.DeleteFunc(slices.Clone(Logs), func(log Log) bool { return next[log] == 0 || m[log] != 0 && next[log] >= m[log] })
}

// Retention is the retention of a company's logs.
type Retention struct {
	Months        RetentionMonths
	VersionNo     int32 // 0 before the first change
	UpdatedAt     time.Time
	UpdatedByName string
}

// RetentionRecord is the retention in the change log.
type RetentionRecord struct {
	VersionNo    int32 `json:"version_no"`
	AccessMonths int   `json:"access_months"`
	FileMonths   int   `json:"file_months"`
	ClientMonths int   `json:"client_months"`
}

func (r Retention) record() RetentionRecord {
	return RetentionRecord{r.VersionNo, r.Months[AccessLog], r.Months[FileLog], r.Months[ClientLog]}
}

// Months returns the months of each log.
func (r RetentionRecord) Months() RetentionMonths {
	return RetentionMonths{AccessLog: r.AccessMonths, FileLog: r.FileMonths, ClientLog: r.ClientMonths}
}

// LogState says what is stored of a log, and what was last deleted.
type LogState struct {
	Log
	OldestAt  time.Time // zero for an empty log
	RunAt     time.Time // when old rows were last deleted; zero for never
	RunBefore time.Time
	Deleted   int64
}

// Retention returns the retention of a company's logs; without a choice, all stay
// without end.
func (s *Store) Retention(ctx context.Context, companyID int64) (Retention, error) {
	return s.Queries.retention(ctx, companyID)
}

func (q *Queries) retention(ctx context.Context, companyID int64) (Retention, error) {
	r := Retention{Months: RetentionMonths{}}
	row, err := q.storedRetention(ctx, companyID)
	if errors.Is(err, queries.NotFound) {
		return r, nil
	}
	for log, months := range map[Log]*int32{AccessLog: row.AccessMonths, FileLog: row.FileMonths, ClientLog: row.ClientMonths} {
		if months != nil {
			r.Months[log] = int(*months)
		}
	}
	r.VersionNo, r.UpdatedAt, r.UpdatedByName = row.VersionNo, row.UpdatedAt, row.UpdatedByName
	return r, err
}

// LogStates returns what is stored of each log, in the order of Logs.
func (s *Store) LogStates(ctx context.Context, companyID int64) ([]LogState, error) {
	runs, err := s.retentionRuns(ctx, companyID)
	if err != nil {
		return nil, err
	}
	oldest := map[Log]func(context.Context, int64) (time.Time, error){AccessLog: s.oldestAccess, FileLog: s.oldestFile, ClientLog: s.oldestClientEvent}
	var all []LogState
	for _, log := range Logs {
		state := LogState{Log: log}
		if state.OldestAt, err = oldest[log](ctx, companyID); err != nil && !errors.Is(err, queries.NotFound) {
			return nil, err
		}
		for _, run := range runs {
			if Log(run.Log) == log {
				state.RunAt, state.RunBefore, state.Deleted = run.At, run.Before, run.Deleted
			}
		}
		all = append(all, state)
	}
	return all, nil
}

const errRetentionChanged = queries.Conflict("retention.changed")

// SaveRetention changes the retention of a company's logs. It refuses with FieldErrors
// by the log, and with Conflict where ifMatch is not the VersionNo. The same months change
// nothing. The next run of the job deletes what is older.
func (s *Store) SaveRetention(ctx context.Context, by queries.Actor, ifMatch int32, months RetentionMonths) error {
	refused := queries.FieldErrors{}
	for _, log := range Logs {
		if chosen := months[log]; chosen != 0 && !slices.Contains(log.Choices(), chosen) {
			refused[string(log)] = "retention.months.invalid"
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		if err := q.lockRetention(ctx, by.CompanyID); err != nil {
			return err
		}
		stored, err := q.retention(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if stored.VersionNo != ifMatch {
			return errRetentionChanged
		}
		next := Retention{Months: months, VersionNo: stored.VersionNo}
		if next.record() == stored.record() {
			return nil
		}
		next.VersionNo++
		if err := q.storeRetention(ctx, storeRetentionParams{
			CompanyID: by.CompanyID, AccessMonths: monthsOrNil(months[AccessLog]), FileMonths: monthsOrNil(months[FileLog]), ClientMonths: monthsOrNil(months[ClientLog]),
			UpdatedAt: now, UpdatedBy: queries.OrNil(by.UserID), UpdatedByName: by.Name,
		}); err != nil {
			return err
		}
		return queries.New(tx).RecordChange(ctx, by, now, queries.Change{
			Action: "retention.updated", ObjectType: "retention", ObjectID: by.CompanyID, Old: stored.record(), New: next.record(),
		})
	})
}

func monthsOrNil(months int) *int32 {
	if months == 0 {
		return nil
	}
	n := int32(months)
	return &n
}

// deletionBatch is how many rows of a log are deleted in one transaction.
const deletionBatch = 5000

// DeleteOld deletes the rows of every company's logs that are older than its
// retention. Whole days of the company's time zone are deleted.
func (s *Store) DeleteOld(ctx context.Context) error {
	companies, err := s.directory.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		if failed := s.deleteOldOf(ctx, c); failed != nil {
			err = errors.Join(err, fmt.Errorf("delete old rows of company %d: %w", c.ID, failed))
		}
	}
	return err
}

func (s *Store) deleteOldOf(ctx context.Context, c directory.Company) error {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return err
	}
	retention, err := s.Retention(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, log := range Logs {
		months := retention.Months[log]
		if months == 0 {
			continue
		}
		first := workday.DateOf(s.db.Now().In(zone).AddDate(0, -months, 0))
		deleted, err := s.deleteBefore(ctx, c.ID, log, first, zone)
		if err != nil {
			return err
		}
		run := noteRetentionRunParams{CompanyID: c.ID, Log: string(log), At: s.db.Now(), Before: first.At(0, zone), Deleted: deleted}
		if err := s.noteRetentionRun(ctx, run); err != nil {
			return err
		}
	}
	return nil
}

// deleteBefore deletes the rows of a log before a day, in batches.
func (s *Store) deleteBefore(ctx context.Context, companyID int64, log Log, first workday.Date, zone *time.Location) (int64, error) {
	before := first.At(0, zone)
	switch log {
	case AccessLog:
		return s.inBatches(ctx, func(ctx context.Context, q *Queries) (int64, error) {
			return q.deleteOldAccess(ctx, deleteOldAccessParams{companyID, before, deletionBatch})
		})
	case ClientLog:
		return s.inBatches(ctx, func(ctx context.Context, q *Queries) (int64, error) {
			return q.deleteOldClientEvents(ctx, deleteOldClientEventsParams{companyID, before, deletionBatch})
		})
	}
	if _, err := s.inBatches(ctx, func(ctx context.Context, q *Queries) (int64, error) {
		return q.deleteOldFileReceivers(ctx, deleteOldFileReceiversParams{companyID, before, deletionBatch})
	}); err != nil {
		return 0, err
	}
	if err := errors.Join(
		s.deleteOldFileDays(ctx, deleteOldFileDaysParams{companyID, first.Time()}),
		s.noteChange(ctx, noteChangeParams{companyID, string(cache.Files)}),
	); err != nil {
		return 0, err
	}
	return s.inBatches(ctx, func(ctx context.Context, q *Queries) (int64, error) {
		return q.deleteOldFiles(ctx, deleteOldFilesParams{companyID, before, deletionBatch})
	})
}

// inBatches calls a deletion in transactions of their own until it deletes less than
// a batch.
func (s *Store) inBatches(ctx context.Context, deletion func(context.Context, *Queries) (int64, error)) (deleted int64, err error) {
	for {
		var n int64
		err := s.inTx(ctx, func(ctx context.Context, q *Queries) (err error) {
			n, err = deletion(ctx, q)
			return err
		})
		if deleted += n; err != nil || n < deletionBatch {
			return deleted, err
		}
	}
}
