package postgres

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrNotEmpty means that a directory in which a cluster is to be restored holds
// something.
var ErrNotEmpty = errors.New("the directory is not empty")

// Restoration is a cluster that is being written from the files of a base backup.
type Restoration struct {
	home home
	lock *os.File
}

const unfinishedData = "data.unfinished"

// BeginRestoration begins to restore a cluster in dir, which must be empty or not
// exist. The caller must Finish it or Abandon it.
func BeginRestoration(dir string) (*Restoration, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, explainRights(err)
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
	if err := r.WriteFile(".", 0, nil); err != nil {
		return nil, errors.Join(err, r.Abandon())
	}
	return r, nil
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
	err := syncFiles(r.home.path(unfinishedData))
	if err == nil {
		err = os.Rename(r.home.path(unfinishedData), r.home.data())
	}
	return errors.Join(err, r.lock.Close())
}

// Abandon removes what was written.
func (r *Restoration) Abandon() error {
	return errors.Join(os.RemoveAll(r.home.path(unfinishedData)), os.Remove(r.home.path("lock")), r.lock.Close())
}
