package policy

import (
	"context"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
)

// Checks is the list of the checks of a kind of policies.
type Checks struct {
	Frame  views.Frame
	Kind   settings.Kind
	States []policy.CheckState
}

// CheckForm is the form of a check as it was typed. ID is 0 for a new one.
type CheckForm struct {
	Frame     views.Frame
	Kind      settings.Kind
	ID        int64
	VersionNo int32 // that the form began with
	Draft     policy.CheckDraft
	Find      string          // the search of the form without scripts
	Found     []policy.Target // what it finds
	Refused   queries.FieldErrors
	Conflict  bool                // whether somebody else has changed the check in the meantime
	People    *policy.CheckPeople // who breaks it now; nil for a new one
	IsTyped   bool
}

// ChecksPath is the list of the checks of a kind, without language prefix.
func ChecksPath(kind settings.Kind) string { return "/policies/" + string(kind) + "/checks" }

// CheckPath is the page of a check; with id 0 that of a new one.
func CheckPath(kind settings.Kind, id int64) string {
	if id == 0 {
		return ChecksPath(kind) + "/new"
	}
	return ChecksPath(kind) + "/" + strconv.FormatInt(id, 10)
}

// NewCheckDraft is what the form of a new check begins with.
func NewCheckDraft(kind settings.Kind) policy.CheckDraft {
	d := policy.CheckDraft{Quantifier: policy.Every, Severity: policy.Stop}
	if kind == settings.Communication {
		d.Expectation = settings.Expectation{Relation: settings.IsNot, Key: "file_save", Part: settings.Mobile, Value: "allow"}
		return d
	}
	d.Key = settings.Expectable(kind)[0].Key
	return FitCheck(kind, d)
}

// FitCheck replaces what the chosen setting of a check cannot have by the first of what
// it can have, as the form shows it after another setting was chosen.
func FitCheck(kind settings.Kind, d policy.CheckDraft) policy.CheckDraft {
	s := expected(kind, d)
	if s == nil {
		if d.Key == "" {
			d.Relation = settings.SignIn
		}
		return d
	}
	if !slices.Contains(s.Relations(), d.Relation) {
		d.Relation = s.Relations()[0]
	}
	if !slices.ContainsFunc(s.Parts(), func(c settings.Choice) bool { return c.Word == d.Part }) {
		d.Part = ""
	}
	if words := s.Words(); len(words) > 0 && !slices.ContainsFunc(words, func(c settings.Choice) bool { return c.Word == d.Value }) {
		d.Value = words[0].Word
	}
	return d
}

// expected returns the setting that a check is about; nil for signing in.
func expected(kind settings.Kind, d policy.CheckDraft) *settings.Setting {
	for _, s := range settings.Expectable(kind) {
		if s.Key == d.Key {
			return &s
		}
	}
	return nil
}

// CheckSentence is the sentence of a check in the reader's language.
func CheckSentence(ctx context.Context, kind settings.Kind, d policy.CheckDraft) string {
	return d.Sentence(string(kind), locales.FromContext(ctx))
}

// IsCheckSentence reports whether the name of a check is its sentence in some language,
// so that it says nothing more.
func IsCheckSentence(kind settings.Kind, d policy.CheckDraft) bool {
	return slices.ContainsFunc(locales.All(), func(l locales.Locale) bool { return d.IsNamedBySentence(string(kind), l) })
}

// examples are the checks that the empty list shows.
func (c Checks) examples(ctx context.Context) (sentences []string) {
	target := func(id string) []policy.Target {
		return []policy.Target{{Type: policy.DepartmentTarget, ID: 1, Name: locales.T(ctx, id)}}
	}
	first := NewCheckDraft(c.Kind)
	first.Targets = target("check.example.department")
	second := policy.CheckDraft{Targets: target("check.example.people"), Quantifier: policy.Some}
	second.Expectation = settings.Expectation{Relation: settings.SignIn, Value: "203.0.113.0/24"}
	if c.Kind != settings.Communication {
		second.Expectation = settings.Expectation{Relation: settings.AtMost, Key: "correction_days", Value: "7"}
		second.Quantifier = policy.Every
	}
	return []string{CheckSentence(ctx, c.Kind, first), CheckSentence(ctx, c.Kind, second)}
}

func (f CheckForm) title(ctx context.Context) string {
	if f.ID == 0 {
		return locales.T(ctx, "check.create.title")
	}
	return locales.T(ctx, "check.edit.title")
}

func (f CheckForm) setting() *settings.Setting { return expected(f.Kind, f.Draft) }

// sentence is the sentence of the form, or "" until it is complete.
func (f CheckForm) sentence(ctx context.Context) string {
	if _, refusal := f.Draft.Check(f.Kind); refusal != "" {
		return ""
	}
	return CheckSentence(ctx, f.Kind, f.Draft)
}

func (f CheckForm) settingOptions(ctx context.Context) (options []views.Option) {
	if f.Kind == settings.Communication {
		options = append(options, views.Option{Value: "", Text: locales.T(ctx, "check.setting.sign_in")})
	}
	for _, s := range settings.Expectable(f.Kind) {
		options = append(options, views.Option{Value: s.Key, Text: locales.T(ctx, s.LabelID())})
	}
	return options
}

