package provisioning

import (
	"context"
	"slices"

	"officeconsole/queries/directory"
)

// MaxMembers is how many members one request can name.
const MaxMembers = 10_000

// MemberChange adds people to a department, removes them, or makes them its only
// members.
type MemberChange struct {
	Op  MemberOp
	IDs []int64
}

// MemberOp is what a MemberChange does.
type MemberOp int

// The operations.
const (
	AddMembers MemberOp = iota
	RemoveMembers
	ReplaceMembers
)

func (d Department) ids() map[int64]bool {
	ids := map[int64]bool{}
	for _, m := range d.Members {
		ids[m.ID] = true
	}
	return ids
}

func (c MemberChange) apply(ids map[int64]bool) map[int64]bool {
	if c.Op == ReplaceMembers {
		ids = map[int64]bool{}
	}
	for _, id := range c.IDs {
		if c.Op == RemoveMembers {
			delete(ids, id)
		} else {
			ids[id] = true
		}
	}
	return ids
}

// difference returns whom changes add to the department and remove from it.
func (d Department) difference(changes []MemberChange) (add, remove []int64) {
	before, wanted := d.ids(), d.ids()
	for _, c := range changes {
		wanted = c.apply(wanted)
	}
	for id := range wanted {
		if !before[id] {
			add = append(add, id)
		}
	}
	for _, m := range d.Members {
		if !wanted[m.ID] {
			remove = append(remove, m.ID)
		}
	}
	slices.Sort(add)
	return add, remove
}

// peopleChange is what changes of the members may concern.
func (d Department) peopleChange(changes []MemberChange) directory.PeopleChange {
	add, remove := d.difference(changes)
	return directory.PeopleChange{UserIDs: slices.Concat(add, remove)}
}

// changeMembers applies changes of members, and returns who was added and removed.
func (t *transaction) changeMembers(ctx context.Context, of Department, changes []MemberChange) (added, removed []Member, err error) {
	before := of.ids()
	add, remove := of.difference(changes)
	if n, err := t.countPeople(ctx, countPeopleParams{t.by.CompanyID, add}); err != nil {
		return nil, nil, err
	} else if n < int64(len(add)) {
		return nil, nil, Refusal{InvalidValue, "members", "scim.member.unknown"}
	}
	root, err := t.root(ctx, t.by.CompanyID)
	if err != nil {
		return nil, nil, err
	}
	if err := t.join(ctx, of.ID, root.ID, add); err != nil {
		return nil, nil, err
	}
	if err := t.leave(ctx, of.ID, root.ID, remove); err != nil {
		return nil, nil, err
	}
	after, err := t.department(ctx, t.by.CompanyID, of.ID, true)
	if err != nil {
		return nil, nil, err
	}
	return without(after.Members, before), without(of.Members, after.ids()), nil
}

func without(members []Member, ids map[int64]bool) (rest []Member) {
	for _, m := range members {
		if !ids[m.ID] {
			rest = append(rest, m)
		}
	}
	return rest
}

// join makes people members of a department. It becomes the default one of those who
// have none but the root.
func (t *transaction) join(ctx context.Context, id, rootID int64, people []int64) error {
	if len(people) == 0 {
		return nil
	}
	err := t.moveFromRoot(ctx, moveFromRootParams{DepartmentID: id, Now: t.now, CompanyID: t.by.CompanyID, Ids: people, RootID: rootID})
	if err != nil {
		return err
	}
	if err := t.addMembers(ctx, addMembersParams{id, t.by.CompanyID, people}); err != nil {
		return err
	}
	return t.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{t.by.CompanyID, people})
}

// leave removes people from a department. Whose default department it was gets their
// first other one, or the root; the root department itself cannot be left without
// another one.
func (t *transaction) leave(ctx context.Context, id, rootID int64, people []int64) error {
	if len(people) == 0 {
		return nil
	}
	if err := t.removeMembers(ctx, removeMembersParams{t.by.CompanyID, people, id}); err != nil {
		return err
	}
	err := t.moveFromDepartment(ctx, moveFromDepartmentParams{Now: t.now, RootID: rootID, CompanyID: t.by.CompanyID, Ids: people, DepartmentID: id})
	if err != nil {
		return err
	}
	return t.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{t.by.CompanyID, people})
}
