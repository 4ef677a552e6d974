package usage

import (
	"context"
	"fmt"

	"officeconsole/queries"
)

// AccessRows are rows of the access history, with what is remarkable about them, and
// the origins of their successful logins.
type AccessRows struct {
	events  []copyAccessParams
	origins addAccessOriginsParams
	known   map[accessOrigin]bool
}

// Add adds a row.
func (r *AccessRows) Add(e Access) {
	r.events = append(r.events, e.params())
	if e.UserID == nil || AccessKind(e.Kind) != AccessLogin || AccessResult(e.Result) != AccessOK {
		return
	}
	if r.known == nil {
		r.known = map[accessOrigin]bool{}
	}
	for _, origin := range []string{addressOrigin(e), deviceOrigin(e)} {
		if key := (accessOrigin{*e.UserID, origin}); origin != "" && !r.known[key] {
			r.known[key] = true
			r.origins.CompanyID = e.CompanyID
			r.origins.UserIds, r.origins.Origins, r.origins.Times = append(r.origins.UserIds, *e.UserID), append(r.origins.Origins, origin), append(r.origins.Times, e.At)
		}
	}
}

// Len returns the number of rows.
func (r *AccessRows) Len() int { return len(r.events) }

// LoadAccess stores rows of a company in a transaction: for data that is made up.
func LoadAccess(ctx context.Context, tx queries.Tx, rows AccessRows) error {
	q := New(tx)
	if _, err := q.copyAccess(ctx, rows.events); err != nil {
		return fmt.Errorf("write access history: %w", err)
	}
	if err := q.addAccessOrigins(ctx, rows.origins); err != nil {
		return fmt.Errorf("write where people sign in from: %w", err)
	}
	return nil
}