func (f CheckForm) partOptions(ctx context.Context) []views.Option {
	s := f.setting()
	if s == nil {
		options := []views.Option{{Value: "", Text: locales.T(ctx, "check.part_of.any")}}
		for _, p := range settings.Platforms() {
			options = append(options, views.Option{Value: p, Text: locales.T(ctx, "setting.platform."+p)})
		}
		return options
	}
	return choiceOptions(ctx, s.Parts(), views.Option{Text: locales.T(ctx, "check.part_of.all")})
}

func choiceOptions(ctx context.Context, choices []settings.Choice, first ...views.Option) []views.Option {
	if len(choices) == 0 {
		return nil
	}
	for _, c := range choices {
		first = append(first, views.Option{Value: c.Word, Text: locales.T(ctx, c.Label)})
	}
	return first
}

func (f CheckForm) relationOptions(ctx context.Context) (options []views.Option) {
	if s := f.setting(); s != nil {
		for _, r := range s.Relations() {
			options = append(options, views.Option{Value: string(r), Text: locales.T(ctx, "check.relation."+string(r))})
		}
	}
	return options
}

func (f CheckForm) valueOptions(ctx context.Context) []views.Option {
	if s := f.setting(); s != nil {
		return choiceOptions(ctx, s.Words())
	}
	return nil
}

// valueInput is the field of a number or a range.
func (f CheckForm) valueInput(ctx context.Context) views.Input {
	in := views.Input{Name: "value", Value: f.Draft.Value, Required: true, Label: locales.T(ctx, "check.value"), Error: views.Refusal(ctx, f.Refused, "value")}
	if s := f.setting(); s != nil {
		in.Type = "number"
		if unit := string(s.Unit()); unit != "" {
			in.Label = locales.T(ctx, "check.value.unit", "Unit", locales.T(ctx, "check.unit."+unit))
		}
		return in
	}
	in.Label, in.Help = locales.T(ctx, "check.value.range"), locales.T(ctx, "check.value.range.help")
	return in
}

func (f CheckForm) nameInput(ctx context.Context) views.Input {
	name := f.Draft.Name
	if !f.IsTyped && IsCheckSentence(f.Kind, f.Draft) {
		name = ""
	}
	return views.Input{
		Name: "name", Value: name, Label: locales.T(ctx, "check.name"), Help: locales.T(ctx, "check.name.help"), Error: views.Refusal(ctx, f.Refused, "name"),
		Attributes: map[string]any{"autocomplete": "off"},
	}
}

// inputs are the fields that an error summary names.
func (f CheckForm) inputs(ctx context.Context) (refused []views.Input) {
	for _, name := range []string{"targets", "quantifier", "setting", "part", "relation", "value", "severity", "name"} {
		if text := views.Refusal(ctx, f.Refused, name); text != "" {
			refused = append(refused, views.Input{Name: name, Label: locales.T(ctx, checkLabels[name]), Error: text})
		}
	}
	return refused
}

var checkLabels = map[string]string{
	"targets": "check.targets", "quantifier": "check.quantifier", "setting": "check.setting", "part": "check.part_of", "relation": "check.relation", "value": "check.value",
	"severity": "check.severity", "name": "check.name",
}

func (f CheckForm) picker(ctx context.Context) views.PickerProps {
	props := views.PickerProps{
		Name: "targets", Targets: []views.PickerTarget{}, Max: policy.MostCheckTargets,
		DepartmentsURL: views.OrganizationURL(f.Frame.Person, "departments"), UsersURL: views.OrganizationURL(f.Frame.Person, "users"),
		Texts: views.PickerTexts(ctx, "check.targets.dialog", "check.targets.help", "check.targets.none"),
	}
	props.Texts["include"] = "" // departments always include those below
	for _, t := range f.Draft.Targets {
		props.Targets = append(props.Targets, views.PickerTarget{Type: string(t.Type), ID: t.ID, Name: targetName(ctx, t), IncludeChildren: true})
	}
	return props
}

// unchosen are the found targets that are not chosen yet.
func (f CheckForm) unchosen() []policy.Target {
	return slices.DeleteFunc(slices.Clone(f.Found), func(t policy.Target) bool {
		return slices.ContainsFunc(f.Draft.Targets, func(c policy.Target) bool { return targetKey(c) == targetKey(t) })
	})
}

// brokenOf returns the broken checks of a severity.
func brokenOf(broken []policy.BrokenCheck, severity policy.Severity) []policy.BrokenCheck {
	return slices.DeleteFunc(slices.Clone(broken), func(b policy.BrokenCheck) bool { return b.Severity != severity })
}

func checkQuantifiers(ctx context.Context) []views.Option {
	return []views.Option{
		{Value: string(policy.Every), Text: locales.T(ctx, "check.quantifier.every")}, {Value: string(policy.Some), Text: locales.T(ctx, "check.quantifier.some")},
	}
}
