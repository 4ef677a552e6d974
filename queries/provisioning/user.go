package provisioning

import (
	"context"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// Profile is what another directory can say of somebody. Department is a path without
// the root department, as a rule may also be given it otherwise; see resolve.
type Profile struct {
	UserName              string // the email
	ExternalID            string
	Name                  string
	GivenName, FamilyName string
	Title                 string // the rank
	EmployeeID            string
	Department            string
	CompanyPhone          string
	PersonalPhone         string
	Active                bool
}

// Group is a department that somebody belongs to.
type Group struct {
	ID   int64
	Name string
}

// User is a person as another directory sees them. Hidden people are like others, so
// that they are not created once more.
type User struct {
	ID int64
	Profile
	DepartmentID int64
	Groups       []Group // the default department first
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Version changes whenever something of the user does that SCIM shows.
func (u User) Version() string {
	return version(struct {
		ID int64
		Profile
		Groups []Group
	}{u.ID, u.Profile, u.Groups})
}

func newUser(row usersRow) User {
	u := User{
		ID: row.ID, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
		Profile: Profile{
			UserName: row.Email, ExternalID: row.ExternalID, Name: row.Name, GivenName: row.GivenName, FamilyName: row.FamilyName, Title: row.Rank,
			EmployeeID: row.EmployeeID, Department: directory.BelowRoot(row.Department), CompanyPhone: row.CompanyPhone, PersonalPhone: row.PersonalPhone, Active: row.Active,
		},
	}
	if row.DepartmentID != nil {
		u.DepartmentID = *row.DepartmentID
		u.Groups = append(u.Groups, Group{u.DepartmentID, row.Department[strings.LastIndex(row.Department, "/")+1:]})
	}
	for i, id := range row.FurtherIds {
		u.Groups = append(u.Groups, Group{id, row.FurtherNames[i]})
	}
	return u
}

// User returns a user. NotFound means that there is none whom SCIM shows.
func (s *Store) User(ctx context.Context, companyID, id int64) (User, error) {
	return s.user(ctx, companyID, id)
}

func (q *Queries) user(ctx context.Context, companyID, id int64) (User, error) {
	rows, err := q.users(ctx, usersParams{Ids: []int64{id}, CompanyID: companyID})
	if err == nil && len(rows) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return User{}, err
	}
	return newUser(rows[0]), nil
}

// record is a user in the change log.
func (p Profile) record() directory.UserRecord {
	return directory.UserRecord{
		Name: p.Name, Email: p.UserName, EmployeeID: p.EmployeeID, Department: p.Department, Position: p.Title,
		CompanyPhone: p.CompanyPhone, PersonalPhone: p.PersonalPhone, ExternalID: p.ExternalID,
	}
}
