package postgres

import (
	"archive/tar"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// built contains postgres.tar.zst and postgres.sha256, which the build creates.
// The program compiles without them.
//
//go:embed all:built
var built embed.FS

var errNotBuilt = errors.New("this program was built without PostgreSQL: run `make build`, or give the URL of a database")

// unpack extracts the archive into the directory server-HASH if that does not
// exist. If it fails, the directory does not exist.
func (h *home) unpack(archive fs.FS, sync bool) error {
	// The hash is stored beside the archive, so that a start need not read 18
	// MB.
	hash, err := fs.ReadFile(archive, "built/postgres.sha256")
	if err != nil || len(hash) < 16 {
		return errNotBuilt
	}
	h.unpacked = h.path("server-" + string(hash[:16]))
	if _, err := os.Stat(h.unpacked); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	unfinished := h.path("server.unfinished")
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := extract(archive, unfinished); err != nil {
		return err
	}
	if sync {
		if err := syncFiles(unfinished); err != nil {
			return err
		}
	}
	return os.Rename(unfinished, h.unpacked)
}

// removeEarlierServers removes the servers of earlier builds, unless an upgrade of
// the cluster needs one. Errors are ignored: the only harm is some megabytes of disk
// space.
func (h home) removeEarlierServers(major string) {
	if of, err := h.clusterMajor(); err != nil || of != "" && of != major {
		return
	}
	for _, dir := range h.unpackedServers() {
		if dir != h.unpacked {
			_ = os.RemoveAll(dir)
		}
	}
}

// unpackedServers returns the directories of the servers of this and of earlier builds.
func (h home) unpackedServers() []string {
	names, _ := fs.Glob(os.DirFS(h.dir), "server-*")
	for i, name := range names {
		names[i] = h.path(name)
	}
	return names
}

// extract extracts the archive into dir.
func extract(from fs.FS, dir string) error {
	compressed, err := from.Open("built/postgres.tar.zst")
	if err != nil {
		return errNotBuilt
	}
	defer compressed.Close()
	plain, err := zstd.NewReader(compressed, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer plain.Close()
	archive := tar.NewReader(plain)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := extractEntry(dir, header, archive); err != nil {
			return fmt.Errorf("%s: %w", header.Name, err)
		}
	}
}

// extractEntry sets every mode explicitly, because the umask may deny the
// server's user access.
func extractEntry(dir string, header *tar.Header, content io.Reader) error {
	path := filepath.Join(dir, filepath.FromSlash(header.Name))
	if err := makeParents(dir, filepath.Dir(path)); err != nil {
		return err
	}
	if header.Typeflag == tar.TypeSymlink {
		return os.Symlink(header.Linkname, path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Chmod(header.FileInfo().Mode().Perm()), file.Close())
}

// makeParents creates the directories between dir and path that do not exist,
// and path itself.
func makeParents(dir, path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if path != dir {
		if err := makeParents(dir, filepath.Dir(path)); err != nil {
			return err
		}
	}
	return errors.Join(os.Mkdir(path, 0o755), os.Chmod(path, 0o755))
}
