package usage

import (
	"context"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/replica"
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
	named := make(map[int64]FileUser, len(ids))
	var missing []int64
	for _, id := range ids {
		if _, known := named[id]; known {
			continue
		}
		u, found := s.users.Peek(namedUserKey{companyID, id})
		if !found || directoryVersion == 0 || u.directoryVersion != directoryVersion {
			missing, u = append(missing, id), namedUser{FileUser: FileUser{ID: id}}
		}
		named[id] = u.FileUser
	}
	if len(missing) == 0 {
		return named, nil
	}
	users, err := s.fileUsers(replica.Without(ctx), fileUsersParams{companyID, missing})
	if err != nil {
		return nil, err
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
