package attendance

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/replica"
)

// listedUser is what lists of records show of a user besides the name, as of a
// directory_version, which every request reads with its user.
type listedUser struct {
	employeeID       string
	hidden           bool
	directoryVersion int64
}

type listedUserKey struct{ companyID, userID int64 }

// maxListedUsers is the size of the cache. A user takes some hundred bytes.
const maxListedUsers = 32_768

func newListedUsers(now func() time.Time) *cache.Cache[listedUserKey, listedUser] {
	return cache.New[listedUserKey](cache.Options[listedUser]{Name: "listed_users", Size: maxListedUsers, Now: now})
}

// nameRows adds what the statement has not read: the employee ids of the users,
// whether they are hidden, and the names of the departments. It reads only what the
// caches do not have for the filter's version of the directory.
func (l *attendanceList) nameRows(ctx context.Context, rows []Row) error {
	if l.DirectoryVersion == 0 || len(rows) == 0 {
		return nil
	}
	tree, err := l.policy.Tree(ctx, directory.Person{CompanyID: l.companyID, DirectoryVersion: l.DirectoryVersion})
	if err != nil {
		return fmt.Errorf("departments of records: %w", err)
	}
	users, err := l.usersOf(ctx, rows)
	for i := range rows {
		if d := tree.Department(rows[i].DepartmentID); d != nil {
			rows[i].DepartmentName = d.Name
		}
		rows[i].EmployeeID, rows[i].Hidden = users[rows[i].UserID].employeeID, users[rows[i].UserID].hidden
	}
	return err
}

// usersOf returns the users of rows by their ids. One who is no longer in the
// directory has no employee id.
func (l *attendanceList) usersOf(ctx context.Context, rows []Row) (map[int64]listedUser, error) {
	users := make(map[int64]listedUser, len(rows))
	var missing []int64
	for i := range rows {
		id := rows[i].UserID
		if u, found := l.users.Peek(listedUserKey{l.companyID, id}); found && u.directoryVersion == l.DirectoryVersion {
			users[id] = u
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return users, nil
	}
	read, err := l.listedUsers(replica.Without(ctx), listedUsersParams{l.companyID, missing})
	if err != nil {
		return nil, fmt.Errorf("users of records: %w", err)
	}
	for _, id := range missing {
		users[id] = listedUser{directoryVersion: l.DirectoryVersion}
	}
	for _, u := range read {
		users[u.ID] = listedUser{u.EmployeeID, u.Hidden, l.DirectoryVersion}
	}
	for _, id := range missing {
		l.users.Put(listedUserKey{l.companyID, id}, users[id])
	}
	return users, nil
}
