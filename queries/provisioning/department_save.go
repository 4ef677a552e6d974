package provisioning

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

// DepartmentDraft is what another directory says of a department. ParentID is 0 for
// the root department of the company. The members are changed in the order of Members.
type DepartmentDraft struct {
	Name       string
	ParentID   int64
	ExternalID string
	Members    []MemberChange
}

// CreateDepartment creates a department below another one, or takes up again one that
// the other directory had deleted. It refuses with a Refusal.
func (s *Store) CreateDepartment(ctx context.Context, by queries.Actor, d DepartmentDraft) (created Department, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		root, err := t.root(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if d.ParentID == 0 {
			d.ParentID = root.ID
		}
		if err := t.checkDepartment(ctx, &d); err != nil {
			return err
		}
		id, err := t.deletedDepartment(ctx, deletedDepartmentParams{by.CompanyID, d.ParentID, d.Name})
		if errors.Is(err, queries.NotFound) {
			text, _ := search.Key(d.Name)
			id, err = t.insertDepartment(ctx, insertDepartmentParams{by.CompanyID, d.ParentID, d.Name, text})
		}
		if err != nil {
			return taken(err)
		}
		if err := taken(t.setProvisionedDepartment(ctx, setProvisionedDepartmentParams{by.CompanyID, id, d.ExternalID})); err != nil {
			return err
		}
		before, err := t.department(ctx, by.CompanyID, id, true)
		if err != nil {
			return err
		}
		var added []Member
		err = t.hold(ctx, before.peopleChange(d.Members), func(ctx context.Context, _ *directory.PeopleChange) (err error) {
			added, _, err = t.changeMembers(ctx, before, d.Members)
			return err
		})
		if err != nil {
			return err
		}
		if created, err = t.department(ctx, by.CompanyID, id, true); err != nil {
			return err
		}
		record := created.record()
		record.Added = namesOf(added)
		return t.shared.RecordChange(ctx, by, t.now, queries.Change{
			Action: "department.created", ObjectType: "department", ObjectID: id, ObjectName: created.Name, New: record,
		})
	})
	return created, err
}

// UpdateDepartment changes a department by a function, which may be run twice, as
// UpdateUser does.
func (s *Store) UpdateDepartment(ctx context.Context, by queries.Actor, id int64, version string, change func(*DepartmentDraft) error) (updated Department, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		before, d, err := t.planDepartment(ctx, id, version, change)
		if err != nil {
			return err
		}
		if before.isSame(d) {
			updated = before
			return nil
		}
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		if before, d, err = t.planDepartment(ctx, id, version, change); err != nil {
			return err
		}
		c := before.peopleChange(d.Members)
		if d.ParentID != before.ParentID {
			c.DepartmentIDs = []int64{id}
		}
		return t.hold(ctx, c, func(ctx context.Context, _ *directory.PeopleChange) error {
			updated, err = t.writeDepartment(ctx, before, d)
			return err
		})
	})
	return updated, err
}

func (t *transaction) planDepartment(ctx context.Context, id int64, version string, change func(*DepartmentDraft) error) (before Department, d DepartmentDraft, err error) {
	if before, err = t.department(ctx, t.by.CompanyID, id, true); err != nil {
		return before, d, err
	}
	if version != "" && version != before.Version() {
		return before, d, errMismatch
	}
	d = DepartmentDraft{Name: before.Name, ParentID: before.ParentID, ExternalID: before.ExternalID}
	if err := change(&d); err != nil {
		return before, d, err
	}
	if before.ParentID == 0 && d.ParentID != 0 {
		return before, d, Refusal{Mutability, "parent", "scim.root"}
	}
	if before.ParentID != 0 && d.ParentID == 0 {
		root, err := t.root(ctx, t.by.CompanyID)
		if err != nil {
			return before, d, err
		}
		d.ParentID = root.ID
	}
	return before, d, t.checkDepartment(ctx, &d)
}

// isSame reports whether a draft changes nothing of the department.
func (d Department) isSame(draft DepartmentDraft) bool {
	after := d.ids()
	for _, c := range draft.Members {
		after = c.apply(after)
	}
	return draft.Name == d.Name && draft.ParentID == d.ParentID && draft.ExternalID == d.ExternalID && reflect.DeepEqual(after, d.ids())
}

