package audit

import (
	"bytes"
	"context"
	"slices"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// back is the change the other way round: what reverting it does to the fields.
func (d Detail) back() Detail {
	d.Old, d.New = d.New, d.Old
	if d.Reversal != nil {
		d.Differences = d.Reversal
		return d
	}
	d.Differences, d.Policy.Fields, d.Policy.Settings = slices.Clone(d.Differences), slices.Clone(d.Policy.Fields), slices.Clone(d.Policy.Settings)
	for i := range d.Differences {
		of := &d.Differences[i]
		of.Old, of.New = of.New, of.Old
	}
	for i := range d.Policy.Fields {
		f := &d.Policy.Fields[i]
		f.Old, f.New = f.New, f.Old
	}
	for i := range d.Policy.Settings {
		s := &d.Policy.Settings[i]
		s.Old, s.New, s.Added, s.Removed = s.New, s.Old, s.Removed, s.Added
	}
	return d
}

// setsFieldsBack reports whether a reversal sets back what the change did to the fields. The
// newest version that still waits for its time is cancelled instead, for one that it may
// have taken the place of.
func (d Detail) setsFieldsBack(now time.Time) bool {
	if len(d.Reversal) > 0 {
		return true
	}
	if d.ObjectType != "policy" || len(d.Later) > 0 || !d.RevertsFields(now) {
		return d.RevertsFields(now)
	}
	_, after, err := policy.ReadRecord(d.New)
	return err == nil && !after.EffectiveFrom.After(now)
}

// setBackText says what a reversal does to the fields below it.
func (d Detail) setBackText(ctx context.Context) string {
	switch d.Action {
	case "user.hidden":
		return locales.T(ctx, "change.revert.shows", "Name", d.ObjectName)
	case "user.shown":
		return locales.T(ctx, "change.revert.hides", "Name", d.ObjectName)
	case "user.deactivated":
		return locales.T(ctx, "change.revert.reactivates", "Name", d.ObjectName)
	case "user.reactivated":
		return locales.T(ctx, "change.revert.deactivates", "Name", d.ObjectName)
	case "link.moved":
		if !bytes.Equal(d.Reversal[0].New, d.Differences[0].Old) {
			return locales.T(ctx, "change.revert.follows")
		}
	}
	hasSecret := func(of audit.Difference) bool { return of.Field == "secret_at" }
	switch {
	case d.Old == nil:
		return locales.T(ctx, "change.revert.deletes")
	case d.New == nil && slices.ContainsFunc(d.Differences, hasSecret):
		return locales.T(ctx, "change.revert.restores.secret")
	case d.New == nil:
		return locales.T(ctx, "change.revert.restores")
	}
	return locales.T(ctx, "change.revert.fields")
}

// neverText says that a change is not undone here, and where attendance is.
func (d Detail) neverText(ctx context.Context) string {
	switch d.ObjectType {
	case "attendance":
		return locales.T(ctx, "change.revert.record")
	case "attendance_month":
		return locales.T(ctx, "change.revert.month")
	}
	return locales.T(ctx, "change.revert.never")
}

// overlapText says that a change cannot be reverted because its fields have changed since.
func overlapText(ctx context.Context, o audit.Overlap) string {
	if o.PolicyName != "" {
		return locales.T(ctx, "change.revert.overlap.policy", "Policy", o.PolicyName)
	}
	return locales.T(ctx, "change.revert.overlap")
}

// laterLabel names a field of a change.
func (d Detail) laterLabel(ctx context.Context, f audit.LaterField) string {
	switch {
	case f.Setting.Key != "":
		return settingviews.ChangeLabel(ctx, f.Setting)
	case d.ObjectType == "policy":
		return locales.T(ctx, "policy.field."+f.Name)
	}
	return fieldLabel(ctx, f.Name)
}

// laterText says when and by whom something was changed later.
func (l List) laterText(ctx context.Context, c audit.Change) string {
	return locales.ShortDateTime(ctx, c.At.In(l.Frame.Zone()), l.Frame.Now) + " · " + actorName(ctx, c)
}

// laterURL is the address of a later change.
func laterURL(c audit.Change) string { return views.WithQuery(Path, openQuery(c.ID)) }
