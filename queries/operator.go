package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"net/mail"
	"strings"
	"unicode/utf8"
)

// NewUser is a person that an operator adds without a file.
type NewUser struct {
	Name, Email string
	Admin       bool
}

// CreateUser adds a person to the root department of a company. It refuses a
// bad name or email and an email that somebody has.
func (db *DB) CreateUser(ctx context.Context, companyID int64, n NewUser) (Person, error) {
	n.Name, n.Email = strings.TrimSpace(n.Name), strings.TrimSpace(n.Email)
	if length := utf8.RuneCountInString(n.Name); length < 1 || length > 100 {
		return Person{}, Invalid("user.name.invalid")
	}
	if parsed, err := mail.ParseAddress(n.Email); err != nil || parsed.Address != n.Email {
		return Person{}, Invalid("user.email.invalid")
	}
	text, grams := SearchKey(n.Name, n.Email)
	return inTx(ctx, db, func(ctx context.Context, q *Queries) (Person, error) {
		root, err := q.rootDepartment(ctx, companyID)
		if err != nil {
			return Person{}, err
		}
		id, err := q.insertUser(ctx, insertUserParams{
			CompanyID: companyID, DepartmentID: &root, Name: n.Name, Email: n.Email, IsAdmin: n.Admin,
			SearchText: text, SearchGrams: grams,
		})
		if constraint, ok := violatedConstraint(err); ok && constraint == "users_email" {
			return Person{}, Invalid("user.email.taken")
		}
		if err != nil {
			return Person{}, err
		}
		if err := q.touchDirectory(ctx, companyID); err != nil {
			return Person{}, err
		}
		return q.Person(ctx, PersonParams{companyID, id})
	})
}

// GrantAdmin makes a person an administrator.
func (db *DB) GrantAdmin(ctx context.Context, p Person) error {
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.setAdmin(ctx, setAdminParams{CompanyID: p.CompanyID, ID: p.ID, IsAdmin: true, Now: db.now()}); err != nil {
			return err
		}
		return q.touchDirectory(ctx, p.CompanyID)
	})
}

// Unhide brings a hidden person back, who can then sign in again.
func (db *DB) Unhide(ctx context.Context, p Person) error {
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.setHidden(ctx, setHiddenParams{CompanyID: p.CompanyID, ID: p.ID, Now: db.now()}); err != nil {
			return err
		}
		return q.touchDirectory(ctx, p.CompanyID)
	})
}

// ResetAllowedAddresses lets people in from every address again: each
// communication policy of a company that lists addresses gets a version that
// does not, from now on. It gives their names. What is planned stays planned.
func (db *DB) ResetAllowedAddresses(ctx context.Context, companyID int64) (names []string, err error) {
	const kind = "communication"
	return inTx(ctx, db, func(ctx context.Context, q *Queries) ([]string, error) {
		s, err := q.beginSave(ctx, Actor{CompanyID: companyID, Name: "officeconsole allow-ip reset"}, kind, db.now())
		if err != nil {
			return nil, err
		}
		rows, err := q.policyList(ctx, policyListParams{CompanyID: companyID, Kind: kind, At: s.now})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			h, err := s.loadExisting(ctx, row.ID)
			if err != nil {
				return nil, err
			}
			p := h.policy(s.now)
			open, listed, err := withoutAddresses(p.Version.Settings)
			if err != nil {
				return nil, err
			}
			if !listed {
				continue
			}
			draft := p.Version.Draft(p)
			draft.Settings, draft.Confirmed = open, true
			if err := s.append(ctx, h, draft, "policy.addresses_reset"); err != nil {
				return nil, err
			}
			names = append(names, p.Version.Name)
		}
		return names, s.finish(ctx)
	})
}

// withoutAddresses takes the rule of addresses out of settings, but keeps the
// list, and tells whether there was one.
func withoutAddresses(differences json.RawMessage) (json.RawMessage, bool, error) {
	kept := map[string]json.RawMessage{}
	if err := json.Unmarshal(differences, &kept); err != nil {
		return nil, false, fmt.Errorf("stored settings: %w", err)
	}
	_, listed := kept["allowed_ip_mode"]
	delete(kept, "allowed_ip_mode")
	open, err := json.Marshal(kept)
	return open, listed, err
}
