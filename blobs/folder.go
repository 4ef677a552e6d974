package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"time"
)

// temporary is the folder of files that are being received. It is in the store's
// folder because a rename is only atomic within one file system. It cannot be
// confused with a company, which is a number.
const temporary = "temporary"

// folder is a Store on disk: a file for each blob, whose path is the key. Folders
// stay when the last file in them is removed, since a Put may be about to use them.
type folder struct{ root string }

func openFolder(root string) (Store, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(root, temporary), 0o700); err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	return &folder{root}, nil
}

func (f *folder) String() string { return f.root }

func (f *folder) Put(ctx context.Context, company int64, content io.Reader, limit int64) (Blob, error) {
	if err := checkPut(ctx, company); err != nil {
		return Blob{}, err
	}
	file, err := os.CreateTemp(filepath.Join(f.root, temporary), "")
	if err != nil {
		return Blob{}, fmt.Errorf("blobs: %w", err)
	}
	renamed := false
	defer func() {
		if !renamed {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	blob, err := receive(ctx, file, company, content, limit)
	if err != nil {
		return Blob{}, err
	}
	if renamed, err = f.commit(ctx, file, blob.Key); err != nil {
		return Blob{}, fmt.Errorf("blobs: store %s: %w", blob.Key, err)
	}
	return blob, nil
}

// commit moves a received file to its key, so that it survives a power failure.
// It replaces a file that is there already: this renews the modification time, and
// unlike changing the time of the old file, it cannot meet a removal in between. It
// reports whether the file was moved, which it may be in spite of an error.
func (f *folder) commit(ctx context.Context, file *os.File, key string) (renamed bool, err error) {
	if err := file.Sync(); err != nil {
		return false, err
	}
	if err := file.Close(); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	to := f.path(key)
	shard := filepath.Dir(to)
	for _, dir := range []string{filepath.Dir(shard), shard} {
		if err := makeFolder(dir); err != nil {
			return false, err
		}
	}
	if err := os.Rename(file.Name(), to); err != nil {
		return false, err
	}
	return true, syncFolder(shard)
}

func (f *folder) Open(ctx context.Context, key string) (io.ReadSeekCloser, int64, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, 0, err
	}
	file, err := os.Open(f.path(key))
	if err != nil {
		return nil, 0, fmt.Errorf("blobs: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("blobs: %w", err)
	}
	return file, info.Size(), nil
}

func (f *folder) Remove(ctx context.Context, key string) error {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	if err := os.Remove(f.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blobs: %w", err)
	}
	return nil
}

func (f *folder) All(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		// The files are three folders deep; what has no valid key belongs to somebody else.
		err := f.walk(ctx, "", 3, func(key string, file fs.FileInfo) bool {
			return checkKey(key) != nil || yield(Info{key, file.Size(), file.ModTime()}, nil)
		})
		if err != nil && !errors.Is(err, fs.SkipAll) {
			yield(Info{}, fmt.Errorf("blobs: %w", err))
		}
	}
}

func (f *folder) RemoveTemporary(ctx context.Context, before time.Time) error {
	var errs []error
	err := f.walk(ctx, temporary, 1, func(name string, file fs.FileInfo) bool {
		if file.ModTime().Before(before) {
			if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, fmt.Errorf("blobs: %w", err))
			}
		}
		return true
	})
	return errors.Join(append(errs, err)...)
}

// walk calls visit for every regular file that is depth levels below a folder,
// until visit returns false; it then returns fs.SkipAll. Paths are relative to the
// store's folder, with slashes. Files that vanish meanwhile are skipped.
func (f *folder) walk(ctx context.Context, dir string, depth int, visit func(string, fs.FileInfo) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(f.path(dir))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if depth > 1 {
			if entry.IsDir() {
				if err := f.walk(ctx, name, depth-1, visit); err != nil {
					return err
				}
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		file, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if file.Mode().IsRegular() && !visit(name, file) {
			return fs.SkipAll
		}
	}
	return nil
}

// path is the path on disk of a key, or of another path inside of the store.
func (f *folder) path(key string) string {
	return filepath.Join(f.root, filepath.FromSlash(key))
}

// makeFolder creates a folder, so that it survives a power failure.
func makeFolder(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// syncFolder writes the names of a folder to the disk.
func syncFolder(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// InFolder reports whether a store is a folder, and not in S3.
func InFolder(store Store) bool {
	_, is := store.(*folder)
	return is
}
