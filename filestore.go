package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"officeconsole/blobs"
	"officeconsole/queries"
)

// checkStore returns an error if the store of files is not that of the database, as for
// a second console whose folder is on another machine: it would miss the files of the
// first one. The first console puts a file with a random id into the store, and the id
// into the database.
func checkStore(ctx context.Context, db *queries.DB, files blobs.Store) error {
	id, err := db.FileStore(ctx)
	if err != nil {
		return fmt.Errorf("store of files: %w", err)
	}
	if id == "" {
		if id, err = markStore(ctx, db, files); err != nil {
			slog.WarnContext(ctx, "cannot mark the store of files, by which other consoles would recognize it", "store", files.String(), "err", err)
			return nil
		}
	}
	hash := sha256.Sum256([]byte(id))
	content, _, err := files.Open(ctx, blobs.Key(blobs.OfStore, hex.EncodeToString(hash[:])))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not the store of the files of this database: all consoles need the same folder or bucket, see --blob-url (Several consoles in the documentation says what to do if the files have been moved)", files)
	}
	if err != nil {
		slog.WarnContext(ctx, "cannot find out whether the store of files is that of the database", "store", files.String(), "err", err)
		return nil
	}
	return content.Close()
}

func markStore(ctx context.Context, db *queries.DB, files blobs.Store) (id string, err error) {
	id = rand.Text()
	if _, err := files.Put(ctx, blobs.OfStore, strings.NewReader(id), int64(len(id))); err != nil {
		return "", err
	}
	return db.SetFileStore(ctx, id)
}
