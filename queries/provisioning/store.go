// Package provisioning keeps people and departments as another directory, such as an
// identity provider, says by SCIM.
package provisioning

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db       *queries.DB
	policies *policy.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, policies *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, policies: policies}
}

// Actor is another directory, by the service token that it has.
func Actor(companyID int64, tokenName string) queries.Actor {
	return queries.Actor{CompanyID: companyID, Name: tokenName + " (provisioning)", IsProgram: true}
}

// transaction changes the directory of a company.
type transaction struct {
	*Queries
	tx       queries.Tx
	shared   *queries.Queries
	policies *policy.Store
	by       queries.Actor
	now      time.Time
}

// inTx runs a request in one transaction. do locks the directory only once it knows
// that something changes: most requests of another directory change nothing, and
// none of these waits for another or invalidates a cache.
func (s *Store) inTx(ctx context.Context, by queries.Actor, do func(context.Context, *transaction) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		return do(ctx, &transaction{New(tx), tx, queries.New(tx), s.policies, by, s.db.Now()})
	})
}

// hold makes a change of the locked directory, which a check of policies may refuse.
func (t *transaction) hold(ctx context.Context, c directory.PeopleChange, change func(context.Context, *directory.PeopleChange) error) error {
	c.By = t.by
	_, err := t.policies.HoldPeople(ctx, t.tx, &c, func(ctx context.Context) error { return change(ctx, &c) })
	return err
}

// version is the version of what a value contains.
func version(value any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", value))
	return hex.EncodeToString(sum[:8])
}

// Kind is why something is refused, in the words of SCIM (RFC 7644 §3.12).
type Kind string

// The kinds. Forbidden and Mismatch have no word in SCIM.
const (
	InvalidFilter Kind = "invalidFilter"
	InvalidPath   Kind = "invalidPath"
	InvalidValue  Kind = "invalidValue"
	InvalidSyntax Kind = "invalidSyntax"
	NoTarget      Kind = "noTarget"
	Mutability    Kind = "mutability"
	TooMany       Kind = "tooMany"
	Uniqueness    Kind = "uniqueness"
	Forbidden     Kind = "forbidden"
	Mismatch      Kind = "mismatch" // somebody has changed the resource since it was read
)

// Refusal is why a request is refused. Attribute is as SCIM names it, possibly empty;
// Why the id of a message.
type Refusal struct {
	Kind      Kind
	Attribute string
	Why       queries.Invalid
}

func (r Refusal) Error() string { return fmt.Sprintf("%s: %s %s", r.Kind, r.Attribute, r.Why) }

// errMismatch is the refusal of a version that is not the latest.
var errMismatch = Refusal{Mismatch, "", "scim.version"}

// taken turns a violated constraint into its refusal.
func taken(err error) error {
	constraint, ok := queries.ViolatedConstraint(err)
	if !ok {
		return err
	}
	switch constraint {
	case "users_email":
		return Refusal{Uniqueness, "userName", "scim.user_name.taken"}
	case "users_employee_id":
		return Refusal{Uniqueness, "employeeNumber", "scim.employee_number.taken"}
	case "provisioned_users_external", "provisioned_departments_external":
		return Refusal{Uniqueness, "externalId", "scim.external_id.taken"}
	case "departments_company_id_path_key":
		return Refusal{Uniqueness, "displayName", "scim.department.taken"}
	case "departments_no_cycle":
		return Refusal{InvalidValue, "parent", "scim.parent.below"}
	}
	return err
}
