package blobs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFolder(t *testing.T) {
	testStore(t, func(t *testing.T) fixture {
		return inFolder(t, filepath.Join(t.TempDir(), "new", "folder"))
	})
}

func inFolder(t *testing.T, root string) fixture {
	t.Helper()
	store, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{
		Store: store,
		pass: func(t *testing.T) {
			eachFile(t, root, func(path string) {
				at := time.Now().Add(-48 * time.Hour)
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			})
		},
		temporary: func(t *testing.T) []string {
			names, err := filepath.Glob(filepath.Join(root, temporary, "*"))
			if err != nil {
				t.Fatal(err)
			}
			return names
		},
	}
}

func eachFile(t *testing.T, root string, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			visit(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFolderIsClosedToOthers(t *testing.T) {
	root := filepath.Join(t.TempDir(), "blobs")
	inFolder(t, root).put(t, 1, "private")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFolderReplacesDamagedContent(t *testing.T) {
	root := t.TempDir()
	f := inFolder(t, root)
	key := f.put(t, 1, "whole").Key
	if err := os.WriteFile(filepath.Join(root, key), []byte("wh"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.put(t, 1, "whole")
	if got := f.read(t, key); got != "whole" {
		t.Errorf("read %q", got)
	}
}

func TestFolderCannotMoveFile(t *testing.T) {
	root := t.TempDir()
	f := inFolder(t, root)
	if err := os.WriteFile(filepath.Join(root, "1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(t.Context(), 1, strings.NewReader("x"), limit); err == nil {
		t.Error("stored below a file")
	}
	if left := f.temporary(t); len(left) > 0 {
		t.Errorf("temporary files stay: %q", left)
	}
}

func TestFolderListsOnlyBlobs(t *testing.T) {
	root := t.TempDir()
	f := inFolder(t, root)
	key := f.put(t, 1, "x").Key
	other := filepath.Dir(filepath.Join(root, key))
	for _, name := range []string{filepath.Join(root, "README"), filepath.Join(root, temporary, "123"), filepath.Join(other, ".nfs0001"), filepath.Join(other, strings.Repeat("0", 64))} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "lost+found", "ab", "cd"), 0o700); err != nil {
		t.Fatal(err)
	}
	if all := f.all(t); len(all) != 1 || all[0].Key != key {
		t.Errorf("listed %+v", all)
	}
}

func TestFolderRemovesOldTemporaryFiles(t *testing.T) {
	root := t.TempDir()
	f := inFolder(t, root)
	old, young := filepath.Join(root, temporary, "old"), filepath.Join(root, temporary, "young")
	for _, name := range []string{old, young} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, at, at); err != nil {
		t.Fatal(err)
	}
	if err := f.RemoveTemporary(t.Context(), time.Now().Add(-24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left := f.temporary(t); len(left) != 1 || left[0] != young {
		t.Errorf("left are %q, want %s", left, young)
	}
}

func TestFolderThatVanished(t *testing.T) {
	root := filepath.Join(t.TempDir(), "blobs")
	f := inFolder(t, root)
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	// An unmounted disk must not look as if every blob had been removed.
	var failure error
	for _, err := range f.All(t.Context()) {
		failure = err
	}
	if !errors.Is(failure, fs.ErrNotExist) {
		t.Errorf("listing: %v", failure)
	}
	if _, err := f.Put(t.Context(), 1, strings.NewReader("x"), limit); err == nil {
		t.Error("stored in a folder that does not exist")
	}
}
