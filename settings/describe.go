// Package settings describes every setting of both kinds of policies once.
// Forms, validation, differences, summaries and the schema of the API are
// derived from that description.
package settings

// Kind is a kind of policy, spelled as in URLs and in the database.
type Kind string

// The kinds of policy.
const (
	Communication   Kind = "communication"
	WorkingAttitude Kind = "workingattitude"
)

// Setting describes one setting. Its message ids are setting.<key>,
// setting.<key>.help if Help is set, and those that its type names.
type Setting struct {
	Key     string
	Group   string // a heading of the form: setting.group.<group>
	Type    Type
	Default any // as the type stores it
	Help    bool
	Weight  int // settings with a higher weight come first in summaries
	// When lists the conditions of which one must hold for the setting to have
	// an effect. Without conditions it always has one.
	When []Condition
}

// Condition holds while the setting Key, an enum, has one of the values.
type Condition struct {
	Key    string
	Values []string
}

// LabelID returns the id of the message that names the setting.
func (s Setting) LabelID() string { return message(s.Key) }

// HelpID returns the id of the message that explains the setting, or "" if it
// has none.
func (s Setting) HelpID() string {
	if !s.Help {
		return ""
	}
	return message(s.Key + ".help")
}

// Settings returns the settings of a kind in the order of forms and documents,
// group by group; none for an unknown kind.
func Settings(kind Kind) []Setting {
	switch kind {
	case Communication:
		return communication
	case WorkingAttitude:
		return workingAttitude
	}
	return nil
}

// Group is a part of the form.
type Group struct {
	Name     string
	Settings []Setting
}

// LabelID returns the id of the message that names the group.
func (g Group) LabelID() string { return message("group." + g.Name) }

// HelpID returns the id of the message that describes the group in one line.
func (g Group) HelpID() string { return message("group." + g.Name + ".help") }

// Groups returns the settings of a kind by group, in order.
func Groups(kind Kind) []Group {
	var groups []Group
	for _, s := range Settings(kind) {
		if len(groups) == 0 || groups[len(groups)-1].Name != s.Group {
			groups = append(groups, Group{Name: s.Group})
		}
		last := &groups[len(groups)-1]
		last.Settings = append(last.Settings, s)
	}
	return groups
}

func find(kind Kind, key string) (Setting, bool) {
	for _, s := range Settings(kind) {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// message returns the id of a message in the catalogues setting.*.toml.
func message(name string) string { return "setting." + name }
