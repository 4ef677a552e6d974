package provisioning

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/search"
)

// The maximum lengths in characters.
const (
	maxName       = 100
	maxExternalID = 200
)

// CreateUser creates a person, or takes up again somebody whom the other directory
// had deleted. It refuses with a Refusal.
func (s *Store) CreateUser(ctx context.Context, by queries.Actor, p Profile) (created User, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		return t.hold(ctx, directory.PeopleChange{}, func(ctx context.Context, c *directory.PeopleChange) error {
			wanted := User{Profile: p}
			if err := t.resolve(ctx, &wanted, User{}); err != nil {
				return err
			}
			id, err := t.deletedUser(ctx, deletedUserParams{by.CompanyID, wanted.UserName})
			switch {
			case errors.Is(err, queries.NotFound):
				created, err = t.create(ctx, wanted)
			case err == nil:
				created, err = t.takeUp(ctx, id, wanted)
			}
			c.UserIDs = []int64{created.ID} // deleted ones were not in the company either
			return err
		})
	})
	return created, err
}

func (t *transaction) create(ctx context.Context, wanted User) (User, error) {
	rank, err := t.rank(ctx, wanted.Title)
	if err != nil {
		return User{}, err
	}
	text, grams := searchKey(wanted.Profile)
	id, err := t.insertUser(ctx, insertUserParams{
		CompanyID: t.by.CompanyID, DepartmentID: &wanted.DepartmentID, RankID: rank, Name: wanted.Name, Email: wanted.UserName, EmployeeID: wanted.EmployeeID,
		CompanyPhone: wanted.CompanyPhone, PersonalPhone: wanted.PersonalPhone, Now: t.now, SearchText: text, SearchGrams: grams,
	})
	if err != nil {
		return User{}, taken(err)
	}
	if err := t.setProvisioned(ctx, id, wanted.Profile); err != nil {
		return User{}, err
	}
	if err := t.shared.RecordChange(ctx, t.by, t.now, queries.Change{
		Action: "user.created", ObjectType: "user", ObjectID: id, ObjectName: wanted.Name, New: wanted.record(),
	}); err != nil {
		return User{}, err
	}
	if !wanted.Active {
		if err := t.setActive(ctx, id, false); err != nil {
			return User{}, err
		}
	}
	return t.user(ctx, t.by.CompanyID, id)
}

// takeUp gives a deleted user what the other directory says when it creates them
// again. Another employee number is that of another person, who must not get the
// account of whoever had the email before.
func (t *transaction) takeUp(ctx context.Context, id int64, wanted User) (User, error) {
	if err := t.setProvisioned(ctx, id, wanted.Profile); err != nil {
		return User{}, err
	}
	before, err := t.user(ctx, t.by.CompanyID, id)
	if err != nil {
		return User{}, err
	}
	if before.EmployeeID != "" && wanted.EmployeeID != "" && before.EmployeeID != wanted.EmployeeID {
		return User{}, Refusal{Uniqueness, "userName", "scim.user_name.former"}
	}
	wanted.ID = id
	if err := t.write(ctx, before, wanted); err != nil {
		return User{}, err
	}
	return t.user(ctx, t.by.CompanyID, id)
}

// UpdateUser changes a person by a function, which it may run twice: nothing is
// written and nobody waits if it changes nothing. version is the version that the
// caller has read, "" for any. It refuses with a Refusal; NotFound as User does.
func (s *Store) UpdateUser(ctx context.Context, by queries.Actor, id int64, version string, change func(*Profile) error) (updated User, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		before, wanted, err := t.plan(ctx, id, version, change)
		if err != nil || wanted.Profile == before.Profile {
			updated = before
			return err
		}
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		return t.hold(ctx, directory.PeopleChange{UserIDs: []int64{id}}, func(ctx context.Context, _ *directory.PeopleChange) error {
			if before, wanted, err = t.plan(ctx, id, version, change); err != nil {
				return err
			}
			if err := t.write(ctx, before, wanted); err != nil {
				return err
			}
			updated, err = t.user(ctx, by.CompanyID, id)
			return err
		})
	})
	return updated, err
}

// plan returns a user before and after a change, which it checks.
func (t *transaction) plan(ctx context.Context, id int64, version string, change func(*Profile) error) (before, wanted User, err error) {
	if before, err = t.user(ctx, t.by.CompanyID, id); err != nil {
		return before, wanted, err
	}
	if version != "" && version != before.Version() {
		return before, wanted, errMismatch
	}
	wanted = before
	if err := change(&wanted.Profile); err != nil {
		return before, wanted, err
	}
	return before, wanted, t.resolve(ctx, &wanted, before)
}

// write stores what differs.
func (t *transaction) write(ctx context.Context, before, wanted User) error {
	if wanted.Profile == before.Profile {
		return nil
	}
	rank, err := t.rank(ctx, wanted.Title)
	if err != nil {
		return err
	}
	text, grams := searchKey(wanted.Profile)
	err = t.updateUser(ctx, updateUserParams{
		CompanyID: t.by.CompanyID, ID: wanted.ID, DepartmentID: &wanted.DepartmentID, RankID: rank, Name: wanted.Name, Email: wanted.UserName, EmployeeID: wanted.EmployeeID,
		CompanyPhone: wanted.CompanyPhone, PersonalPhone: wanted.PersonalPhone, Now: t.now, SearchText: text, SearchGrams: grams,
	})
	if err != nil {
		return taken(err)
	}
	if err := t.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{t.by.CompanyID, []int64{wanted.ID}}); err != nil {
		return err
	}
	if err := t.setProvisioned(ctx, wanted.ID, wanted.Profile); err != nil {
		return err
	}
	if old, current := before.record().Differences(wanted.record()); old != current {
		if err := t.shared.RecordChange(ctx, t.by, t.now, queries.Change{
			Action: "user.updated", ObjectType: "user", ObjectID: wanted.ID, ObjectName: wanted.Name, Old: old, New: current,
		}); err != nil {
			return err
		}
	}
	if wanted.Active == before.Active {
		return nil
	}
	return t.setActive(ctx, wanted.ID, wanted.Active)
}

