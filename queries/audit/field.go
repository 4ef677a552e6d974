package audit

import (
	"encoding/json"
	"slices"
	"strings"

	"officeconsole/queries/usage"
)

// derivedFields add fields that can be shown to the recorded fields of an object, by
// the type of the object. They do nothing to an object that did not exist.
var derivedFields = map[string]func(fields map[string]json.RawMessage) error{
	"notice":       nameFiles,
	"installation": splitTargets,
	"holiday":      nameDays,
	"webhook":      nameAllTypes,
	"map":          showLicenses,
}

// NamedFile is a file of a notice. The name is "" for one whose name was not recorded.
type NamedFile struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// nameFiles puts the files of a notice in the place of their ids.
func nameFiles(fields map[string]json.RawMessage) error {
	if fields["attachment_ids"] == nil {
		return nil
	}
	var record struct {
		IDs   []int64
		Names []string
	}
	if err := json.Unmarshal(fields["attachment_ids"], &record.IDs); err != nil {
		return err
	}
	if names := fields["file_names"]; names != nil {
		if err := json.Unmarshal(names, &record.Names); err != nil {
			return err
		}
	}
	files := make([]NamedFile, len(record.IDs))
	for i, id := range record.IDs {
		files[i].ID = id
		if i < len(record.Names) {
			files[i].Name = record.Names[i]
		}
	}
	return setField(fields, "attachment_ids", files)
}

// nameDays puts the dates of a holiday in fields of their own: first_date and last_date
// are days of work elsewhere.
func nameDays(fields map[string]json.RawMessage) error {
	if fields["first_date"] == nil {
		return nil
	}
	fields["first_day"], fields["last_day"] = fields["first_date"], fields["last_date"]
	delete(fields, "first_date")
	delete(fields, "last_date")
	return nil
}

// AllTypes is the value that stands for all types of messages of a webhook.
const AllTypes = "all"

// nameAllTypes puts AllTypes in the place of no types, with which a webhook sends all.
func nameAllTypes(fields map[string]json.RawMessage) error {
	if string(fields["types"]) != "null" {
		return nil
	}
	return setField(fields, "types", []string{AllTypes})
}

// showLicenses puts the licenses of maps in the place of their names, which say nothing of
// a new address or attribution.
func showLicenses(fields map[string]json.RawMessage) error {
	if licenses := fields["map_licenses"]; licenses != nil {
		fields["maps"] = licenses
	}
	return nil
}

// splitTargets adds who may install the client of each system as a field of its own,
// and leaves out the lines with the number of targets, which records before had.
// Records that have only the number keep it.
func splitTargets(fields map[string]json.RawMessage) error {
	if fields["clients"] == nil {
		return nil
	}
	var clients []usage.ClientRule
	if err := json.Unmarshal(fields["clients"], &clients); err != nil {
		return err
	}
	for _, c := range clients {
		targets := usage.RuleTargets{ // sorted, so that the same targets are equal as text
			Everyone: c.Targets.Everyone, Departments: slices.Sorted(slices.Values(c.Targets.Departments)), Users: slices.Sorted(slices.Values(c.Targets.Users)),
		}
		if err := setField(fields, c.System+"_targets", targets); err != nil {
			return err
		}
	}
	var lines []string
	if fields["client_rules"] == nil {
		return nil
	}
	if err := json.Unmarshal(fields["client_rules"], &lines); err != nil {
		return err
	}
	return setField(fields, "client_rules", slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, " targets=") }))
}

func setField(fields map[string]json.RawMessage, name string, value any) error {
	content, err := json.Marshal(value)
	fields[name] = content
	return err
}
