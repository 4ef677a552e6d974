package hiding

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Filter is what somebody chose for the list of hidden or deactivated users.
type Filter struct {
	State  State  // Hidden if it is empty
	Kind   Kind   // of a hiding; "" for all
	Source Source // of a deactivation; "" for all
	Query  string // as typed
	Search search.Search
	Cursor *lists.Cursor
	Limit  int
}

// listName is the list name of the cursors.
func (f Filter) listName() string { return string(f.state()) + "-users" }

func (f Filter) state() State { return cmp.Or(f.State, Hidden) }

// IsDeactivated reports whether the list is that of deactivated users.
func (f Filter) IsDeactivated() bool { return f.State == Deactivated }

// ReadFilter reads the address of the list: state, q, kind or source, and cursor.
// What cannot have been chosen is refused by FieldErrors; the rest is read all the
// same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{State: lists.OneOf(&r, "state", States)}
	if f.IsDeactivated() {
		f.Source = lists.OneOf(&r, "source", Sources)
	} else {
		f.Kind = lists.OneOf(&r, "kind", Kinds)
	}
	f.Cursor = r.Cursor(f.listName())
	f.Query, f.Search = r.Search("q")
	return f, r.Err()
}

// Values returns the address of the list as ReadFilter reads it, without the
// cursor.
func (f Filter) Values() url.Values {
	v := url.Values{}
	lists.SetText(v, "q", f.Query)
	lists.SetText(v, "kind", string(f.Kind))
	lists.SetText(v, "source", string(f.Source))
	if f.IsDeactivated() {
		lists.SetText(v, "state", string(f.State))
	}
	return v
}

// IsFiltered reports whether the filter leaves anybody out.
func (f Filter) IsFiltered() bool { return f.Kind != "" || f.Source != "" || !f.Search.Empty() }

// patterns returns the patterns of the search; one that everything matches
// without any, because a null array would match nothing.
func (f Filter) patterns() []string { return append([]string{"%"}, f.Search.Patterns()...) }

// HiddenUser is a hidden or deactivated user with the hiding. Name is the user's, HiddenByName
// is empty for a hiding of an earlier release.
type HiddenUser struct {
	Hiding
	Name, EmployeeID string
	ImageHash        *string
	DepartmentID     int64
	Department, Path string
}

// List lists hidden or deactivated users, the latest first.
func (s *Store) List(ctx context.Context, companyID int64, f Filter) (page lists.Page[HiddenUser], err error) {
	if err := f.Cursor.Check(f.listName()); err != nil {
		return page, err
	}
	at, id := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), int64(math.MaxInt64)
	if !f.Cursor.IsStart() {
		if at, err = time.Parse(time.RFC3339Nano, f.Cursor.Value); err != nil {
			return page, fmt.Errorf("%s at %q: %w", f.listName(), f.Cursor.Value, lists.ErrCursor)
		}
		id = f.Cursor.ID
	}
	var rows []HiddenUser
	planned, size := New(s.db.CustomPlan()), int32(f.Limit)+1
	if f.Cursor.IsBackward() {
		found, err := planned.hiddenUsersAfter(ctx, hiddenUsersAfterParams{companyID, f.state(), at, id, string(f.Kind), string(f.Source), f.patterns(), size})
		if err != nil {
			return page, fmt.Errorf("%s users: %w", f.state(), err)
		}
		for _, row := range found {
			rows = append(rows, HiddenUser{row.Hiding, row.Name, row.EmployeeID, row.ImageHash, row.DepartmentID, row.Department, row.Path})
		}
	} else {
		found, err := planned.hiddenUsers(ctx, hiddenUsersParams{companyID, f.state(), at, id, string(f.Kind), string(f.Source), f.patterns(), size})
		if err != nil {
			return page, fmt.Errorf("%s users: %w", f.state(), err)
		}
		for _, row := range found {
			rows = append(rows, HiddenUser{row.Hiding, row.Name, row.EmployeeID, row.ImageHash, row.DepartmentID, row.Department, row.Path})
		}
	}
	return lists.NewPage(rows, f.Cursor, f.Limit, func(u HiddenUser) lists.Cursor {
		return lists.Cursor{List: f.listName(), Value: u.HiddenAt.UTC().Format(time.RFC3339Nano), ID: u.ID}
	}), nil
}

// MaxCount is the number up to which Count counts.
const MaxCount = 10_000

// Count counts the users that a filter chooses, up to MaxCount + 1.
func (s *Store) Count(ctx context.Context, companyID int64, f Filter) (int64, error) {
	return New(s.db.CustomPlan()).countHidden(ctx, countHiddenParams{companyID, f.state(), string(f.Kind), string(f.Source), f.patterns(), MaxCount + 1})
}

// Person is a user as the form shows those that are chosen.
type Person = peopleToHideRow

// People returns the users of a form by name; bots are left out.
func (s *Store) People(ctx context.Context, companyID int64, ids []int64) ([]Person, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.peopleToHide(ctx, peopleToHideParams{companyID, ids})
}

// Consequences are the numbers of what ends when people are hidden: their
// browsers and access tokens, and the policies, notices and registrations of
// viewers that name them.
type Consequences = consequencesRow

// Consequences counts what ends when people are hidden.
func (s *Store) Consequences(ctx context.Context, companyID int64, ids []int64) (Consequences, error) {
	if len(ids) == 0 {
		return Consequences{}, nil
	}
	return s.consequences(ctx, consequencesParams{companyID, ids, s.db.Now()})
}
