package backup

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

// State is what a schedule has done, and what it will do.
type State struct {
	Every       time.Duration
	Keep        int
	IsEncrypted bool      // of the backups to come
	Archives    []Archive // that are in the directory, the latest first
	Next        time.Time // when the next backup is due; it begins within a minute
	Failure     Failure   // of the last backup, unless one succeeded since
}

// Failure is a backup that failed since the program was started.
type Failure struct {
	At    time.Time // zero for none
	Cause Cause
}

// Cause is why a backup failed, as far as it says what to do. The log has the error.
type Cause string

const (
	DiskFull   Cause = "disk_full"
	Unwritable Cause = "unwritable" // the directory is not there, or nothing can be written into it
	OtherCause Cause = "other"
)

// State returns what the schedule has done. A directory that cannot be read is a failure
// of its own.
func (s *Schedule) State() State {
	archives, err := s.Archives()
	state := State{Every: s.Every, Keep: s.Keep, IsEncrypted: len(s.Recipients) > 0, Archives: archives, Next: s.next(archives)}
	if err != nil {
		state.Failure = Failure{At: s.Now(), Cause: causeOf(err)}
		return state
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	state.Failure = s.failure
	return state
}

// IsLate reports whether there should be a later backup than the last one.
func (s State) IsLate(now time.Time) bool {
	return len(s.Archives) > 0 && now.Sub(s.Archives[0].At) > 2*s.Every
}

func causeOf(err error) Cause {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return DiskFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrNotExist):
		return Unwritable
	}
	return OtherCause
}
