package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/usage"
	"officeconsole/views"
)

// RulesPath is the address of the rules of installation, without language prefix.
const RulesPath = "/manage/use/install"

// Rules is the page with the rules of installation. Typed is what the form shows,
// which Stored may differ from.
type Rules struct {
	Frame    views.Frame
	Stored   usage.InstallationRules
	Typed    usage.Rules
	Unread   map[string]string // texts of fields that Typed cannot hold, by the field
	Version  int32             // of the rules that the form began with
	Effect   usage.Effect
	Names    []usage.RuleTarget
	Refused  queries.FieldErrors
	Conflict bool // whether somebody else has saved Stored in the meantime
}

// Field is the name of a field of the form.
func Field(system, field string) string { return system + "." + field }

func (p Rules) refusal(ctx context.Context, name string) string {
	return views.Refusal(ctx, p.Refused, name)
}

// inputs are the refused fields, for the summary above the form.
func (p Rules) inputs(ctx context.Context) []views.Input {
	var inputs []views.Input
	for _, name := range slices.Sorted(maps.Keys(p.Refused)) {
		system, field, _ := strings.Cut(name, ".")
		text := p.refusal(ctx, name)
		if slices.Contains(usage.Systems, system) {
			what := locales.T(ctx, "installation.line.of", "System", systemText(ctx, system), "What", locales.T(ctx, "installation.field."+field))
			text = locales.T(ctx, "installation.line", "What", what, "Value", text)
		}
		inputs = append(inputs, views.Input{Name: name, Error: text})
	}
	return inputs
}

func (p Rules) isDirty() bool { return len(p.Refused) > 0 || p.Conflict }

// effectOf are the people with the client of a system.
func (p Rules) effectOf(system string) usage.SystemEffect { return p.Effect.Systems[system] }

// isOpen reports whether some fields are shown from the beginning.
func (p Rules) isOpen(system string, fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return p.Refused[Field(system, field)] != "" })
}

// shortHash is the beginning and the end of a checksum.
func shortHash(hash string) string {
	if len(hash) < 16 {
		return hash
	}
	return hash[:4] + "…" + hash[len(hash)-4:]
}

// forcedFrom is the text of the field of a date.
func (p Rules) forcedFrom(c usage.ClientRule) string {
	return cmp.Or(p.Unread[Field(c.System, "forced_from")], dateValue(c.ForcedFrom))
}

// size is the text of the field of a size.
func (p Rules) size(c usage.ClientRule) string {
	if c.Size == 0 {
		return p.Unread[Field(c.System, "size")]
	}
	return strconv.FormatInt(c.Size, 10)
}

// targetNames are the names of who may install a client.
func (p Rules) targetNames(ctx context.Context, c usage.ClientRule) []string {
	if !c.Allowed {
		return nil
	}
	if c.Targets.Everyone {
		return []string{locales.T(ctx, "installation.targets.everyone")}
	}
	var names []string
	for _, target := range p.props(ctx, c).Targets {
		names = append(names, target.Name)
	}
	return names
}

// props are those of the field for the departments and people of a client. People who
// are hidden or gone are not shown, but stay chosen until the field changes.
func (p Rules) props(ctx context.Context, c usage.ClientRule) views.PickerProps {
	props := views.PickerProps{
		Name: Field(c.System, "targets"), Targets: []views.PickerTarget{}, Max: 500,
		DepartmentsURL: views.OrganizationURL(p.Frame.Person, "departments"), UsersURL: views.OrganizationURL(p.Frame.Person, "users"),
		Texts: views.PickerTexts(ctx, "installation.targets", "installation.targets.text", "installation.targets.none"),
	}
	props.Texts["include"], props.Texts["include_of"] = "", ""
	for _, name := range p.Names {
		if name.Type == "department" && slices.Contains(c.Targets.Departments, name.ID) {
			props.Targets = append(props.Targets, views.PickerTarget{Type: "department", ID: name.ID, Name: name.Name, IncludeChildren: true})
		}
		if name.Type == "user" && slices.Contains(c.Targets.Users, name.ID) {
			props.Targets = append(props.Targets, views.PickerTarget{Type: "user", ID: name.ID, Name: name.Name, Path: name.Path})
		}
	}
	return props
}

// idInput is the field for the ids of departments or people in a form without scripts.
func (p Rules) idInput(ctx context.Context, system, field string, ids []int64) views.Input {
	name := Field(system, field)
	return views.Input{
		Name: name, Label: locales.T(ctx, "installation.targets."+field), Value: cmp.Or(p.Unread[name], idList(ids)), Error: p.refusal(ctx, name),
		Attributes: templ.Attributes{"inputmode": "numeric"},
	}
}

// idList writes ids for the field of a form without scripts: "7, 9".
func idList(all []int64) string {
	words := make([]string, len(all))
	for i, id := range all {
		words[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(words, ", ")
}

// languages are the languages of the notice with its texts.
func (p Rules) languages() []noticeText {
	n := p.Typed.Notice
	return []noticeText{{"ko", n.Ko}, {"en", n.En}, {"ja", n.Ja}}
}

type noticeText struct{ Language, Text string }

// effectText says how many people must update.
func (p Rules) effectText(ctx context.Context) string {
	return locales.N(ctx, "installation.effect", int(p.Effect.Outdated))
}

// shutOutText says how many people may not use the client that they have.
func (p Rules) shutOutText(ctx context.Context) string {
	return locales.N(ctx, "installation.shut_out", int(p.Effect.ShutOut))
}

// cut is the number of the first release of which people must update, with all below
// it; -1 without any.
func cut(releases []usage.ReleaseShare) int {
	return slices.IndexFunc(releases, func(r usage.ReleaseShare) bool { return r.Outdated > 0 })
}

// percentOf is a release's share of those with a client, for its bar.
func percentOf(r usage.ReleaseShare, releases []usage.ReleaseShare) string {
	all := int64(0)
	for _, other := range releases {
		all += other.People
	}
	return strconv.FormatInt((r.People*100+all/2)/max(all, 1), 10)
}

// mostOutdated are the first departments, and the sum of the others.
func mostOutdated(departments []usage.DepartmentClients, limit int) (shown []usage.DepartmentClients, others usage.DepartmentClients) {
	shown = departments[:min(limit, len(departments))]
	for _, d := range departments[len(shown):] {
		others.People, others.Installed, others.Outdated = others.People+d.People, others.Installed+d.Installed, others.Outdated+d.Outdated
	}
	return shown, others
}

func departmentText(ctx context.Context, d usage.DepartmentClients) string {
	if d.ID == 0 {
		return locales.T(ctx, "client.departments.none")
	}
	return d.Name
}

// input is a field of a release.
func (p Rules) input(ctx context.Context, system, field, value string) views.Input {
	label := locales.T(ctx, "installation.release."+field, "System", systemText(ctx, system))
	return views.Input{Name: Field(system, field), Label: label, Value: value, Error: p.refusal(ctx, Field(system, field))}
}