func (t *transaction) writeDepartment(ctx context.Context, before Department, d DepartmentDraft) (Department, error) {
	if d.Name != before.Name || d.ParentID != before.ParentID {
		text, _ := search.Key(d.Name)
		if err := t.updateDepartment(ctx, updateDepartmentParams{d.ParentID, d.Name, text, t.by.CompanyID, before.ID}); err != nil {
			return before, taken(err)
		}
	}
	if d.ExternalID != before.ExternalID {
		if err := t.setProvisionedDepartment(ctx, setProvisionedDepartmentParams{t.by.CompanyID, before.ID, d.ExternalID}); err != nil {
			return before, taken(err)
		}
	}
	added, removed, err := t.changeMembers(ctx, before, d.Members)
	if err != nil {
		return before, err
	}
	after, err := t.department(ctx, t.by.CompanyID, before.ID, true)
	if err != nil {
		return before, err
	}
	old, current := before.record(), after.record()
	current.Added, current.Removed = namesOf(added), namesOf(removed)
	if reflect.DeepEqual(old, current) {
		return after, nil
	}
	return after, t.shared.RecordChange(ctx, t.by, t.now, queries.Change{
		Action: "department.updated", ObjectType: "department", ObjectID: after.ID, ObjectName: after.Name, Old: old, New: current,
	})
}

// DeleteDepartment removes everybody from a department, which SCIM then no longer
// shows. It remains in the console, because records of the past name it.
func (s *Store) DeleteDepartment(ctx context.Context, by queries.Actor, id int64, version string) error {
	return s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		d, err := t.department(ctx, by.CompanyID, id, true)
		if err != nil {
			return err
		}
		if version != "" && version != d.Version() {
			return errMismatch
		}
		if d.ParentID == 0 {
			return Refusal{Forbidden, "", "scim.root"}
		}
		if children, err := t.hasChildren(ctx, hasChildrenParams{by.CompanyID, id}); err != nil {
			return err
		} else if children {
			return Refusal{Forbidden, "", "scim.department.children"}
		}
		nobody := []MemberChange{{Op: ReplaceMembers}}
		err = t.hold(ctx, d.peopleChange(nobody), func(ctx context.Context, _ *directory.PeopleChange) error {
			_, _, err := t.changeMembers(ctx, d, nobody)
			return err
		})
		if err != nil {
			return err
		}
		if err := t.setDepartmentDeleted(ctx, setDepartmentDeletedParams{by.CompanyID, id, t.now}); err != nil {
			return err
		}
		record := d.record()
		record.Removed = namesOf(d.Members)
		return t.shared.RecordChange(ctx, by, t.now, queries.Change{
			Action: "department.deleted", ObjectType: "department", ObjectID: id, ObjectName: d.Name, Old: record,
		})
	})
}

// checkDepartment tidies and checks a draft.
func (t *transaction) checkDepartment(ctx context.Context, d *DepartmentDraft) error {
	for _, field := range []struct {
		text      *string
		attribute string
		longest   int
	}{{&d.Name, "displayName", maxName}, {&d.ExternalID, "externalId", maxExternalID}} {
		if !directory.PlainText(*field.text) {
			return Refusal{InvalidValue, field.attribute, "scim.value.characters"}
		}
		*field.text = norm.NFC.String(strings.TrimSpace(*field.text))
		if utf8.RuneCountInString(*field.text) > field.longest {
			return Refusal{InvalidValue, field.attribute, "scim.value.long"}
		}
	}
	switch {
	case search.IsBlank(d.Name):
		return Refusal{InvalidValue, "displayName", "scim.value.required"}
	case strings.Contains(d.Name, "/"):
		return Refusal{InvalidValue, "displayName", "scim.department.slash"}
	}
	members := 0
	for _, c := range d.Members {
		members += len(c.IDs)
	}
	if members > MaxMembers {
		return Refusal{TooMany, "members", "scim.member.many"}
	}
	if d.ParentID == 0 { // the root department itself
		return nil
	}
	known, err := t.departmentExists(ctx, departmentExistsParams{t.by.CompanyID, d.ParentID})
	if err == nil && !known {
		err = Refusal{InvalidValue, "parent", "scim.parent.unknown"}
	}
	return err
}