// DeleteUser deactivates a person, whom SCIM then no longer shows.
func (s *Store) DeleteUser(ctx context.Context, by queries.Actor, id int64, version string) error {
	return s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		return t.hold(ctx, directory.PeopleChange{UserIDs: []int64{id}}, func(ctx context.Context, _ *directory.PeopleChange) error {
			u, err := t.user(ctx, by.CompanyID, id)
			if err == nil && version != "" && version != u.Version() {
				err = errMismatch
			}
			if err != nil {
				return err
			}
			if u.Active {
				if err := t.setActive(ctx, id, false); err != nil {
					return err
				}
			}
			return t.setUserDeleted(ctx, setUserDeletedParams{by.CompanyID, id, t.now})
		})
	})
}

// setActive deactivates or reactivates a person.
func (t *transaction) setActive(ctx context.Context, id int64, active bool) error {
	if active {
		_, err := hiding.ReactivateIn(ctx, t.tx, t.by, t.now, []int64{id})
		return err
	}
	_, err := hiding.DeactivateIn(ctx, t.tx, t.by, t.now, hiding.Deactivation{UserIDs: []int64{id}, Source: hiding.Provisioning})
	var refused *hiding.Refusal
	if errors.As(err, &refused) {
		return Refusal{Forbidden, "active", refused.Why}
	}
	return err
}

func (t *transaction) setProvisioned(ctx context.Context, id int64, p Profile) error {
	return taken(t.setProvisionedUser(ctx, setProvisionedUserParams{t.by.CompanyID, id, p.ExternalID, p.Name, p.GivenName, p.FamilyName}))
}

// rank returns the id of a rank, which it creates as an import does; nil for "".
func (t *transaction) rank(ctx context.Context, name string) (*int64, error) {
	if name == "" {
		return nil, nil
	}
	id, err := t.rankID(ctx, rankIDParams{t.by.CompanyID, name})
	if errors.Is(err, queries.NotFound) {
		id, err = t.insertRank(ctx, insertRankParams{t.by.CompanyID, name})
	}
	return &id, err
}

func searchKey(p Profile) (text string, grams []string) {
	text, grams = search.Key(p.Name, p.UserName, p.EmployeeID)
	if grams == nil {
		grams = []string{}
	}
	return text, grams
}

// resolve tidies and checks the profile of a user, and finds the department.
func (t *transaction) resolve(ctx context.Context, wanted *User, before User) error {
	p := &wanted.Profile
	for _, field := range []struct {
		text      *string
		attribute string
		longest   int
	}{
		{&p.UserName, "userName", 254}, {&p.Name, "displayName", maxName}, {&p.GivenName, "name.givenName", maxName}, {&p.FamilyName, "name.familyName", maxName},
		{&p.Title, "title", directory.MaxTitle}, {&p.EmployeeID, "employeeNumber", directory.MaxTitle}, {&p.CompanyPhone, "phoneNumbers", directory.MaxTitle},
		{&p.PersonalPhone, "phoneNumbers", directory.MaxTitle}, {&p.ExternalID, "externalId", maxExternalID}, {&p.Department, "department", 2000},
	} {
		if !directory.PlainText(*field.text) {
			return Refusal{InvalidValue, field.attribute, "scim.value.characters"}
		}
		*field.text = norm.NFC.String(strings.TrimSpace(*field.text))
		if utf8.RuneCountInString(*field.text) > field.longest {
			return Refusal{InvalidValue, field.attribute, "scim.value.long"}
		}
	}
	switch {
	case p.UserName == "":
		return Refusal{InvalidValue, "userName", "scim.value.required"}
	case !directory.IsEmail(p.UserName) && p.UserName != before.UserName:
		return Refusal{InvalidValue, "userName", "scim.user_name.email"}
	case search.IsBlank(p.Name):
		return Refusal{InvalidValue, "displayName", "scim.value.required"}
	}
	if p.Department == before.Department && before.ID != 0 {
		return nil
	}
	return t.findDepartment(ctx, wanted)
}

// findDepartment finds the department of a user by its path, with or without the
// root, or by its name if no other one has it.
func (t *transaction) findDepartment(ctx context.Context, u *User) error {
	root, err := t.root(ctx, t.by.CompanyID)
	if err != nil {
		return err
	}
	if u.Department == "" {
		u.DepartmentID, u.Department = root.ID, root.Path
		return nil
	}
	found, err := t.departmentsNamed(ctx, departmentsNamedParams{CompanyID: t.by.CompanyID, Path: u.Department, BelowRoot: root.Path + "/" + u.Department, Name: u.Department})
	if err != nil {
		return err
	}
	switch {
	case len(found) == 0:
		return Refusal{InvalidValue, "department", "scim.department.unknown"}
	case len(found) > 1 && !found[0].IsPath:
		return Refusal{InvalidValue, "department", "scim.department.ambiguous"}
	}
	u.DepartmentID, u.Department = found[0].ID, directory.BelowRoot(found[0].Path)
	return nil
}
