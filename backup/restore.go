package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"filippo.io/age"

	"officeconsole/blobs"
	"officeconsole/postgres"
)

// Destination is where an archive is restored.
type Destination struct {
	DataDir string                      // empty, or not there
	Blobs   func() (blobs.Store, error) // opens the store for the files; nil if they are only verified
	Server  []postgres.Option           // of the server that verifies the database
}

// Restore restores an archive and verifies that nothing is missing. If the archive is
// refused, nothing is left of what was written; if something is missing, what is
// there stays, and the error is a Missing.
func Restore(ctx context.Context, archive string, identities []age.Identity, to Destination) (Report, error) {
	file, err := os.Open(archive)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	r, err := newReader(file, identities)
	if err != nil {
		return Report{}, err
	}
	defer r.close()
	var header Header
	if err := r.readJSON(headerName, &header); err != nil {
		return Report{}, err
	}
	if err := header.check(); err != nil {
		return Report{}, err
	}
	found := restored{header: header, to: to, keys: map[string]bool{}}
	if err := found.extract(ctx, r); err != nil {
		if blobs.IsFull(err) {
			err = fmt.Errorf("there is no room left in %s: %w", to.DataDir, err)
		}
		return Report{}, err
	}
	return found.verify(ctx)
}

// restored is what was restored from an archive.
type restored struct {
	header  Header
	to      Destination
	cluster *postgres.Restoration
	store   blobs.Store // nil if files are only verified
	summary Summary
	keys    map[string]bool // of the files
	hasKey  bool            // the secret key file was in the archive
}

func (d *restored) extract(ctx context.Context, r *reader) (err error) {
	if d.cluster, err = postgres.BeginRestoration(d.to.DataDir); err != nil {
		return err
	}
	if d.to.Blobs != nil {
		d.store, err = d.to.Blobs()
	}
	if err == nil {
		d.summary, err = r.readEntries(func(name string, size int64, content io.Reader) error {
			return d.writeEntry(ctx, name, size, content)
		})
	}
	if err == nil {
		err = d.cluster.Finish()
	}
	if err != nil {
		return errors.Join(err, d.cluster.Abandon())
	}
	return nil
}

func (d *restored) writeEntry(ctx context.Context, name string, size int64, content io.Reader) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if file, is := strings.CutPrefix(name, dataDir); is {
		return d.cluster.WriteFile(strings.TrimSuffix(file, "/"), size, content)
	}
	if key, is := strings.CutPrefix(name, blobDir); is && content != nil {
		d.keys[key] = true
		return d.writeBlob(ctx, key, content)
	}
	if name != keyName || content == nil {
		return fmt.Errorf("%w (the entry %q does not belong to it)", ErrAltered, name)
	}
	d.hasKey = true
	if d.store == nil {
		return nil
	}
	key, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.to.DataDir, keyName), key, 0o600)
}

// writeBlob stores a file, whose key says what its content is.
func (d *restored) writeBlob(ctx context.Context, key string, content io.Reader) error {
	company, _, _ := strings.Cut(key, "/")
	id, err := strconv.ParseInt(company, 10, 64)
	if err != nil || !blobs.IsKey(id, key) {
		return fmt.Errorf("%w (a file is called %q)", ErrAltered, key)
	}
	hash := sha256.New()
	if d.store == nil {
		if _, err := io.Copy(hash, content); err != nil {
			return err
		}
	} else if _, err := d.store.Put(ctx, id, io.TeeReader(content, hash), math.MaxInt64); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != path.Base(key) {
		return fmt.Errorf("%w (the file %s does not have its hash)", ErrAltered, key)
	}
	return nil
}
