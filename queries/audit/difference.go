package audit

import (
	"bytes"
	"context"
	"encoding/json"
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
	"enabled", "visible", "icon_visible", "banner", "image", "types", "allowed_addresses", "hook_receivers", "kind", "source", "show_again_on", "ending", "ends_at", "previous_until",
	"position", "message_id", "now", "later", "arrival", "departure", "leave", "overtime", "deleted", "desk_kind", "decision", "comment", "reason", "positions", "access_months", "file_months", "client_months", "personal_phones", "device_ids", "ip_addresses", "maps", "client_rules", "notice_ko", "notice_en", "notice_ja",
	"email", "employee_id", "department", "department_path", "job_title", "company_phone", "personal_phone", "external_id", "members_added", "members_removed",
	"protocol", "issuer", "client_id", "secret_at", "metadata_url", "metadata", "domains", "create_people", "department_claim", "rank_claim", "admin_claim", "admin_value",
	"rows", "created_people", "updated_people", "deactivated_people", "reactivated_people", "new_departments", "renamed_departments", "department_codes", "new_ranks", "new_roles", "refused_rows",
	"imported_days", "first_date", "last_date", "replaces_id", "dropped_records", "edited_records", "replaced",
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
var withFields = []string{"viewer", "attendance", "attendance_review", "attendance_import", "attendance_month", "attendance_week", "notice", "link", "service", "bot", "webhook", "user", "installation", "position", "retention", "disclosure", "map", "holiday", "check", "provider", "department", "directory", "factor_rule", "recomputation"}

// PolicyDifferences returns how a change of a policy changed it, and the kind of
// the policy. A created policy is compared with the defaults. Of a deleted policy
// there are none.
func (c Change) PolicyDifferences() (kind string, d policy.Differences, err error) {
	kind, before, err := policy.ReadRecord(c.Old)
	if err != nil {
		return kind, d, fmt.Errorf("change %d: %w", c.ID, err)
	}
	afterKind, after, err := policy.ReadRecord(c.New)
	switch {
	case err != nil:
		return kind, d, fmt.Errorf("change %d: %w", c.ID, err)
	case after == nil:
		return kind, d, nil
	case before == nil:
		before = &policy.Version{Enabled: after.Enabled, EffectiveFrom: after.EffectiveFrom, Name: after.Name}
	}
	d = policy.Compare(afterKind, *before, *after)
	isPast := afterKind == "workingattitude" && after.EffectiveFrom.Before(c.At)
	if c.Action != "policy.plan_moved" && !isPast { // every version has a start of its own
		d.Fields = slices.DeleteFunc(d.Fields, func(f policy.FieldDifference) bool { return f.Field == "effective_from" })
	}
	return afterKind, d, nil
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

// Receivers are departments and users in the field of a change, by their ids:
// those of a notice's targets, and of a bot's receivers.
type Receivers struct {
	Everyone    bool
	Departments []ReceivingDepartment
	Users       []int64
}

// ReceivingDepartment is a department among Receivers.
type ReceivingDepartment struct {
	ID              int64
	IncludeChildren bool
}

// UnmarshalJSON reads a department as notices store it, or as bots do: its id
// stands for its whole subtree.
func (d *ReceivingDepartment) UnmarshalJSON(content []byte) error {
	if err := json.Unmarshal(content, &d.ID); err == nil {
		d.IncludeChildren = true
		return nil
	}
	var stored struct {
		ID              int64 `json:"id"`
		IncludeChildren bool  `json:"include_children"`
	}
	err := json.Unmarshal(content, &stored)
	d.ID, d.IncludeChildren = stored.ID, stored.IncludeChildren
	return err
}

// Names are the names of departments and users by their ids. Those who are no
// longer in the directory are missing.
type Names struct{ Departments, Users map[int64]string }

// Names returns the names of the departments and users that differences refer to
// by their ids.
func (s *Store) Names(ctx context.Context, companyID int64, all []Difference) (Names, error) {
	arg := namesParams{CompanyID: companyID}
	for _, d := range all {
		for _, content := range []json.RawMessage{d.Old, d.New} {
			r := ReadReceivers(content)
			arg.Users = append(arg.Users, r.Users...)
			for _, department := range r.Departments {
				arg.Departments = append(arg.Departments, department.ID)
			}
		}
	}
	return s.namesOf(ctx, arg)
}

func (s *Store) namesOf(ctx context.Context, arg namesParams) (Names, error) {
	names := Names{map[int64]string{}, map[int64]string{}}
	if len(arg.Users)+len(arg.Departments) == 0 {
		return names, nil
	}
	rows, err := s.names(ctx, arg)
	for _, row := range rows {
		if row.Type == "user" {
			names.Users[row.ID] = row.Name
		} else {
			names.Departments[row.ID] = row.Name
		}
	}
	return names, err
}

// ReadReceivers returns the receivers that a value is; the zero value of any
// other value.
func ReadReceivers(value json.RawMessage) Receivers {
	var r Receivers
	if len(value) == 0 || value[0] != '{' || json.Unmarshal(value, &r) != nil {
		return Receivers{}
	}
	return r
}
