package identity

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// errUnknown is the refusal of somebody whom the company does not know.
const errUnknown = queries.Invalid("sso.unknown")

// arrive sets the person of an attempt, whom a provider's answer is about. The first
// time somebody is found by a verified email, or created if the company allows that;
// then by the subject alone. Nothing is stored before the policy has let them in.
func (s *Store) arrive(ctx context.Context, to *attempt, p Provider, a answer) error {
	person, known, err := s.matchPerson(ctx, p, a)
	if err != nil {
		return err
	}
	person.CompanyID = p.CompanyID
	to.update = func(ctx context.Context) (directory.Person, error) { return s.storeAnswer(ctx, p, a, person, known) }
	to.person, err = s.directory.Placed(ctx, person, attributesOf(p, a.claims))
	return err
}

// storeAnswer creates a person without an id, links the subject of an answer with one who
// is not known by it, and stores the claims that the company has chosen.
func (s *Store) storeAnswer(ctx context.Context, p Provider, a answer, person directory.Person, known bool) (_ directory.Person, err error) {
	if person.ID == 0 {
		if person, err = s.createPerson(ctx, p, a); err != nil {
			return directory.Person{}, err
		}
	}
	if !known {
		if err := s.insertIdentity(ctx, insertIdentityParams{p.CompanyID, p.Issuer, a.subject, person.ID, s.db.Now()}); err != nil {
			return directory.Person{}, err
		}
	}
	changed, err := s.directory.SetAttributes(ctx, person, attributesOf(p, a.claims))
	if broken := (*policy.CheckRefusal)(nil); errors.As(err, &broken) {
		slog.WarnContext(ctx, "a policy check stops what single sign-on says about a person, who signs in without it", "company", p.CompanyID, "user", person.ID, "check", broken.Broken[0].Name)
		return person, nil
	}
	return changed, err
}

// matchPerson finds the person whom an answer is about, and changes nothing. known
// reports whether they have signed in with this subject before. A zero person is
// one to create.
func (s *Store) matchPerson(ctx context.Context, p Provider, a answer) (person directory.Person, known bool, err error) {
	row, err := s.personOfIdentity(ctx, personOfIdentityParams{p.CompanyID, p.Issuer, a.subject})
	if err == nil {
		return directory.Person(row.Person), true, nil
	}
	if !errors.Is(err, queries.NotFound) {
		return person, false, err
	}
	if !a.claims.vouchesForEmail(p) {
		return person, false, queries.Invalid("sso.email.refused")
	}
	email := normalEmail(a.claims.text("email"))
	person, err = s.directory.PersonByEmail(ctx, email)
	switch {
	case errors.Is(err, queries.NotFound) && p.CreatePeople && !directory.IsEmail(email):
		return directory.Person{}, false, queries.Invalid("sso.email.refused")
	case errors.Is(err, queries.NotFound) && p.CreatePeople:
		return directory.Person{}, false, nil
	case errors.Is(err, queries.NotFound), err == nil && (person.CompanyID != p.CompanyID || person.Bot):
		return directory.Person{}, false, errUnknown
	case err != nil:
		return directory.Person{}, false, err
	}
	// An email may be given to somebody else, who then must not get the account of
	// whoever had it before.
	other, err := s.hasIdentity(ctx, hasIdentityParams{p.CompanyID, person.ID, p.Issuer})
	if err == nil && other {
		err = queries.Invalid("sso.taken")
	}
	return person, false, err
}

// createPerson adds somebody who comes for the first time to the root department.
func (s *Store) createPerson(ctx context.Context, p Provider, a answer) (directory.Person, error) {
	email, name := normalEmail(a.claims.text("email")), a.claims.text("name")
	if !directory.IsName(name) {
		name, _, _ = strings.Cut(email, "@")
	}
	by := queries.Actor{CompanyID: p.CompanyID, Name: p.Name}
	return s.directory.CreateUser(ctx, by, directory.NewUser{Name: name, Email: email})
}

// attributesOf returns what an answer says about a person.
func attributesOf(p Provider, c claims) directory.Attributes {
	a := directory.Attributes{Source: p.Name, Name: c.text("name"), Departments: c.texts(p.DepartmentClaim), Rank: c.text(p.RankClaim)}
	if p.AdminClaim != "" {
		isAdmin := false
		for _, value := range c.texts(p.AdminClaim) {
			isAdmin = isAdmin || value == p.AdminValue
		}
		a.IsAdmin = &isAdmin
	}
	return a
}

// Unlink forgets the identities of a person, who is then found by email again. It
// returns how many there were. Conflict means that the person is the administrator, who might
// no longer get in.
func (s *Store) Unlink(ctx context.Context, by queries.Actor, person directory.Person) (n int, err error) {
	if by.UserID == person.ID {
		return 0, queries.Conflict("access.unlink.own")
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		issuers, err := t.deleteIdentities(ctx, deleteIdentitiesParams{person.CompanyID, person.ID})
		if n = len(issuers); err != nil || n == 0 {
			return err
		}
		slices.Sort(issuers)
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{
			Action: "user.unlinked", ObjectType: "user", ObjectID: person.ID, ObjectName: person.Name,
			Old: unlinkedRecord{strings.Join(issuers, ", ")},
		})
	})
	return n, err
}

// unlinkedRecord is in the change log what Unlink has forgotten.
type unlinkedRecord struct {
	Issuers string `json:"issuer"`
}
