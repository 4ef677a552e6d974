package policy

import (
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/lists"
)

// statusStep is a part of the directory as the application status shows it, in the
// order in which it is read. It is valid for a directory_version, which every request
// reads with its user.
type statusStep struct {
	rows             []statusInOrderRow
	members, listed  int64 // the last ones, see idRange
	directoryVersion int64
}

type statusStepKey struct {
	companyID int64
	from      lists.PersonKey
	size      int
	backward  bool
}

// maxStatusSteps is the size of the cache. A step of fifty users takes some twenty
// kilobytes.
const maxStatusSteps = 128

func newStatusCache(now func() time.Time) *cache.Cache[statusStepKey, statusStep] {
	return cache.New[statusStepKey](cache.Options[statusStep]{
		Name: "status_steps", Size: maxStatusSteps, Now: now, Keep: func(s statusStep) bool { return len(s.rows) <= maxCachedStep },
	})
}

// maxCachedStep is the number of users of a step that is worth caching. A page needs
// no more of them.
const maxCachedStep = 250
