package setting

import (
	"context"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/views"
)

// FormChanges is what a form of a policy changes, for the bar that saves it.
type FormChanges struct {
	Details  []ChangedField // fields that are not settings, such as the name
	Settings []ChangedField
	Targets  int
}

// ChangedField is a changed part of a form: the id of its element and its
// label.
type ChangedField struct{ ID, Label string }

// TargetsID is the id of the element in which targets are chosen.
const TargetsID = "policy-targets"

// IsEmpty reports whether nothing has changed.
func (c FormChanges) IsEmpty() bool { return len(c.fields())+c.Targets == 0 }

func (c FormChanges) fields() []ChangedField {
	return append(append([]ChangedField{}, c.Details...), c.Settings...)
}

// sentence counts the changes: "기본 정보 1개, 설정 3개, 대상 2개 변경".
func (c FormChanges) sentence(ctx context.Context) string {
	var counts []string
	for _, part := range []struct {
		id string
		n  int
	}{{"field.changes.details", len(c.Details)}, {"field.changes.settings", len(c.Settings)}, {"field.changes.targets", c.Targets}} {
		if part.n > 0 {
			counts = append(counts, locales.N(ctx, part.id, part.n))
		}
	}
	if len(counts) == 0 {
		return locales.T(ctx, "field.changes.none")
	}
	return locales.T(ctx, "field.changes", "What", views.Enumeration(ctx, counts))
}

// changesTexts are the texts with which scripts count the changes of a form:
// {n} is a number, {what} is the enumeration of the counts.
type changesTexts struct {
	Details  [2]string `json:"details"` // singular, plural
	Settings [2]string `json:"settings"`
	Targets  [2]string `json:"targets"`
	Comma    string    `json:"comma"`
	Changed  string    `json:"changed"`
	None     string    `json:"none"`
}

func newChangesTexts(ctx context.Context) changesTexts {
	count := func(id string) [2]string {
		var texts [2]string
		for i := range texts {
			texts[i] = strings.Replace(locales.N(ctx, id, i+1), strconv.Itoa(i+1), "{n}", 1)
		}
		return texts
	}
	return changesTexts{
		Details:  count("field.changes.details"),
		Settings: count("field.changes.settings"),
		Targets:  count("field.changes.targets"),
		Comma:    views.CommaBefore(ctx, 1),
		Changed:  locales.T(ctx, "field.changes", "What", "{what}"),
		None:     locales.T(ctx, "field.changes.none"),
	}
}
