// Package settings says what a policy can hold: every setting of both kinds,
// described once. Forms, validation, differences in words, summaries and the
// schema of the API are read from that description.
package settings

// Kind is a kind of policy, spelled as in addresses and the database.
type Kind string

// The kinds of policy.
const (
	Communication   Kind = "communication"
	WorkingAttitude Kind = "workingattitude"
)

// Setting describes one setting. Its words are the messages setting.<key>,
// setting.<key>.help where Help says so, and those that its type names.
type Setting struct {
	Key     string
	Group   string // a heading of the form: setting.group.<group>
	Type    Type
	Default any // as the type keeps it
	Help    bool
	Weight  int // the heavier, the sooner a summary tells it
	// When says on what the setting depends: it has an effect while one of
	// the conditions holds. No condition: always.
	When []Condition
}

// Condition holds while the setting Key, an enum, has one of the values.
type Condition struct {
	Key    string
	Values []string
}

// LabelID is the message that names the setting.
func (s Setting) LabelID() string { return message(s.Key) }

// HelpID is the message that explains the setting, "" where none is needed.
func (s Setting) HelpID() string {
	if !s.Help {
		return ""
	}
	return message(s.Key + ".help")
}

// Settings lists those of a kind in the order of forms and documents, group by
// group. An unknown kind has none.
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

// LabelID is the message that names the group.
func (g Group) LabelID() string { return message("group." + g.Name) }

// HelpID is the message that says in a line what the group is for.
func (g Group) HelpID() string { return message("group." + g.Name + ".help") }

// Groups lists the settings of a kind by group, in order.
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

// message is the id of a message of the catalogue setting.*.toml.
func message(name string) string { return "setting." + name }
