package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// Overlap refuses to revert a change, because fields of it have other values by now. It
// is a Conflict.
type Overlap struct {
	PolicyName string // of another policy that the fields belong to; "" for the object of the change
	Fields     []LaterField
}

func (o *Overlap) Error() string { return fmt.Sprintf("%d fields have changed since", len(o.Fields)) }

// Unwrap returns the Conflict.
func (o *Overlap) Unwrap() error { return queries.Conflict("change.revert.changed") }

// LaterField is a field that a later change has changed too.
type LaterField struct {
	Field
	By *Change // the latest one; nil where none is found, as for a planned version that has begun
}

// Field is a field of an object.
type Field struct {
	Name    string          // as in Difference or policy.FieldDifference; the path of a setting
	Setting settings.Change // the setting of a policy; zero for anything else
}

// mostLater is the number of later changes in which a field is looked for.
const mostLater = 200

// LaterFields returns the fields of a change that later changes of the same object have
// changed too.
func (s *Store) LaterFields(ctx context.Context, c Change) ([]LaterField, error) {
	fields, err := c.fields()
	if err != nil {
		return nil, err
	}
	all, err := s.laterFields(ctx, c, fields)
	return slices.DeleteFunc(all, func(f LaterField) bool { return f.By == nil }), err
}

// laterFields returns fields with the latest change of each after a change.
func (s *Store) laterFields(ctx context.Context, c Change, fields []Field) ([]LaterField, error) {
	later, err := s.Later(ctx, c, mostLater)
	if err != nil {
		return nil, err
	}
	all := make([]LaterField, len(fields))
	for i, f := range fields {
		all[i].Field = f
	}
	for i := range later {
		changed, err := later[i].fields()
		if err != nil {
			return nil, err
		}
		for n, f := range all {
			if f.By == nil && slices.ContainsFunc(changed, func(other Field) bool { return other.Name == f.Name }) {
				all[n].By = &later[i]
			}
		}
	}
	return all, nil
}

// fields returns the fields that a change has changed.
func (c Change) fields() ([]Field, error) {
	if c.ObjectType == "policy" {
		_, d, err := c.PolicyDifferences()
		return policyFields(d), err
	}
	all, err := c.Differences()
	if err != nil {
		return nil, err
	}
	fields := make([]Field, len(all))
	for i, d := range all {
		fields[i].Name = d.Field
	}
	return fields, nil
}

func policyFields(d policy.Differences) []Field {
	var fields []Field
	for _, f := range d.Fields {
		fields = append(fields, Field{Name: f.Field})
	}
	for _, c := range d.Settings {
		fields = append(fields, Field{c.Path, c})
	}
	return fields
}

// explain names the changes because of which a change cannot be reverted, see Overlap.
func (s *Store) explain(ctx context.Context, c Change, refusal error) error {
	var ofPolicy *policy.FieldConflict
	var changed changedFields
	var overlap Overlap
	var fields []Field
	switch {
	case errors.As(refusal, &ofPolicy):
		fields = policyFields(ofPolicy.Changed)
		if ofPolicy.PolicyID != c.ObjectID {
			overlap.PolicyName, c.ObjectID = ofPolicy.PolicyName, ofPolicy.PolicyID
		}
	case errors.As(refusal, &changed):
		for _, name := range changed {
			fields = append(fields, Field{Name: name})
		}
	default:
		return outdated(refusal)
	}
	var err error
	if overlap.Fields, err = s.laterFields(ctx, c, fields); err != nil {
		return err
	}
	return &overlap
}
