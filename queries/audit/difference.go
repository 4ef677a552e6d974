package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"officeconsole/queries/policy"
)

// Difference is what a change made of one field of an object. Old and New are
// JSON; nil where the object did not have the field.
type Difference struct {
	Field    string
	Old, New json.RawMessage
}

// fieldOrder is the order in which fields are shown.
var fieldOrder = []string{
	"name", "expects", "severity", "broken_people", "title", "description", "url", "body", "rank", "whole_company", "within", "people", "departments", "may_edit", "targets", "publish_at", "attachment_ids",
	"ids", "scopes", "expires_at",
	"enabled", "visible", "icon_visible", "banner", "image", "types", "allowed_addresses", "hook_receivers", "kind", "source", "show_again_on", "ending", "ends_at", "previous_until",
	"position", "message_id", "now", "later", "arrival", "departure", "leave", "overtime", "deleted", "desk_kind", "decision", "comment", "reason", "positions", "access_months", "file_months", "client_months", "personal_phones", "device_ids", "ip_addresses", "maps", "client_rules", "windows_targets", "macos_targets", "linux_targets", "android_targets", "ios_targets", "notice_ko", "notice_en", "notice_ja",
	"host", "time_zone", "organization_url",
	"email", "employee_id", "department", "department_path", "job_title", "company_phone", "personal_phone", "external_id", "members_added", "members_removed",
	"protocol", "issuer", "client_id", "secret_at", "metadata_url", "metadata", "domains", "create_people", "department_claim", "rank_claim", "admin_claim", "admin_value",
	"rows", "created_people", "updated_people", "deactivated_people", "reactivated_people", "new_departments", "renamed_departments", "department_codes", "new_ranks", "new_roles", "refused_rows",
	"imported_days", "first_day", "last_day", "first_date", "last_date", "replaces_id", "dropped_records", "edited_records", "replaced",
	"required_of", "grace_days", "trusts_sign_on",
	"managers", "worked_so_far_min", "projected_min", "limit_min",
	"records_changed", "people_changed", "worked_min", "overtime_min", "holiday_min", "holiday_over_min", "night_min", "late_min", "early_min",
}

// Differences returns the fields that the change made, changed or removed, but
// for what only the program needs. Changes of policies have PolicyDifferences
// instead.
func (c Change) Differences() ([]Difference, error) {
	var before, after map[string]json.RawMessage
	if err := decode(c, &before, &after); err != nil || !slices.Contains(withFields, c.ObjectType) {
		return nil, err
	}
	if derive := derivedFields[c.ObjectType]; derive != nil {
		if err := errors.Join(derive(before), derive(after)); err != nil {
			return nil, fmt.Errorf("change %d: %w", c.ID, err)
		}
	}
	var all []Difference
	for _, field := range fieldOrder {
		d := Difference{field, before[field], after[field]}
		if !bytes.Equal(d.Old, d.New) {
			all = append(all, d)
		}
	}
	return all, nil
}

// withFields are the types of objects whose fields can be shown.
var withFields = []string{"viewer", "attendance", "attendance_review", "attendance_import", "attendance_month", "attendance_week", "notice", "link", "link_order", "service", "token", "bot", "webhook", "user", "installation", "position", "retention", "disclosure", "map", "holiday", "check", "provider", "department", "directory", "factor_rule", "recomputation", "company"}

// PolicyDifferences returns how a change of a policy changed it, and the kind of
// the policy. A created or deleted policy is compared with the defaults. Of a cancelled or
// withdrawn version there are none.
func (c Change) PolicyDifferences() (kind string, d policy.Differences, err error) {
	kind, before, err := policy.ReadRecord(c.Old)
	if err != nil {
		return kind, d, fmt.Errorf("change %d: %w", c.ID, err)
	}
	afterKind, after, err := policy.ReadRecord(c.New)
	switch {
	case err != nil:
		return kind, d, fmt.Errorf("change %d: %w", c.ID, err)
	case c.Action == "policy.deleted" && before != nil:
		afterKind, after = kind, withDefaults(before)
	case after == nil:
		return kind, d, nil
	case before == nil:
		before = withDefaults(after)
	}
	d = policy.Compare(afterKind, *before, *after)
	isPast := afterKind == "workingattitude" && after.EffectiveFrom.Before(c.At)
	if c.Action != "policy.plan_moved" && !isPast { // every version has a start of its own
		d.Fields = slices.DeleteFunc(d.Fields, func(f policy.FieldDifference) bool { return f.Field == "effective_from" })
	}
	return afterKind, d, nil
}

// withDefaults returns a version of the same name and time with all defaults and no targets.
func withDefaults(v *policy.Version) *policy.Version {
	return &policy.Version{Enabled: v.Enabled, EffectiveFrom: v.EffectiveFrom, Name: v.Name}
}

func decode(c Change, before, after any) error {
	for _, part := range []struct {
		content json.RawMessage
		into    any
	}{{c.Old, before}, {c.New, after}} {
		if part.content == nil {
			continue
		}
		if err := json.Unmarshal(part.content, part.into); err != nil {
			return fmt.Errorf("change %d: %w", c.ID, err)
		}
	}
	return nil
}
