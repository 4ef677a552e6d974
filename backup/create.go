package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"golang.org/x/sys/unix"

	"officeconsole/blobs"
	"officeconsole/postgres"
	"officeconsole/queries/migrations"
)

// Source is what is backed up.
type Source struct {
	DataDir string      // of a built-in database that runs
	Blobs   blobs.Store // its files, unless they are in S3
	FilesIn string      // where the files are that are not backed up; "" if they are
	KeyFile string      // the secret key file, or "" if it is not part of the backup
	Program string      // the version of the program
}

// Result describes a finished backup.
type Result struct {
	Path    string
	Size    int64 // in bytes, of the archive
	Took    time.Duration
	Header  Header
	Summary Summary
}

// unfinished is what the name of an archive ends with while it is written.
const unfinished = ".unfinished"

// Create writes a backup into a new file, which appears when it is complete and on the
// disk. With recipients it is encrypted for them. A backup that fails leaves nothing
// behind.
func Create(ctx context.Context, source Source, to string, recipients []age.Recipient) (Result, error) {
	began := time.Now()
	if _, err := os.Lstat(to); err == nil {
		return Result{}, fmt.Errorf("%s exists already", to)
	}
	file, err := openUnfinished(to + unfinished)
	if err != nil {
		return Result{}, err
	}
	result, err := write(ctx, source, file, recipients)
	if err == nil {
		err = publish(file, to)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()), ignoreClosed(file.Close()))
		if blobs.IsFull(err) {
			err = fmt.Errorf("there is no room left for the backup in %s: %w", filepath.Dir(to), err)
		}
		return Result{}, err
	}
	info, err := os.Stat(to)
	if err != nil {
		return Result{}, err
	}
	result.Path, result.Size, result.Took = to, info.Size(), time.Since(began)
	return result, nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// openUnfinished creates a file, or takes over that of a backup whose program was killed.
func openUnfinished(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another backup is writing %s: %w", path, err), file.Close())
	}
	return file, file.Truncate(0)
}

// publish gives a complete archive its name, so that both survive a power failure.
func publish(file *os.File, to string) error {
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), to); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func write(ctx context.Context, source Source, file io.Writer, recipients []age.Recipient) (Result, error) {
	header, err := source.describe(ctx)
	if err != nil {
		return Result{}, err
	}
	w, err := newWriter(file, recipients, header.At)
	if err != nil {
		return Result{}, err
	}
	if err := w.writeJSON(headerName, header); err != nil {
		return Result{}, err
	}
	// The files come after the database, so that every file that a row refers to is there.
	summary, err := w.writeDatabase(ctx, source.DataDir)
	if err != nil {
		return Result{}, err
	}
	if err := w.writeFiles(ctx, source, header, &summary); err != nil {
		return Result{}, err
	}
	if err := w.writeKey(source.KeyFile); err != nil {
		return Result{}, err
	}
	return Result{Header: header, Summary: summary}, w.close(summary)
}

func (s Source) describe(ctx context.Context) (Header, error) {
	header := Header{Format: format, Program: s.Program, At: time.Now().UTC(), Postgres: postgres.Major, Platform: platform, FilesIn: s.FilesIn}
	conn, err := postgres.Connect(ctx, s.DataDir)
	if err != nil {
		return header, err
	}
	header.Schema, err = migrations.Version(ctx, conn)
	return header, errors.Join(err, conn.Close(ctx))
}

// writeDatabase writes the cluster and returns what it has.
func (w *writer) writeDatabase(ctx context.Context, dir string) (summary Summary, err error) {
	base, err := postgres.BeginBase(ctx, dir)
	if err != nil {
		return summary, err
	}
	defer base.Close()
	entry := func(name string, size int64, content io.Reader) error {
		return w.writeEntry(dataDir+name, size, content)
	}
	if err := base.CopyData(ctx, entry); err != nil {
		return summary, err
	}
	before, err := takeSnapshot(ctx, dir)
	if err != nil {
		return summary, err
	}
	defer before.close()
	if err := base.Stop(ctx); err != nil {
		return summary, err
	}
	after, err := takeLaterSnapshot(ctx, dir)
	if err != nil {
		return summary, err
	}
	defer after.close()
	if err := base.CopyLog(ctx, entry); err != nil {
		return summary, err
	}
	return summarize(ctx, before, after)
}

// writeFiles writes the files, unless they are in S3, and makes sure that every file is
// there that a row refers to: a folder that was not mounted is empty, too.
func (w *writer) writeFiles(ctx context.Context, source Source, header Header, summary *Summary) error {
	if source.FilesIn != "" {
		return nil
	}
	wanted, err := readReferredFiles(ctx, source.DataDir, header)
	if err != nil {
		return err
	}
	written, err := w.writeBlobs(ctx, source.Blobs)
	if err != nil {
		return err
	}
	for _, size := range written {
		summary.Files, summary.Bytes = summary.Files+1, summary.Bytes+size
	}
	lost := make(map[string]bool)
	for _, key := range wanted {
		if _, ok := written[key]; !ok {
			lost[key] = true
		}
	}
	if len(lost) == 0 {
		return nil
	}
	// A file may have been removed meanwhile, after the row that referred to it.
	header.At = time.Now()
	still, err := readReferredFiles(ctx, source.DataDir, header)
	if err != nil {
		return err
	}
	still = slices.DeleteFunc(still, func(key string) bool { return !lost[key] })
	if len(still) == 0 {
		return nil
	}
	return fmt.Errorf("%d of the files that the database refers to are not in %s, such as %s: is that the folder of --blob-url with which the console serves, and is it mounted?",
		len(still), source.Blobs, strings.Join(still[:min(3, len(still))], ", "))
}

// writeBlobs writes the files and returns their sizes. A file whose content does not have
// the hash in its key is an error: the backup of it would be worthless.
func (w *writer) writeBlobs(ctx context.Context, store blobs.Store) (sizes map[string]int64, err error) {
	sizes = make(map[string]int64)
	for blob, err := range store.All(ctx) {
		if err != nil {
			return nil, err
		}
		content, length, err := store.Open(ctx, blob.Key)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		hash := sha256.New()
		err = errors.Join(w.writeEntry(blobDir+blob.Key, length, io.TeeReader(content, hash)), content.Close())
		if err != nil {
			return nil, err
		}
		if hex.EncodeToString(hash.Sum(nil)) != path.Base(blob.Key) {
			return nil, fmt.Errorf("the file %s in %s is damaged: its content does not have its hash", blob.Key, store)
		}
		sizes[blob.Key] = length
	}
	return sizes, nil
}

func (w *writer) writeKey(name string) error {
	if name == "" {
		return nil
	}
	key, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return w.writeEntry(keyName, int64(len(key)), strings.NewReader(string(key)))
}
