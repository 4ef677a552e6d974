package attendance

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// foundUsers are users whom a search has found, as of a directory_version, which every
// request reads with its user.
type foundUsers struct {
	ids              []int64
	directoryVersion int64
}

type foundUsersKey struct {
	companyID int64
	patterns  [3]string
	from      lists.PersonKey
	size      int
}

// maxFoundUsers is the size of the cache. A search takes up to two kilobytes.
const maxFoundUsers = 512

func newFoundUsers(now func() time.Time) *cache.Cache[foundUsersKey, foundUsers] {
	const page = 250 // larger steps are for searches of which few users have a record
	return cache.New[foundUsersKey](cache.Options[foundUsers]{
		Name: "attendance_found_users", Size: maxFoundUsers, Now: now, Keep: func(f foundUsers) bool { return len(f.ids) <= page },
	})
}

// findUsers returns the next users of a company whom a search finds by name, hidden ones
// too. A cache has them until the directory changes, because a search stays when its
// reader goes on to other days, weeks and months.
func (s *Store) findUsers(ctx context.Context, asked directory.UserSearch, directoryVersion int64) ([]int64, error) {
	asked.Hidden = true
	if directoryVersion == 0 {
		return s.directory.SearchUserIDs(ctx, asked)
	}
	key := foundUsersKey{companyID: asked.CompanyID, from: asked.From, size: asked.Size}
	key.patterns[0], key.patterns[1], key.patterns[2] = asked.Search.ThreePatterns()
	valid := func(f foundUsers) bool { return f.directoryVersion == directoryVersion }
	found, err := s.searches.GetValid(ctx, key, valid, func(ctx context.Context) (foundUsers, error) {
		ids, err := s.directory.SearchUserIDs(ctx, asked)
		return foundUsers{ids, directoryVersion}, err
	})
	return slices.Clone(found.ids), err
}
