package directory

import (
	"context"
	"net/netip"
	"strings"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/search"
)

// ActorFrom returns a user as an actor at an address.
func ActorFrom(p Person, address netip.Addr) queries.Actor {
	return queries.Actor{CompanyID: p.CompanyID, UserID: p.ID, Name: p.Name, Address: address}
}

// NewUser describes a user that an operator adds without a file.
type NewUser struct {
	Name, Email string
	Admin       bool
}

// CreateUser adds a user to the root department of the company. It refuses an
// invalid name or email, and an email that another user has.
func (s *Store) CreateUser(ctx context.Context, by queries.Actor, n NewUser) (Person, error) {
	n.Name, n.Email = strings.TrimSpace(n.Name), strings.TrimSpace(n.Email)
	if !IsName(n.Name) {
		return Person{}, queries.Invalid("user.name.invalid")
	}
	if !IsEmail(n.Email) {
		return Person{}, queries.Invalid("user.email.invalid")
	}
	text, grams := search.Key(n.Name, n.Email)
	var created Person
	err := s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		if err := q.touchDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		c := &PeopleChange{By: by}
		return s.hold(ctx, tx, c, func(ctx context.Context) error {
			root, err := q.rootDepartment(ctx, by.CompanyID)
			if err != nil {
				return err
			}
			id, err := q.insertUser(ctx, insertUserParams{
				CompanyID: by.CompanyID, DepartmentID: &root.ID, Name: n.Name, Email: n.Email, IsAdmin: n.Admin,
				SearchText: text, SearchGrams: grams,
			})
			if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "users_email" {
				return queries.Invalid("user.email.taken")
			}
			if err != nil {
				return err
			}
			c.UserIDs = []int64{id}
			if created, err = q.Person(ctx, PersonParams{by.CompanyID, id}); err != nil {
				return err
			}
			changes := []queries.Change{{
				Action: "user.created", ObjectType: "user", ObjectID: id, ObjectName: n.Name,
				New: UserRecord{Name: n.Name, Email: n.Email, Department: root.Name},
			}}
			if n.Admin {
				changes = append(changes, adminGranted(created))
			}
			return queries.New(tx).RecordChanges(ctx, by, s.db.Now(), changes)
		})
	})
	return created, err
}

// GrantAdmin makes a user an administrator.
func (s *Store) GrantAdmin(ctx context.Context, by queries.Actor, p Person) error {
	now := s.db.Now()
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		granted, err := q.grantAdmin(ctx, grantAdminParams{CompanyID: p.CompanyID, ID: p.ID, Now: now})
		if err != nil || granted == 0 {
			return err
		}
		if err := q.touchDirectory(ctx, p.CompanyID); err != nil {
			return err
		}
		return queries.New(tx).RecordChange(ctx, by, now, adminGranted(p))
	})
}

func adminGranted(p Person) queries.Change {
	return queries.Change{Action: "user.admin_granted", ObjectType: "user", ObjectID: p.ID, ObjectName: p.Name}
}

// IsName reports whether a text is a name that a person can have.
func IsName(s string) bool {
	return !search.IsBlank(s) && utf8.RuneCountInString(s) <= maxName && PlainText(s)
}

// IsEmail reports whether a text is an email address that a person can have.
func IsEmail(s string) bool { return len(s) <= maxEmail && isEmail(s) }
