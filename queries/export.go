package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// ExportAge is how long the file of an export can be fetched.
const ExportAge = 24 * time.Hour

// RequestExport notes that somebody wants a list as a file. What the request
// says is for the one who writes it.
func (db *DB) RequestExport(ctx context.Context, by Actor, fileName string, request any) (int64, error) {
	content, err := json.Marshal(request)
	if err != nil {
		return 0, err
	}
	return inTx(ctx, db, func(ctx context.Context, q *Queries) (int64, error) {
		now := db.now()
		id, err := q.insertExport(ctx, insertExportParams{by.CompanyID, by.UserID, content, fileName, now, now.Add(ExportAge)})
		if err != nil {
			return 0, err
		}
		return id, q.recordChange(ctx, by, now, change{Action: "export.requested", ObjectType: "export", ObjectID: id, ObjectName: fileName, New: request})
	})
}

// NoteDownload notes in the change log that somebody took a list along.
func (db *DB) NoteDownload(ctx context.Context, by Actor, fileName string, request any) error {
	return db.recordChange(ctx, by, db.now(), change{Action: "export.downloaded", ObjectType: "export", ObjectName: fileName, New: request})
}

// pieceSize is how much of a file is written and read at once.
const pieceSize = 1 << 20

// WriteExport stores the file that write makes, and how many rows it has. A
// failure is noted as one, so that whoever waits learns of it.
func (db *DB) WriteExport(ctx context.Context, e Export, write func(io.Writer) (rows int64, err error)) error {
	if err := db.dropPieces(ctx, dropPiecesParams{e.CompanyID, e.ID}); err != nil {
		return err
	}
	w := &pieceWriter{ctx: ctx, db: db, export: e}
	rows, err := write(w)
	if err == nil {
		err = w.flush()
	}
	now, state := db.now(), "done"
	if err != nil {
		state = "failed"
	}
	finished := db.finishExport(context.WithoutCancel(ctx), finishExportParams{State: state, Rows: rows, Bytes: w.bytes, Now: &now, CompanyID: e.CompanyID, ID: e.ID})
	return errors.Join(err, finished)
}

type pieceWriter struct {
	ctx    context.Context
	db     *DB
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

// SendExport writes the file of an export piece by piece.
func (db *DB) SendExport(ctx context.Context, e Export, to io.Writer) error {
	for no := int32(0); ; no++ {
		content, err := db.exportPiece(ctx, exportPieceParams{e.CompanyID, e.ID, no})
		if errors.Is(err, NotFound) {
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
