package queries

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Invalid is the refusal of an input. Its text is the id of a message in
// locales.
type Invalid string

func (e Invalid) Error() string { return string(e) }

// FieldErrors are refusals by the name of the field.
type FieldErrors map[string]Invalid

func (e FieldErrors) Error() string { return fmt.Sprintf("refused fields: %v", map[string]Invalid(e)) }

// First returns one of the refusals, for where only one is shown. There must be
// one.
func (e FieldErrors) First() Invalid { return e[slices.Min(slices.Collect(maps.Keys(e)))] }

// NotFound is the error for a row that does not exist, or that the caller may not
// see.
var NotFound = pgx.ErrNoRows

// Conflict is the refusal of a change because somebody else has changed the
// object in the meantime. Its text is the id of a message in locales.
type Conflict string

func (e Conflict) Error() string { return string(e) }

// ViolatedConstraint returns the name of the constraint that an error is about,
// and whether it is about one.
func ViolatedConstraint(err error) (constraint string, ok bool) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] == "23" {
		return pg.ConstraintName, true
	}
	return "", false
}

// Unreadable reports whether the database refused a text because it contains
// NUL or is not UTF-8.
func Unreadable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22021" || pg.Code == "22P05")
}
