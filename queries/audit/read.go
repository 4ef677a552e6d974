package audit

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/usage"
)

// ReadKind is what somebody read.
type ReadKind string

// The kinds: the lists of attendance by their units, the desk, the file for payroll, one record, the requests for
// corrections, the log of saved files, one file, the list of who gets which policy,
// the people of a notice, the clients of people, the access history, the change log and
// this log. ReadPayroll, ReadStatus, ReadPeople, ReadChanges and ReadReads are only recorded when
// they are exported.
const (
	ReadDay         ReadKind = "day"
	ReadDesk        ReadKind = "desk"
	ReadWeek        ReadKind = "week"
	ReadMonth       ReadKind = "month"
	ReadPayroll     ReadKind = "payroll"
	ReadManagement  ReadKind = "management"
	ReadRecord      ReadKind = "record"
	ReadCorrections ReadKind = "corrections"
	ReadFiles       ReadKind = "files"
	ReadFile        ReadKind = "file"
	ReadStatus      ReadKind = "status"
	ReadPeople      ReadKind = "people"
	ReadClients     ReadKind = "clients"
	ReadAccess      ReadKind = "access"
	ReadChanges     ReadKind = "changes"
	ReadReads       ReadKind = "reads"
)

// ReadKinds lists the kinds.
var ReadKinds = []ReadKind{ReadDay, ReadDesk, ReadWeek, ReadMonth, ReadPayroll, ReadManagement, ReadRecord, ReadCorrections, ReadFiles, ReadFile, ReadStatus, ReadPeople, ReadClients, ReadAccess, ReadChanges, ReadReads}

// ReadVia is how somebody read it.
type ReadVia string

// On a page, with the API, or as an exported file.
const (
	ViaPage   ReadVia = "page"
	ViaAPI    ReadVia = "api"
	ViaExport ReadVia = "export"
)

// ReadVias lists the ways to read.
var ReadVias = []ReadVia{ViaPage, ViaAPI, ViaExport}

// Read is what somebody read about other people.
type Read struct {
	Kind       ReadKind
	Via        ReadVia
	Query      url.Values // the filter of a list
	Rows       int
	SubjectID  int64  // the user whom a record, period or file is about; 0 for a list
	Object     string // the key of a record or file
	ObjectName string // the name of a file
	Positions  bool   // whether the coordinates of clock events were shown
}

// ReadOf returns what somebody reads who opens another user's record.
func ReadOf(r attendance.FullRecord) Read {
	located := slices.ContainsFunc(r.Events, func(e attendance.ClockEvent) bool { return e.Lat != nil })
	return Read{Kind: ReadRecord, Rows: 1, SubjectID: r.UserID, Object: r.Key().String(), Positions: located}
}

// UsualIdleDays is the number of days without use in the filter of ReadClients that
// names none.
const UsualIdleDays = usage.DefaultIdleDays

// ReadOfClients returns what somebody reads who lists the clients of a platform.
func ReadOfClients(f usage.ClientFilter, rows int) Read {
	query := f.Values()
	query.Set("platform", f.Platform)
	return Read{Kind: ReadClients, Query: query, Rows: rows}
}

// maxPendingReads is how many reads wait to be written. When the database has been
// down for so long that there would be more, the latest ones are lost.
const maxPendingReads = 50_000

// readBatch is the number of reads that one statement writes.
const readBatch = 500

// readLog has the reads that wait to be written.
type readLog struct {
	mu      sync.Mutex
	pending []pendingRead
	lost    int

	writing chan struct{} // holds a value while somebody writes
}

type pendingRead struct {
	Read
	by queries.Actor
	at time.Time
}

// NoteRead records that somebody read something. It never waits for the database:
// WriteReads stores the read, up to a second later.
func (s *Store) NoteRead(by queries.Actor, r Read) {
	at := s.db.Now()
	s.reads.mu.Lock()
	defer s.reads.mu.Unlock()
	if len(s.reads.pending) >= maxPendingReads {
		s.reads.lost++
		return
	}
	s.reads.pending = append(s.reads.pending, pendingRead{r, by, at})
}

// WriteReads stores all reads that NoteRead recorded. If the database refuses them,
// they wait for the next call.
func (s *Store) WriteReads(ctx context.Context) error {
	select {
	case s.reads.writing <- struct{}{}:
		defer func() { <-s.reads.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		batch, lost := s.reads.take()
		if lost > 0 {
			slog.ErrorContext(ctx, "reads are missing in the log of reads, because too many waited for the database", "lost", lost)
		}
		if len(batch) == 0 {
			return nil
		}
		if err := s.insertReads(ctx, newReads(batch)); err != nil {
			s.reads.putBack(batch)
			return fmt.Errorf("write %d reads: %w", len(batch), err)
		}
	}
}

// take removes the next reads to write.
func (l *readLog) take() (batch []pendingRead, lost int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(readBatch, len(l.pending))
	batch, l.pending = l.pending[:n:n], l.pending[n:]
	if len(l.pending) == 0 {
		l.pending = nil // so that its memory is free
	}
	lost, l.lost = l.lost, 0
	return batch, lost
}

func (l *readLog) putBack(batch []pendingRead) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(batch, l.pending...)
}

func newReads(batch []pendingRead) insertReadsParams {
	var arg insertReadsParams
	for _, r := range batch {
		address := ""
		if r.by.Address.IsValid() {
			address = r.by.Address.Unmap().WithZone("").String()
		}
		arg.CompanyIds, arg.Ats = append(arg.CompanyIds, r.by.CompanyID), append(arg.Ats, r.at)
		arg.ReaderIds, arg.ReaderNames, arg.Addresses = append(arg.ReaderIds, r.by.UserID), append(arg.ReaderNames, r.by.Name), append(arg.Addresses, address)
		arg.Kinds, arg.Vias, arg.Queries = append(arg.Kinds, string(r.Kind)), append(arg.Vias, string(r.Via)), append(arg.Queries, r.Query.Encode())
		arg.RowCounts, arg.SubjectIds = append(arg.RowCounts, int64(r.Rows)), append(arg.SubjectIds, r.SubjectID)
		arg.Objects, arg.ObjectNames, arg.Positions = append(arg.Objects, r.Object), append(arg.ObjectNames, r.ObjectName), append(arg.Positions, r.Positions)
	}
	return arg
}
