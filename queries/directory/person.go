package directory

import (
	"cmp"
	"context"
	"net/mail"
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
	Source      string // what adds it, for the change log: the command if it is empty
}

// CreateUser adds a user to the root department of a company. It refuses an
// invalid name or email, and an email that another user has.
func (s *Store) CreateUser(ctx context.Context, companyID int64, n NewUser) (Person, error) {
	n.Name, n.Email = strings.TrimSpace(n.Name), strings.TrimSpace(n.Email)
	if length := utf8.RuneCountInString(n.Name); length < 1 || length > 100 {
		return Person{}, queries.Invalid("user.name.invalid")
	}
	if parsed, err := mail.ParseAddress(n.Email); err != nil || parsed.Address != n.Email {
		return Person{}, queries.Invalid("user.email.invalid")
	}
	text, grams := search.Key(n.Name, n.Email)
	var created Person
	err := s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		if err := q.touchDirectory(ctx, companyID); err != nil {
			return err
		}
		c := &PeopleChange{By: queries.Actor{CompanyID: companyID, Name: cmp.Or(n.Source, "officeconsole user create")}}
		return s.hold(ctx, tx, c, func(ctx context.Context) error {
			root, err := q.rootDepartment(ctx, companyID)
			if err != nil {
				return err
			}
			id, err := q.insertUser(ctx, insertUserParams{
				CompanyID: companyID, DepartmentID: &root, Name: n.Name, Email: n.Email, IsAdmin: n.Admin,
				SearchText: text, SearchGrams: grams,
			})
			if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "users_email" {
				return queries.Invalid("user.email.taken")
			}
			if err != nil {
				return err
			}
			c.UserIDs = []int64{id}
			created, err = q.Person(ctx, PersonParams{companyID, id})
			return err
		})
	})
	return created, err
}

// GrantAdmin makes a user an administrator.
func (s *Store) GrantAdmin(ctx context.Context, p Person) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.setAdmin(ctx, setAdminParams{CompanyID: p.CompanyID, ID: p.ID, IsAdmin: true, Now: s.db.Now()}); err != nil {
			return err
		}
		return q.touchDirectory(ctx, p.CompanyID)
	})
}

// IsEmail reports whether a text is an email address that a person can have.
func IsEmail(s string) bool { return len(s) <= maxEmail && isEmail(s) }
