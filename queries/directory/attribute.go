package directory

import (
	"context"
	"log/slog"

	"officeconsole/queries"
	"officeconsole/search"
)

// Attributes are what another directory says about a person. An empty one says
// nothing.
type Attributes struct {
	Source      string // the name of the directory, for the change log
	Name        string
	Departments []string // paths, with or without the root; the first that exists counts
	Rank        string
	IsAdmin     *bool
}

// SetAttributes gives a person what another directory says about them, and returns
// the person. A department or rank that the company does not have changes nothing,
// and the only administrator stays one.
func (s *Store) SetAttributes(ctx context.Context, p Person, a Attributes) (Person, error) {
	if a.Departments == nil {
		a.Departments = []string{}
	}
	row, err := s.attributes(ctx, attributesParams{CompanyID: p.CompanyID, ID: p.ID, Departments: a.Departments, Rank: a.Rank})
	if err != nil {
		return p, err
	}
	wanted := setAttributesParams{CompanyID: p.CompanyID, ID: p.ID, Name: row.Name, DepartmentID: row.DepartmentID, RankID: row.RankID, IsAdmin: row.IsAdmin, Now: s.db.Now()}
	if IsName(a.Name) {
		wanted.Name = a.Name
	}
	before := UserRecord{Name: row.Name, Department: BelowRoot(row.Department), Position: row.Rank}
	after := before
	if row.NewDepartmentID != 0 {
		wanted.DepartmentID, after.Department = &row.NewDepartmentID, BelowRoot(row.NewDepartment)
	} else if len(a.Departments) > 0 {
		slog.InfoContext(ctx, "single sign-on names no department of the company", "company", p.CompanyID, "user", p.ID)
	}
	if row.NewRankID != 0 {
		wanted.RankID, after.Position = &row.NewRankID, a.Rank
	}
	if a.IsAdmin != nil {
		wanted.IsAdmin = *a.IsAdmin || row.IsAdmin && !row.HasOtherAdmins
	}
	if wanted.Name == row.Name && sameID(wanted.DepartmentID, row.DepartmentID) && sameID(wanted.RankID, row.RankID) && wanted.IsAdmin == row.IsAdmin {
		return p, nil
	}
	after.Name = wanted.Name
	wanted.SearchText, wanted.SearchGrams = search.Key(wanted.Name, row.Email, row.EmployeeID)
	by := queries.Actor{CompanyID: p.CompanyID, Name: a.Source}
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		if err := q.touchDirectory(ctx, p.CompanyID); err != nil {
			return err
		}
		err := s.hold(ctx, tx, &PeopleChange{By: by, UserIDs: []int64{p.ID}}, func(ctx context.Context) error {
			if err := q.setAttributes(ctx, wanted); err != nil {
				return err
			}
			return q.dropDoubledMemberships(ctx, dropDoubledMembershipsParams{p.CompanyID, []int64{p.ID}})
		})
		if err != nil {
			return err
		}
		if p, err = q.Person(ctx, PersonParams{p.CompanyID, p.ID}); err != nil {
			return err
		}
		var changes []queries.Change
		if old, current := before.Differences(after); old != current {
			changes = append(changes, queries.Change{Action: "user.updated", ObjectType: "user", ObjectID: p.ID, ObjectName: p.Name, Old: old, New: current})
		}
		switch {
		case wanted.IsAdmin && !row.IsAdmin:
			changes = append(changes, adminGranted(p))
		case !wanted.IsAdmin && row.IsAdmin:
			changes = append(changes, queries.Change{Action: "user.admin_revoked", ObjectType: "user", ObjectID: p.ID, ObjectName: p.Name})
		}
		return queries.New(tx).RecordChanges(ctx, by, wanted.Now, changes)
	})
	return p, err
}

// Placed returns a person in the department in which CreateUser and SetAttributes would
// leave them, for whoever decides before that. It changes nothing.
func (s *Store) Placed(ctx context.Context, p Person, a Attributes) (Person, error) {
	if a.Departments == nil {
		a.Departments = []string{}
	}
	row, err := s.placement(ctx, placementParams{CompanyID: p.CompanyID, DepartmentID: p.DepartmentID, Departments: a.Departments})
	p.DepartmentID, p.DirectoryVersion, p.PolicyVersion = &row.DepartmentID, row.DirectoryVersion, row.PolicyVersion
	return p, err
}

func sameID(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
