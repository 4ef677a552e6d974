package provisioning

import (
	"context"
	"strings"
	"time"

	"officeconsole/queries"
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
			EmployeeID: row.EmployeeID, Department: belowRoot(row.Department), CompanyPhone: row.CompanyPhone, PersonalPhone: row.PersonalPhone, Active: row.Active,
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

// belowRoot is a path without the root department; that of the root itself is its
// name.
func belowRoot(path string) string {
	if _, below, ok := strings.Cut(path, "/"); ok {
		return below
	}
	return path
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

// UserRecord is a user in the change log. A change has the attributes that it
// changed.
type UserRecord struct {
	Name          string `json:"name,omitempty"`
	Email         string `json:"email,omitempty"`
	EmployeeID    string `json:"employee_id,omitempty"`
	Department    string `json:"department,omitempty"`
	Position      string `json:"job_title,omitempty"`
	CompanyPhone  string `json:"company_phone,omitempty"`
	PersonalPhone string `json:"personal_phone,omitempty"`
	ExternalID    string `json:"external_id,omitempty"`
}

func (p Profile) record() UserRecord {
	return UserRecord{p.Name, p.UserName, p.EmployeeID, p.Department, p.Title, p.CompanyPhone, p.PersonalPhone, p.ExternalID}
}

// differences leaves of two records what differs between them.
func differences(a, b UserRecord) (before, after UserRecord) {
	for _, field := range []struct{ a, b, before, after *string }{
		{&a.Name, &b.Name, &before.Name, &after.Name},
		{&a.Email, &b.Email, &before.Email, &after.Email},
		{&a.EmployeeID, &b.EmployeeID, &before.EmployeeID, &after.EmployeeID},
		{&a.Department, &b.Department, &before.Department, &after.Department},
		{&a.Position, &b.Position, &before.Position, &after.Position},
		{&a.CompanyPhone, &b.CompanyPhone, &before.CompanyPhone, &after.CompanyPhone},
		{&a.PersonalPhone, &b.PersonalPhone, &before.PersonalPhone, &after.PersonalPhone},
		{&a.ExternalID, &b.ExternalID, &before.ExternalID, &after.ExternalID},
	} {
		if *field.a != *field.b {
			*field.before, *field.after = *field.a, *field.b
		}
	}
	return before, after
}
