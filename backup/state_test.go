package backup

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestState(t *testing.T) {
	now := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	s := &Schedule{Dir: dir, Every: 24 * time.Hour, Keep: 2, Now: func() time.Time { return now }}
	if got := s.State(); !got.Next.Equal(now) || len(got.Archives) != 0 || got.IsLate(now) {
		t.Errorf("of an empty directory: %+v", got)
	}
	archive := filepath.Join(dir, Name(now.Add(-5*time.Hour), true))
	if err := os.WriteFile(archive, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := s.State()
	if len(got.Archives) != 1 || got.Archives[0].Size != 5 || got.Archives[0].Name() != filepath.Base(archive) || !got.Next.Equal(now.Add(19*time.Hour)) || got.Every != s.Every || got.Keep != 2 {
		t.Errorf("with an archive: %+v", got)
	}
	if got.IsLate(now.Add(42*time.Hour)) || !got.IsLate(now.Add(44*time.Hour)) {
		t.Error("a backup is late after two intervals")
	}

	// A failure that is near the next time delays it.
	now = now.Add(19 * time.Hour)
	_ = s.noteFailure(syscall.ENOSPC)
	if got := s.State(); got.Failure != (Failure{now, DiskFull}) || !got.Next.Equal(now.Add(retryTime)) {
		t.Errorf("after a failure: %+v", got)
	}

	s.Dir = filepath.Join(dir, "missing")
	if got := s.State(); got.Failure != (Failure{now, Unwritable}) {
		t.Errorf("of a directory that is missing: %+v", got)
	}
}

func TestCauses(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Cause
	}{
		{&os.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}, DiskFull},
		{fmt.Errorf("archive: %w", syscall.EDQUOT), DiskFull},
		{&os.PathError{Op: "open", Path: "a", Err: syscall.EACCES}, Unwritable},
		{syscall.EROFS, Unwritable},
		{syscall.ECONNREFUSED, OtherCause},
	} {
		if got := causeOf(test.err); got != test.want {
			t.Errorf("%v: %s, want %s", test.err, got, test.want)
		}
	}
}
