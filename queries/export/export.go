package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"officeconsole/queries"
)

// Age is how long the file of an export is stored.
const Age = 24 * time.Hour

// mostUnfinished is the number of files that a user may wait for at the same time.
const mostUnfinished = 5

// ErrTooMany refuses a file to a user who has too many unfinished ones.
var ErrTooMany = errors.New("too many exports at the same time")

// Request stores that a user wants a list as a file. The content of request is
// defined by who writes the file. It returns ErrTooMany if the user waits for others.
func (s *Store) Request(ctx context.Context, by queries.Actor, fileName string, request any) (int64, error) {
	content, err := json.Marshal(request)
	if err != nil {
		return 0, err
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (int64, error) {
		if err := q.lockRequests(ctx, lockRequestsParams{by.UserID, by.CompanyID}); err != nil {
			return 0, err
		}
		unfinished, err := q.countUnfinished(ctx, countUnfinishedParams{by.CompanyID, by.UserID})
		if err != nil {
			return 0, err
		}
		if unfinished >= mostUnfinished {
			return 0, ErrTooMany
		}
		now := s.db.Now()
		id, err := q.insertExport(ctx, insertExportParams{by.CompanyID, by.UserID, content, fileName, now, now.Add(Age)})
		if err != nil {
			return 0, err
		}
		return id, queries.New(q.db).RecordChange(ctx, by, now, queries.Change{Action: "export.requested", ObjectType: "export", ObjectID: id, ObjectName: fileName, New: request})
	})
}

// NoteDownload records in the change log that a user downloaded a list.
func (s *Store) NoteDownload(ctx context.Context, by queries.Actor, fileName string, request any) error {
	return s.db.RecordChange(ctx, by, s.db.Now(), queries.Change{Action: "export.downloaded", ObjectType: "export", ObjectName: fileName, New: request})
}

// ErrCancelled is the error of writing an export that was cancelled in the meantime.
var ErrCancelled = errors.New("the export was cancelled")

// Progress stores how many rows of an export are written. It returns ErrCancelled
// when nobody waits for the file any more.
func (s *Store) Progress(ctx context.Context, e Export, rows int64) error {
	now := s.db.Now()
	found, err := s.noteProgress(ctx, noteProgressParams{Rows: rows, Now: &now, CompanyID: e.CompanyID, ID: e.ID})
	if err == nil && found == 0 {
		return ErrCancelled
	}
	return err
}

// Cancel deletes a user's own export before its file is complete; who writes it
// stops. It returns NotFound for a complete one.
func (s *Store) Cancel(ctx context.Context, by queries.Actor, id int64) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		name, err := q.deleteUnfinished(ctx, deleteUnfinishedParams{by.CompanyID, by.UserID, id})
		if err != nil {
			return err
		}
		return queries.New(q.db).RecordChange(ctx, by, s.db.Now(), queries.Change{Action: "export.cancelled", ObjectType: "export", ObjectID: id, ObjectName: name})
	})
}

// pieceSize is the number of bytes of a file that are written and read at once.
const pieceSize = 1 << 20

// Write stores the file that write produces and its number of rows. If write
// fails, the export is marked as failed, so that its page can say so.
func (s *Store) Write(ctx context.Context, e Export, write func(io.Writer) (rows int64, err error)) error {
	if err := s.dropPieces(ctx, dropPiecesParams{e.CompanyID, e.ID}); err != nil {
		return err
	}
	w := &pieceWriter{ctx: ctx, db: s, export: e}
	rows, err := write(w)
	if err == nil {
		err = w.flush()
	}
	now, state := s.db.Now(), "done"
	if err != nil {
		state = "failed"
	}
	finished := s.finishExport(context.WithoutCancel(ctx), finishExportParams{State: state, Rows: rows, Bytes: w.bytes, Now: &now, CompanyID: e.CompanyID, ID: e.ID})
	return errors.Join(err, finished)
}

type pieceWriter struct {
	ctx    context.Context
	db     *Store
	export Export
	no     int32
	bytes  int64
	held   []byte
}

func (w *pieceWriter) Write(p []byte) (int, error) {
	w.held = append(w.held, p...)
	for len(w.held) >= pieceSize {
		if err := w.put(w.held[:pieceSize]); err != nil {
			return 0, err
		}
		w.held = append(w.held[:0], w.held[pieceSize:]...)
	}
	return len(p), nil
}

func (w *pieceWriter) flush() error {
	if len(w.held) == 0 {
		return nil
	}
	return w.put(w.held)
}

func (w *pieceWriter) put(content []byte) error {
	if err := w.db.insertPiece(w.ctx, insertPieceParams{w.export.CompanyID, w.export.ID, w.no, content}); err != nil {
		return fmt.Errorf("piece %d of export %d: %w", w.no, w.export.ID, err)
	}
	w.no++
	w.bytes += int64(len(content))
	return nil
}

// Send writes the file of an export to a writer, piece by piece.
func (s *Store) Send(ctx context.Context, e Export, to io.Writer) error {
	for no := int32(0); ; no++ {
		content, err := s.exportPiece(ctx, exportPieceParams{e.CompanyID, e.ID, no})
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := to.Write(content); err != nil {
			return err
		}
	}
}
