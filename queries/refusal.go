package queries

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Invalid is a refusal of what somebody entered: the id of a message in locales.
type Invalid string

func (e Invalid) Error() string { return string(e) }

// FieldErrors are refusals by the name of the field they belong to.
type FieldErrors map[string]Invalid

func (e FieldErrors) Error() string { return fmt.Sprintf("refused fields: %v", map[string]Invalid(e)) }

// First is the refusal to show where there is room for one; there must be one.
func (e FieldErrors) First() Invalid { return e[slices.Min(slices.Collect(maps.Keys(e)))] }

// NotFound is the error for a row that does not exist, or that the caller may not
// see.
var NotFound = pgx.ErrNoRows

// Conflict is a write against a state that somebody else has changed: the id of a message.
type Conflict string

func (e Conflict) Error() string { return string(e) }

// ViolatedConstraint reports whether err is the violation of a constraint, and which.
func ViolatedConstraint(err error) (constraint string, ok bool) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] == "23" {
		return pg.ConstraintName, true
	}
	return "", false
}

// Unreadable reports whether the database refused a text because of its bytes:
// NUL, or what is not UTF-8.
func Unreadable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22021" || pg.Code == "22P05")
}
