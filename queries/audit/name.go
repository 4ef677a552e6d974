package audit

import (
	"context"
	"encoding/json"
)

// Name is the name of a department, a user or a link, with what tells it from others
// of the same name.
type Name struct {
	Text       string
	Path       string // of a department, with those above it
	Department string // of a user, "" for none
	EmployeeID string // of a user, "" for none
}

// Names are the names of departments, users and links by their ids. Those that are no
// longer stored are missing.
type Names struct{ Departments, Users, Links map[int64]Name }

// Names returns the names of the departments, users and links that differences refer
// to by their ids.
func (s *Store) Names(ctx context.Context, companyID int64, all []Difference) (Names, error) {
	arg := namesParams{CompanyID: companyID}
	for _, d := range all {
		for _, content := range []json.RawMessage{d.Old, d.New} {
			switch d.Field {
			case "people": // recorded with their names, but not with what tells them apart
				for _, person := range ReadNamed(content) {
					arg.Users = append(arg.Users, person.ID)
				}
			case "within", "departments":
				for _, department := range ReadNamed(content) {
					arg.Departments = append(arg.Departments, department.ID)
				}
			case "ids":
				arg.Links = append(arg.Links, readIDs(content)...)
			default:
				r := ReadReceivers(content)
				arg.Users = append(arg.Users, r.Users...)
				for _, department := range r.Departments {
					arg.Departments = append(arg.Departments, department.ID)
				}
			}
		}
	}
	return s.namesOf(ctx, arg)
}

func (s *Store) namesOf(ctx context.Context, arg namesParams) (Names, error) {
	names := Names{map[int64]Name{}, map[int64]Name{}, map[int64]Name{}}
	if len(arg.Users)+len(arg.Departments)+len(arg.Links) == 0 {
		return names, nil
	}
	rows, err := s.names(ctx, arg)
	for _, row := range rows {
		switch row.Type {
		case "user":
			names.Users[row.ID] = Name{Text: row.Name, Department: row.Within, EmployeeID: row.EmployeeID}
		case "link":
			names.Links[row.ID] = Name{Text: row.Name}
		default:
			names.Departments[row.ID] = Name{Text: row.Name, Path: row.Within}
		}
	}
	return names, err
}

// Named is an object that was recorded with its name.
type Named struct {
	ID              int64  `json:"id"` // 0 where it was recorded by its name alone
	Name            string `json:"name"`
	IncludeChildren *bool  `json:"include_children"` // of a department; nil for any other object
}

// ReadNamed returns the objects that a value lists; nil for any other value.
func ReadNamed(value json.RawMessage) []Named {
	var all []Named
	if json.Unmarshal(value, &all) != nil {
		return nil
	}
	return all
}

// readIDs returns the ids that a value lists; nil for any other value.
func readIDs(value json.RawMessage) []int64 {
	var ids []int64
	if json.Unmarshal(value, &ids) != nil {
		return nil
	}
	return ids
}
