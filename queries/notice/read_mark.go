package notice

import (
	"context"
	"time"

	"officeconsole/queries"
)

// ReadBatch is the maximum number of reads in one call.
const ReadBatch = 500

// readShards is the number of rows in which the readers of a notice are counted.
// A reader waits only for those who are counted in the same row at the same time.
const readShards = 32

// ReadEvent says that a user has read a notice.
type ReadEvent struct {
	UserID, NoticeID int64
	At               time.Time // zero for now; never taken as earlier than the publication or later than now
}

// ReadResult is what became of an event.
type ReadResult struct {
	Status ReadStatus
	Code   string // why it was refused: event.user or event.notice
}

// ReadStatus is the kind of a ReadResult.
type ReadStatus string

// Statuses of events.
const (
	ReadAccepted  ReadStatus = "accepted"
	ReadDuplicate ReadStatus = "duplicate" // the user had read it before
	ReadRefused   ReadStatus = "refused"
)

// MarkRead stores that a user has read a notice, if it is the first time. It
// writes nothing for who may not read it.
func (s *Store) MarkRead(ctx context.Context, companyID, userID, noticeID int64) error {
	_, err := s.TakeReads(ctx, companyID, []ReadEvent{{UserID: userID, NoticeID: noticeID}})
	return err
}

// TakeReads stores who has read which notices of a company, as the messenger
// reports it. Only the first time that a user reads a notice counts. Each event is
// accepted, a duplicate or refused by itself; it takes one statement for all. More
// than ReadBatch are refused with Invalid("event.too_many").
func (s *Store) TakeReads(ctx context.Context, companyID int64, events []ReadEvent) ([]ReadResult, error) {
	if len(events) > ReadBatch {
		return nil, queries.Invalid("event.too_many")
	}
	now := s.db.Now()
	arg := markReadParams{CompanyID: companyID, Now: now, Shards: readShards}
	for _, e := range events {
		if e.At.IsZero() {
			e.At = now
		}
		arg.UserIds, arg.NoticeIds, arg.ReadAts = append(arg.UserIds, e.UserID), append(arg.NoticeIds, e.NoticeID), append(arg.ReadAts, e.At)
	}
	rows, err := s.markRead(ctx, arg)
	if err != nil {
		return nil, err
	}
	results := make([]ReadResult, len(rows))
	for i, row := range rows {
		results[i] = row.result()
	}
	return results, nil
}

func (row markReadRow) result() ReadResult {
	switch {
	case row.Added:
		return ReadResult{Status: ReadAccepted}
	case row.Readable:
		return ReadResult{Status: ReadDuplicate}
	case row.Reader:
		return ReadResult{ReadRefused, "event.notice"}
	}
	return ReadResult{ReadRefused, "event.user"}
}
