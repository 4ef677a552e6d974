package directory

import "strings"

// UserRecord is a user in the change log. A change has the attributes that it
// changed.
type UserRecord struct {
	Name          string `json:"name,omitempty"`
	Email         string `json:"email,omitempty"`
	EmployeeID    string `json:"employee_id,omitempty"`
	Department    string `json:"department,omitempty"` // its path; see BelowRoot
	Position      string `json:"job_title,omitempty"`
	CompanyPhone  string `json:"company_phone,omitempty"`
	PersonalPhone string `json:"personal_phone,omitempty"`
	ExternalID    string `json:"external_id,omitempty"`
}

// Differences leaves of two records what differs between them.
func (a UserRecord) Differences(b UserRecord) (before, after UserRecord) {
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

// BelowRoot is the path of a department without the root department; that of the root
// itself is its name.
func BelowRoot(path string) string {
	if _, below, ok := strings.Cut(path, "/"); ok {
		return below
	}
	return path
}
