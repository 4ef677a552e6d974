package queries

import (
	"context"
	"errors"
)

// FileStore returns the id of the store in which this database's files are, or "" while
// none is known.
func (db *DB) FileStore(ctx context.Context) (id string, err error) {
	id, err = db.fileStore(ctx)
	if errors.Is(err, NotFound) {
		return "", nil
	}
	return id, err
}

// SetFileStore sets the id of the store of files, unless another process has, and returns
// the one that counts.
func (db *DB) SetFileStore(ctx context.Context, id string) (string, error) {
	if err := db.insertFileStore(ctx, insertFileStoreParams{id, db.Now()}); err != nil {
		return "", err
	}
	return db.FileStore(ctx)
}
