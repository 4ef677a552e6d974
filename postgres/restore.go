package postgres

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotEmpty means that a directory in which a cluster is to be restored holds
// something.
var ErrNotEmpty = errors.New("the directory is not empty")

// ErrUnfinishedRestore means that a restoration into the directory was cut off.
var ErrUnfinishedRestore = errors.New("a restore into the directory was not finished: remove the directory and restore again")

// Restoration is a cluster that is being written from the files of a base backup.
type Restoration struct {
	home home
	lock *os.File
}

const unfinishedData = "data.unfinished"

// restoreMarker is the name of a file that is in the directory while it is restored, so
// that Start does not create an empty cluster in what a killed restoration has left.
const restoreMarker = "restore.unfinished"

// BeginRestoration begins to restore a cluster in dir, which must be empty or not
// exist. The caller must Finish it or Abandon it.
func BeginRestoration(dir string) (*Restoration, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, explainRights(err)
	}
	if err := checkRestored(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	h, err := openHome(dir)
	if err != nil {
		return nil, explainRights(err)
	}
	r := &Restoration{home: h}
	if r.lock, err = h.takeLock("lock"); err != nil {
		return nil, explainRights(err)
	}
	err = os.WriteFile(h.path(restoreMarker), nil, 0o600)
	if err == nil {
		err = syncFiles(h.dir)
	}
	if err == nil {
		err = r.WriteFile(".", 0, nil)
	}
	if err != nil {
		return nil, errors.Join(err, r.Abandon())
	}
	return r, nil
}

// checkRestored returns ErrUnfinishedRestore if a restoration into the directory was cut
// off, or is running.
func checkRestored(dir string) error {
	_, err := os.Lstat(filepath.Join(dir, restoreMarker))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return explainRights(err)
	}
	return ErrUnfinishedRestore
}

// WriteFile writes a file or a directory of the cluster; see the type WriteFile.
func (r *Restoration) WriteFile(name string, size int64, content io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%q leads out of the cluster", name)
	}
	to := filepath.Join(r.home.path(unfinishedData), filepath.FromSlash(name))
	if content == nil {
		return errors.Join(os.Mkdir(to, 0o700), r.home.account.chown(to))
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(file, content, size)
	return errors.Join(err, file.Close(), r.home.account.chown(to))
}

// Finish makes what was written the cluster of the directory, which Start then uses.
func (r *Restoration) Finish() error {
	err := os.Rename(r.home.path(unfinishedData), r.home.data())
	if err == nil {
		err = syncFiles(r.home.dir)
	}
	if err == nil {
		err = os.Remove(r.home.path(restoreMarker))
	}
	if err == nil {
		err = syncFiles(r.home.dir)
	}
	return errors.Join(err, r.lock.Close())
}

// Abandon removes everything from the directory, which was empty before.
func (r *Restoration) Abandon() error {
	entries, err := os.ReadDir(r.home.dir)
	for _, entry := range entries {
		if entry.Name() != restoreMarker {
			err = errors.Join(err, os.RemoveAll(r.home.path(entry.Name())))
		}
	}
	if err == nil { // what remains is not the directory of a console
		err = os.RemoveAll(r.home.path(restoreMarker))
	}
	return errors.Join(err, r.lock.Close())
}
