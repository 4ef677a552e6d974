package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"

	"officeconsole/blobs"
	"officeconsole/postgres"
	"officeconsole/queries"
	"officeconsole/queries/link"
	"officeconsole/queries/migrations"
)

// A backup that is made while rows change has what was committed before it, and is
// restored with its files, here from an encrypted archive with the secret key file.
func TestRestoreAnEncryptedBackup(t *testing.T) {
	c := open(t)
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	source := c.source()
	source.KeyFile = filepath.Join(openDir(t), "some.key")
	if err := os.WriteFile(source.KeyFile, []byte("the key"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(openDir(t), "archive")
	end := c.keepChanging(t)
	made, err := Create(t.Context(), source, path, []age.Recipient{identity.Recipient()})
	if changes := end(); err != nil || changes == 0 {
		t.Fatalf("with %d changes meanwhile: %v", changes, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != made.Size {
		t.Errorf("the archive: %v, %v, want %d bytes", info, err, made.Size)
	}

	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(openDir(t), "restored")
	to := Destination{DataDir: dir, Server: []postgres.Option{postgres.WithoutSync()},
		Blobs: func() (blobs.Store, error) { return blobs.Open(filepath.Join(dir, "blobs")) }}
	if _, err := Restore(t.Context(), path, nil, to); !errors.Is(err, ErrEncrypted) {
		t.Errorf("without an identity: %v", err)
	}
	if _, err := Restore(t.Context(), path, []age.Identity{other}, to); err == nil {
		t.Error("the identity of somebody else opened it")
	}
	report, err := Restore(t.Context(), path, []age.Identity{identity}, to)
	if err != nil {
		t.Fatal(err)
	}
	if report.Changes == 0 || !report.HasKey || report.Summary.Files != 3 || len(report.Summary.Chains) != 1 {
		t.Errorf("found %+v", report)
	}
	if key, err := os.ReadFile(filepath.Join(dir, "secret.key")); string(key) != "the key" {
		t.Errorf("the secret key file is %q (%v)", key, err)
	}
	store, err := blobs.Open(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	content, _, err := store.Open(t.Context(), c.banner)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if text, err := io.ReadAll(content); string(text) != strings.Repeat("2", 1000) {
		t.Errorf("a file is %.10q (%v)", text, err)
	}
	users := report.Summary.Tables["users"]
	if got := int64(countIn(t, dir, "select count(*) from users")); got < users.Least || got > users.Most || got < 20 {
		t.Errorf("%d people, want %+v", got, users)
	}
	if _, err := Restore(t.Context(), path, []age.Identity{identity}, to); !errors.Is(err, postgres.ErrNotEmpty) {
		t.Errorf("into a directory with a database: %v", err)
	}
}

func TestVerify(t *testing.T) {
	path, scratch := save(t, archive(t)), openDir(t)
	report, err := Verify(t.Context(), path, nil, scratch)
	if err != nil {
		t.Fatal(err)
	}
	if report.Header.Schema != migrations.Latest() || report.Summary.Rows() < 20 || report.Changes == 0 {
		t.Errorf("found %+v", report)
	}
	for table, count := range report.Summary.Tables {
		if count.Least != count.Most {
			t.Errorf("%s: %+v rows although nothing was changing", table, count)
		}
	}
	wantEmpty(t, scratch)
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left (%v)", entries, err)
	}
}

// wantRefused restores an archive, which must be refused and leave nothing.
func wantRefused(t *testing.T, path string, want error) {
	t.Helper()
	dir := openDir(t)
	_, err := Restore(t.Context(), path, nil, Destination{DataDir: dir, Blobs: func() (blobs.Store, error) { return blobs.Open(filepath.Join(dir, "blobs")) }})
	if err == nil || want != nil && !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
	wantEmpty(t, dir)
}

func TestCutOffArchive(t *testing.T) {
	content := archive(t)
	for _, length := range []int{0, 1000, len(content) / 2, len(content) - 1} {
		wantRefused(t, save(t, content[:length]), ErrCutOff)
	}
	noEnd := repack(t, content, func(name string, text []byte) []byte {
		if strings.HasPrefix(name, dataDir+"base/") {
			return nil // a smaller archive
		}
		return text
	})
	packed, err := os.ReadFile(noEnd)
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, save(t, packed[:len(packed)-200]), ErrCutOff)
}

func TestAlteredArchive(t *testing.T) {
	content := archive(t)
	for _, at := range []int{1000, len(content) / 3, len(content) - 500} {
		altered := slices.Clone(content)
		altered[at] ^= 1
		wantRefused(t, save(t, altered), nil)
	}
	wantRefused(t, save(t, []byte("something else entirely")), ErrNoArchive)
	wantRefused(t, save(t, append(slices.Clone(content), "more"...)), ErrAltered)
}

// An archive of which everything can be read, but in which something is missing.
func TestIncompleteArchive(t *testing.T) {
	c, content := open(t), archive(t)
	incomplete := repack(t, content, func(name string, text []byte) []byte {
		switch name {
		case summaryName:
			return edit(t, text, func(s *Summary) {
				s.Tables["users"] = Count{1000, 1000}
				s.Chains[0].Hash = strings.Repeat("0", 64)
			})
		case blobDir + c.banner:
			return nil
		}
		return text
	})
	_, err := Verify(t.Context(), incomplete, nil, openDir(t))
	missing := Missing(nil)
	if !errors.As(err, &missing) {
		t.Fatal(err)
	}
	want := []string{"The table users has", "does not have the hash of change", "There are 2 files of 3", "The file " + c.banner + " is not there"}
	if len(missing) != len(want) {
		t.Fatalf("%v, want %d sentences", missing, len(want))
	}
	for i, part := range want {
		if !strings.Contains(missing[i], part) {
			t.Errorf("%q, want %q", missing[i], part)
		}
	}
	forged := repack(t, content, func(name string, text []byte) []byte {
		if name == blobDir+c.banner {
			return []byte("something else")
		}
		return text
	})
	wantRefused(t, forged, ErrAltered)
}

func TestArchiveThatThisProgramCannotRead(t *testing.T) {
	content := archive(t)
	for want, change := range map[string]func(*Header){
		"a newer officeconsole (9.9)":         func(h *Header) { h.Format++; h.Program = "9.9" },
		"a newer schema":                      func(h *Header) { h.Schema++ },
		"this program contains PostgreSQL 18": func(h *Header) { h.Postgres = "19" },
		"cannot be read on":                   func(h *Header) { h.Platform = "plan9/mips" },
	} {
		path := repack(t, content, func(name string, text []byte) []byte {
			switch {
			case name == headerName:
				return edit(t, text, change)
			case name == summaryName:
				return text
			}
			return nil
		})
		dir := filepath.Join(openDir(t), "new")
		if _, err := Restore(t.Context(), path, nil, Destination{DataDir: dir}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the directory was created (%v)", want, err)
		}
	}
}

// A full disk is a process that may not write large files.
func TestBackupOnAFullDisk(t *testing.T) {
	const variable = "BACKUP_TEST_FULL_DISK"
	if dir := os.Getenv(variable); dir != "" {
		backUpOnFullDisk(t, dir)
		return
	}
	c := open(t)
	child := exec.Command(os.Args[0], "-test.run", "^TestBackupOnAFullDisk$")
	child.Env = append(os.Environ(), variable+"="+c.dir)
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, output)
	}
}

func backUpOnFullDisk(t *testing.T, dataDir string) {
	signal.Ignore(syscall.SIGXFSZ)
	most := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &most); err != nil {
		t.Fatal(err)
	}
	files, err := blobs.Open(filepath.Join(dataDir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = Create(t.Context(), Source{DataDir: dataDir, Blobs: files}, filepath.Join(dir, "archive"), nil)
	if err == nil || !strings.Contains(err.Error(), "there is no room left for the backup in "+dir) {
		t.Errorf("on a full disk: %v", err)
	}
	wantEmpty(t, dir)
}

// A folder that is not that of the files, such as where a disk was not mounted, does not
// give a backup that counts as good, for which good ones would be removed.
func TestBackupWithoutTheFilesThatRowsReferTo(t *testing.T) {
	c, dir := open(t), t.TempDir()
	other, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	source := c.source()
	source.Blobs = other
	before := []string{"officeconsole-2026-11-01T000000Z.tar.zst", "officeconsole-2026-11-02T000000Z.tar.zst"}
	for _, name := range before {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &Schedule{Source: source, Dir: dir, Every: time.Hour, Keep: 1, Now: time.Now}
	if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "1 of the files") || !strings.Contains(err.Error(), c.banner) || !strings.Contains(err.Error(), other.String()) {
		t.Errorf("without the files: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != len(before) {
		t.Errorf("in the directory: %v (%v)", left, err)
	}
}

// removing is a store from which a file is removed, with the row that refers to it, while
// it is listed.
type removing struct {
	blobs.Store
	remove func()
}

func (r removing) All(ctx context.Context) iter.Seq2[blobs.Info, error] {
	r.remove()
	return r.Store.All(ctx)
}

func TestFileThatIsRemovedDuringABackup(t *testing.T) {
	c := open(t)
	by := queries.Actor{CompanyID: c.company}
	blob, err := c.files.Put(t.Context(), c.company, strings.NewReader("short-lived"), 100)
	if err != nil {
		t.Fatal(err)
	}
	id, err := c.db.Links.Create(t.Context(), by, link.Draft{Name: "행사", URL: "{host}", Banner: blob.Key})
	if err != nil {
		t.Fatal(err)
	}
	source := c.source()
	source.Blobs = removing{c.files, func() {
		_, err := c.db.Links.Delete(t.Context(), by, id, 0)
		if err := errors.Join(err, c.files.Remove(t.Context(), blob.Key)); err != nil {
			t.Error(err)
		}
	}}
	if _, err := Create(t.Context(), source, filepath.Join(t.TempDir(), "archive"), nil); err != nil {
		t.Error(err)
	}
}

func TestManyMissingSentencesAreShortened(t *testing.T) {
	missing := make(Missing, 196)
	for i := range missing {
		missing[i] = fmt.Sprintf("The file %03d is not there.", i)
	}
	text := missing.Error()
	if len(text) > 500 || !strings.Contains(text, "The file 000 is not there.") || !strings.HasSuffix(text, "And 191 more.") {
		t.Errorf("got %s", text)
	}
}

func TestBackupDoesNotReplaceAFile(t *testing.T) {
	path := save(t, []byte("precious"))
	if _, err := Create(t.Context(), open(t).source(), path, nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("onto a file: %v", err)
	}
	if content, err := os.ReadFile(path); string(content) != "precious" {
		t.Errorf("the file has %q (%v)", content, err)
	}
}

// A file that was damaged on the disk is no part of a backup that counts as good.
func TestBackupOfADamagedFile(t *testing.T) {
	c := open(t)
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	blob, err := files.Put(t.Context(), 1, strings.NewReader("whole"), 100)
	if err == nil {
		err = os.WriteFile(filepath.Join(files.String(), blob.Key), []byte("torn"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	source, dir := c.source(), t.TempDir()
	source.Blobs = files
	if _, err := Create(t.Context(), source, filepath.Join(dir, "archive"), nil); err == nil || !strings.Contains(err.Error(), blob.Key) {
		t.Errorf("with a damaged file: %v", err)
	}
	wantEmpty(t, dir)
}
