package policy

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"officeconsole/settings"
)

// Words is a language in which a check is written.
type Words interface {
	T(id string, args ...any) string
	N(id string, count int, args ...any) string
	Duration(minutes int) string
	Number(n int64) string
}

// Effect says in a language for whom a change breaks the check.
func (b BrokenCheck) Effect(words Words) string {
	if b.People == 0 {
		return words.T("check.broken.nobody")
	}
	return words.N("check.broken.people", b.People) + ": " + b.SomeNames(words)
}

// SomeNames names some of the people for whom a change breaks the check.
func (b BrokenCheck) SomeNames(words Words) string {
	var names []string
	for _, p := range b.Names {
		names = append(names, p.Name)
	}
	text := strings.Join(names, "·")
	if len(names) < b.People {
		return words.T("check.broken.names", "Names", text)
	}
	return text
}

// activities are the settings that permit people to do something, with the value that
// does. Their sentences say what people can do; those of other settings name the setting.
var activities = map[string]string{
	"file_save": "allow", "file_send": "true", "mobile_copy": "true", "mobile_capture": "true", "auto_login": "true", "login_platforms": "true",
}

// Sentence says in a language what the check of policies of a kind expects.
func (d CheckDraft) Sentence(kind string, words Words) string {
	part := d.PartLabel(settings.Kind(kind))
	if part != "" {
		part = words.T(part)
	}
	if d.Relation == settings.SignIn {
		if part == "" {
			return words.T("check.says.sign_in", "Who", d.who(words, false), "Range", d.Value)
		}
		return words.T("check.says.sign_in_on", "Who", d.who(words, false), "Range", d.Value, "Platform", part)
	}
	permits := d.Relation == settings.Is && activities[d.Key] == d.Value
	forbids := d.Relation == settings.IsNot && activities[d.Key] == d.Value || activities[d.Key] == "true" && d.Value == "false"
	if permits || forbids {
		id := "check.says.can"
		if forbids {
			id += "not"
		}
		args := []any{"Who", d.who(words, forbids), "Activity", words.T("check.activity." + d.Key)}
		if part == "" {
			return words.T(id, args...)
		}
		return words.T(id+"_on", append(args, "Platform", part)...)
	}
	setting := words.T("setting." + d.Key)
	if part != "" {
		setting = words.T("check.part", "Setting", setting, "Part", part)
	}
	return words.T("check.says."+string(d.Relation), "Who", d.who(words, d.Relation == settings.IsNot), "Setting", setting, "Value", d.value(kind, words))
}

// IsNamedBySentence reports whether the name of the check is its sentence in a language.
// The name still has the names of people who are hidden by now.
func (d CheckDraft) IsNamedBySentence(kind string, words Words) bool {
	sentence := d.Sentence(kind, words)
	if !strings.Contains(sentence, HiddenName) {
		return sentence == d.Name
	}
	isSame := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(sentence), HiddenName, ".+") + "$")
	return isSame.MatchString(d.Name)
}

// value is the value of a comparison in a language.
func (d CheckDraft) value(kind string, words Words) string {
	value := d.Shown(settings.Kind(kind))
	if value.Shape == settings.ShapeMessage {
		return words.T(value.ID)
	}
	if value.Shape != settings.ShapeNumber {
		return value.Text
	}
	if minutes, ok := value.Minutes(); ok {
		return words.Duration(minutes)
	}
	if id := value.Unit.AmountID(); id != "" {
		return words.N(id, int(value.Number))
	}
	return words.Number(value.Number)
}

// whoIDs are the messages that name the people of a check: everybody, those of
// departments, and those who are listed.
var whoIDs = map[string][3]string{
	"every": {"check.who.every", "check.who.every.departments", "check.who.every.listed"},
	"some":  {"check.who.some", "check.who.some.departments", "check.who.some.listed"},
	"none":  {"check.who.none", "check.who.none.departments", "check.who.none.listed"},
}

// who names the people of the check. In some languages, they have other words where
// something is expected of none of them. Of one person, all and some are the same.
func (d CheckDraft) who(words Words, negated bool) string {
	if len(d.Targets) == 1 && d.Targets[0].Type == UserTarget && d.Targets[0].Name != "" {
		return words.T("check.who.person", "Name", d.Targets[0].Name)
	}
	ids := whoIDs["every"]
	switch {
	case d.Quantifier == Some:
		ids = whoIDs["some"]
	case negated:
		ids = whoIDs["none"]
	}
	switch {
	case len(d.Targets) == 0:
		return words.T(ids[0])
	case slices.ContainsFunc(d.Targets, func(t Target) bool { return t.Type != DepartmentTarget }):
		return words.T(ids[2], "Names", d.names(words))
	}
	return words.T(ids[1], "Names", d.names(words))
}

// mostCheckNames is how many targets a sentence names.
const mostCheckNames = 3

func (d CheckDraft) names(words Words) string {
	targets := byType(d.Targets)
	var names []string
	for _, t := range targets[:min(mostCheckNames, len(targets))] {
		if t.Name == "" {
			t.Name = words.T("target.unknown")
		}
		names = append(names, t.Name)
	}
	text := strings.Join(names, "·")
	if len(targets) <= mostCheckNames {
		return text
	}
	more, id := targets[mostCheckNames:], "check.who.more"
	switch {
	case more[0].Type == UserTarget:
		id = "check.who.more.people"
	case more[len(more)-1].Type == DepartmentTarget:
		id = "check.who.more.departments"
	}
	return words.T(id, "Names", text, "Count", len(more))
}

// byType returns targets in the order in which a check stores them: departments first,
// and otherwise as they were chosen, so that the sentence stays the same.
func byType(targets []Target) []Target {
	return slices.SortedStableFunc(slices.Values(targets), func(a, b Target) int { return cmp.Compare(a.Type, b.Type) })
}
