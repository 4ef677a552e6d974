package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"filippo.io/age"
	"golang.org/x/sys/unix"
)

// Schedule makes backups into a directory at an interval and removes old ones.
type Schedule struct {
	Source     Source
	Dir        string // exists
	Every      time.Duration
	Keep       int // how many archives stay, at least 1
	Recipients []age.Recipient
	Now        func() time.Time

	mutex   sync.Mutex
	failure Failure // of the last backup, unless one succeeded since
}

// Archive is a finished backup in the directory of a schedule.
type Archive struct {
	Path string
	At   time.Time // when it began
	Size int64     // in bytes
}

// Name returns the name of the file.
func (a Archive) Name() string { return filepath.Base(a.Path) }

// retryTime is the pause after a failed backup.
const retryTime = time.Hour

// Check returns an error if there can be no backups in the directory. Those that are
// there already count in the metrics.
func (s *Schedule) Check() error {
	switch info, err := os.Stat(s.Dir); {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", s.Dir)
	case s.Every < time.Minute:
		return errors.New("the interval of backups must be at least a minute")
	case s.Keep < 1:
		return errors.New("at least one backup must stay")
	}
	archives, err := s.Archives()
	if err != nil {
		return err
	}
	metrics.begin(archives)
	return unix.Access(s.Dir, unix.W_OK)
}

// Archives returns the backups in the directory, the latest first.
func (s *Schedule) Archives() ([]Archive, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	var archives []Archive
	for _, entry := range entries {
		match := namePattern.FindStringSubmatch(entry.Name())
		if match == nil || !entry.Type().IsRegular() {
			continue
		}
		at, err := time.Parse(nameLayout, match[1])
		if err != nil {
			continue // 2026-13-45, which no backup is called
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		archives = append(archives, Archive{filepath.Join(s.Dir, entry.Name()), at, info.Size()})
	}
	slices.SortFunc(archives, func(a, b Archive) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Path, a.Path)) })
	return archives, nil
}

// Run makes a backup if one is due: at the interval after the last one, or a while after
// one failed.
func (s *Schedule) Run(ctx context.Context) error {
	archives, err := s.Archives()
	if err != nil {
		return s.noteFailure(err)
	}
	if s.next(archives).After(s.Now()) {
		return nil
	}
	s.removeUnfinished()
	result, err := Create(ctx, s.Source, filepath.Join(s.Dir, Name(s.Now(), len(s.Recipients) > 0)), s.Recipients)
	if err != nil {
		return s.noteFailure(err)
	}
	slog.InfoContext(ctx, "backup written", "file", result.Path, "bytes", result.Size, "took", result.Took)
	s.mutex.Lock()
	s.failure = Failure{}
	s.mutex.Unlock()
	metrics.noteResult(result)
	return s.removeOld(ctx, result.Path)
}

// next returns when the next backup is due, which may be now. What lies in the future
// was before the clock was set back.
func (s *Schedule) next(archives []Archive) time.Time {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.Now()
	due := now
	if len(archives) > 0 && !archives[0].At.After(now) {
		due = archives[0].At.Add(s.Every)
	}
	if s.failure.At.IsZero() || s.failure.At.After(now) {
		return due
	}
	if again := s.failure.At.Add(min(retryTime, s.Every)); again.After(due) {
		return again
	}
	return due
}

func (s *Schedule) noteFailure(err error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failure = Failure{At: s.Now(), Cause: causeOf(err)}
	metrics.noteFailure()
	return err
}

// removeOld removes all backups but the latest, and never the one that was just made.
func (s *Schedule) removeOld(ctx context.Context, made string) error {
	archives, err := s.Archives()
	if err != nil {
		return err
	}
	archives = slices.DeleteFunc(archives, func(a Archive) bool { return a.Path == made })
	for _, old := range archives[min(s.Keep-1, len(archives)):] {
		if removeErr := os.Remove(old.Path); removeErr != nil {
			err = errors.Join(err, removeErr)
			continue
		}
		slog.InfoContext(ctx, "old backup removed", "file", old.Path)
	}
	return err
}

// removeUnfinished removes what backups left whose programs were killed. An error is
// ignored: the only harm is disk space.
func (s *Schedule) removeUnfinished() {
	entries, _ := os.ReadDir(s.Dir)
	for _, entry := range entries {
		name, is := strings.CutSuffix(entry.Name(), unfinished)
		if !is || !namePattern.MatchString(name) {
			continue
		}
		if file, err := openUnfinished(filepath.Join(s.Dir, entry.Name())); err == nil {
			_ = os.Remove(file.Name())
			_ = file.Close()
		}
	}
}
