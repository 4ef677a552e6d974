package bot

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/queries"
)

// mostReceivers is how many departments and users a message can be for (domain
// §9.15).
const mostReceivers = 500

// Receivers are who gets a message: everyone, or the people of some departments
// and of those below them, and some users. The zero value is nobody.
type Receivers struct {
	Users       []int64 `json:"users,omitempty"`
	Departments []int64 `json:"departments,omitempty"`
	Everyone    bool    `json:"everyone,omitempty"`
}

// IsEmpty reports whether nobody is among the receivers.
func (r Receivers) IsEmpty() bool {
	return !r.Everyone && len(r.Users) == 0 && len(r.Departments) == 0
}

func (r Receivers) equal(other Receivers) bool {
	return r.Everyone == other.Everyone && slices.Equal(r.Users, other.Users) && slices.Equal(r.Departments, other.Departments)
}

// normalized returns the receivers in the order of their ids, each once. Everyone
// includes all others.
func (r Receivers) normalized() Receivers {
	if r.Everyone {
		return Receivers{Everyone: true}
	}
	sorted := func(ids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(ids))) }
	return Receivers{Users: sorted(r.Users), Departments: sorted(r.Departments)}
}

// UnknownReceivers is the refusal of ids that no user or department of the
// company has, or that belong to a hidden user or a bot.
type UnknownReceivers struct{ Users, Departments []int64 }

func (u UnknownReceivers) Error() string {
	return fmt.Sprintf("unknown users %v and departments %v", u.Users, u.Departments)
}

// checkReceivers refuses normalized receivers that are stored in place of old ones: the
// new among them with UnknownReceivers, and too many with Invalid. Nobody is not refused.
func (q *Queries) checkReceivers(ctx context.Context, companyID int64, r, old Receivers) error {
	if r.tooMany() {
		return queries.Invalid(manyReceivers)
	}
	added := r.without(old)
	known, err := q.existing(ctx, companyID, added)
	if err != nil {
		return err
	}
	if unknown := added.without(known); len(unknown.Users)+len(unknown.Departments) > 0 {
		return UnknownReceivers{unknown.Users, unknown.Departments}
	}
	return nil
}

// manyReceivers is the refusal of more than mostReceivers.
const manyReceivers = "bot.receivers.many"

func (r Receivers) tooMany() bool { return len(r.Users)+len(r.Departments) > mostReceivers }

// without returns the receivers except for those of others, which are in the order
// of their ids.
func (r Receivers) without(others Receivers) Receivers {
	remaining := func(ids, others []int64) []int64 {
		return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
			_, found := slices.BinarySearch(others, id)
			return found
		})
	}
	return Receivers{Users: remaining(r.Users, others.Users), Departments: remaining(r.Departments, others.Departments), Everyone: r.Everyone}
}

// existing returns those receivers that can get messages now.
func (q *Queries) existing(ctx context.Context, companyID int64, r Receivers) (Receivers, error) {
	if r.Everyone || r.IsEmpty() {
		return r, nil
	}
	known, err := q.knownReceivers(ctx, knownReceiversParams{CompanyID: companyID, Users: r.Users, Departments: r.Departments})
	return Receivers{Users: known.Users, Departments: known.Departments}, err
}

// Names are the names of users and departments by their ids.
type Names struct{ Users, Departments map[int64]string }

// ReceiverNames returns the names of all receivers. Those of receivers who no
// longer exist are missing.
func (s *Store) ReceiverNames(ctx context.Context, companyID int64, all ...Receivers) (Names, error) {
	names := Names{map[int64]string{}, map[int64]string{}}
	arg := receiverNamesParams{CompanyID: companyID}
	for _, r := range all {
		arg.Users, arg.Departments = append(arg.Users, r.Users...), append(arg.Departments, r.Departments...)
	}
	if len(arg.Users)+len(arg.Departments) == 0 {
		return names, nil
	}
	rows, err := s.receiverNames(ctx, arg)
	for _, row := range rows {
		if row.Type == "user" {
			names.Users[row.ID] = row.Name
		} else {
			names.Departments[row.ID] = row.Name
		}
	}
	return names, err
}
