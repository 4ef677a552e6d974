package usage

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries/cache"
)

// namedUser is a user with the names of a directory_version, which every request reads
// with its user.
type namedUser struct {
	FileUser
	directoryVersion int64
}

type namedUserKey struct{ companyID, userID int64 }

// maxNamedUsers is the size of the cache. A user takes some two hundred bytes.
const maxNamedUsers = 16_384

func newUserCache(now func() time.Time) *cache.Cache[namedUserKey, namedUser] {
	return cache.New[namedUserKey](cache.Options[namedUser]{Name: "named_users", Size: maxNamedUsers, Now: now})
}

// nameUsers returns users by their ids; one who no longer exists has no name. Those
// that a cache has for the version of the directory are not read, and with the version
// 0 all are.
func (s *Store) nameUsers(ctx context.Context, companyID, directoryVersion int64, ids []int64) (map[int64]FileUser, error) {
	ids = compact(ids)
	named := make(map[int64]FileUser, len(ids))
	missing := ids
	if directoryVersion != 0 {
		missing = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
			u, found := s.users.Peek(namedUserKey{companyID, id})
			if found = found && u.directoryVersion == directoryVersion; found {
				named[id] = u.FileUser
			}
			return found
		})
	}
	if len(missing) == 0 {
		return named, nil
	}
	users, err := s.fileUsers(ctx, fileUsersParams{companyID, missing})
	if err != nil {
		return nil, err
	}
	for _, id := range missing {
		named[id] = FileUser{ID: id}
	}
	for _, u := range users {
		named[u.ID] = u
	}
	for _, id := range missing {
		if directoryVersion != 0 {
			s.users.Put(namedUserKey{companyID, id}, namedUser{named[id], directoryVersion})
		}
	}
	return named, nil
}
