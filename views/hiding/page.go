// Package hiding renders the pages of hidden and deactivated users.
package hiding

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// Path is the page of hidden users without language prefix. With a state it is
// that of deactivated ones.
const Path = "/manage/use/hidden"

// ListURL is the list of the users in a state.
func ListURL(state hiding.State) string {
	return views.ListURL(Path, hiding.Filter{State: state}.Values(), "", "")
}

// listURL is the address of the list as it is shown, with its page, and with one more
// choice if name is not "".
func listURL(shown hiding.Filter, name, value string) string {
	chosen := shown.Values()
	lists.SetText(chosen, "cursor", shown.Cursor.String())
	return views.ListURL(Path, chosen, name, value)
}

// formURL is the form above a list.
func formURL(below hiding.Filter) string { return listURL(below, "new", "1") }

// text is a message in the words of a state.
func text(ctx context.Context, state hiding.State, name string, args ...any) string {
	if state == hiding.Deactivated {
		return locales.T(ctx, "deactivation."+name, args...)
	}
	return locales.T(ctx, "hiding."+name, args...)
}

// count is a message with a number of people in the words of a state.
func count(ctx context.Context, state hiding.State, name string, n int) string {
	if state == hiding.Deactivated {
		return locales.N(ctx, "deactivation."+name, n)
	}
	return locales.N(ctx, "hiding."+name, n)
}

// List is the list of hidden users.
type List struct {
	Frame views.Frame
	hiding.Filter
	Page    lists.Page[hiding.HiddenUser]
	Count   int64  // of those who match, up to hiding.MaxCount + 1
	Refused string // the message id of an invalid search
}

func (l List) pager(ctx context.Context) views.Pager {
	p := views.NewPager(ctx, l.Page, "hiding.range", func(cursor string) string {
		return views.ListURL(Path, l.Values(), "cursor", cursor)
	})
	return p
}

// back is the address of the list as shown, to which its actions lead back. They may
// leave its last page without a row, so they lead to the first.
func (l List) back() string { return views.WithQuery(Path, l.Values()) }

func (l List) countText(ctx context.Context) string {
	if l.Count > hiding.MaxCount {
		return text(ctx, l.State, "count.more", "Count", locales.Number(ctx, hiding.MaxCount))
	}
	return count(ctx, l.State, "count", int(l.Count))
}

func (l List) kinds(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "hiding.kind.any")}}
	for _, k := range hiding.Kinds {
		options = append(options, views.Option{Value: string(k), Text: kindText(ctx, k)})
	}
	return options
}

// sources are what deactivates people.
func (l List) sources(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "hiding.source.any")}}
	for _, s := range hiding.Sources {
		options = append(options, views.Option{Value: string(s), Text: sourceText(ctx, s)})
	}
	return options
}

func sourceText(ctx context.Context, s hiding.Source) string {
	return locales.T(ctx, "hiding.source."+string(s))
}

// sourceIcons are the icons of what deactivates people.
var sourceIcons = map[hiding.Source]string{hiding.Administrator: "user", hiding.Import: "file", hiding.Provisioning: "globe"}

func kindText(ctx context.Context, k hiding.Kind) string {
	return locales.T(ctx, "hiding.kind."+string(k))
}

// dateText is the day of a hiding; the exact time is in a tooltip.
func dateText(ctx context.Context, f views.Frame, at time.Time) string {
	return locales.ShortDate(ctx, at.In(f.Zone()), f.Now)
}

// untilText is the day on which somebody is shown again.
func untilText(ctx context.Context, f views.Frame, day time.Time) string {
	return locales.T(ctx, "hiding.show_again_on.until", "Date", locales.ShortDate(ctx, day, f.Now))
}

// Form is the form in which people are hidden or deactivated.
type Form struct {
	Frame  views.Frame
	State  hiding.State
	Draft  hiding.Draft
	Chosen []hiding.Person

	ShowAgainOn string          // as typed
	Query       string          // of the search without scripts
	Found       []hiding.Person // by that search
	Missing     string          // the message id of why there are none
	Refused     queries.FieldErrors
	Names       []hiding.Named // whom user_ids is refused for
	Typed       bool

	Broken templ.Component // the note about the checks of policies that it breaks; nil for none

	Ends hiding.Consequences // only in the dialog that asks
}

// ActionEdit is the value of the field action that shows the form again with everything
// that was typed.
const ActionEdit = "edit"

// pickerProps are the properties of the island people-picker. ID is that of its search.
type pickerProps struct {
	views.PickerProps
	ID          string `json:"id"`
	DescribedBy string `json:"describedBy"`
	Invalid     bool   `json:"invalid"`
}

func (f Form) peopleProps(ctx context.Context) pickerProps {
	texts := views.PeopleTexts(ctx, "hiding.people.find", "hiding.form.text", "hiding.people.none")
	texts["label"] = text(ctx, f.State, "people")
	props := pickerProps{
		PickerProps: views.PickerProps{
			Name: "users", UsersURL: views.OrganizationURL(f.Frame.Person, "users"), Max: hiding.MaxPeople, Targets: []views.PickerTarget{}, Texts: texts,
		},
		ID: "user_ids", DescribedBy: f.peopleDescribedBy(), Invalid: f.Refused["user_ids"] != "",
	}
	for _, p := range f.Chosen {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "user", ID: p.ID, Name: p.Name, Path: place(p), IncludeChildren: true})
	}
	return props
}

func (f Form) peopleDescribedBy() string {
	if f.Refused["user_ids"] != "" {
		return "user_ids-help user_ids-error"
	}
	return "user_ids-help"
}

// place is the department and the position of a person, as far as they are known.
func place(p hiding.Person) string {
	switch {
	case p.Department == "":
		return p.Position
	case p.Position == "":
		return p.Department
	}
	return p.Department + " · " + p.Position
}

func (f Form) isChosen(id int64) bool {
	return slices.ContainsFunc(f.Chosen, func(p hiding.Person) bool { return p.ID == id })
}

// refusal is the text of a refused field. That of the people names them.
func (f Form) refusal(ctx context.Context, field string) string {
	if field != "user_ids" || len(f.Names) == 0 {
		return views.Refusal(ctx, f.Refused, field)
	}
	name := f.Names[0].Name
	if more := len(f.Names) - 1; more > 0 {
		name = locales.N(ctx, "hiding.name.more", more, "Name", name)
	}
	return locales.T(ctx, refusedNames[f.Refused[field]], "Name", name)
}

// refusedNames are the message ids of refusals that name the people.
var refusedNames = map[queries.Invalid]string{
	hiding.RefusedBot:    "hiding.target.bot.of",
	hiding.RefusedSelf:   "hiding.target.self.of",
	hiding.RefusedHidden: "hiding.target.hidden.of",
	hiding.RefusedLast:   "hiding.target.last_admin.of",
	hiding.RefusedLeft:   "deactivation.target.left.of",

	"deactivation.target.bot":        "deactivation.target.bot.of",
	"deactivation.target.self":       "deactivation.target.self.of",
	"deactivation.target.last_admin": "deactivation.target.last_admin.of",
}

func (f Form) errors(ctx context.Context) []views.Input {
	var all []views.Input
	for _, field := range []string{"user_ids", "kind", "show_again_on", "reason"} {
		if text := f.refusal(ctx, field); text != "" {
			all = append(all, views.Input{Name: field, Error: text})
		}
	}
	return all
}

// ids are the chosen people as the picker sends them.
func (f Form) ids() string {
	ids := make([]string, len(f.Draft.UserIDs))
	for i, id := range f.Draft.UserIDs {
		ids[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(ids, ", ")
}

func (f Form) kind() hiding.Kind {
	if f.Draft.Kind == "" && !f.Typed {
		return hiding.Leaver
	}
	return f.Draft.Kind
}

// names lists some of the chosen people.
func (f Form) names(ctx context.Context) string {
	if len(f.Chosen) == 0 {
		return ""
	}
	if more := len(f.Chosen) - 1; more > 0 {
		return locales.N(ctx, "hiding.name.more", more, "Name", f.Chosen[0].Name)
	}
	return f.Chosen[0].Name
}

// UndoPath is the address of the form that reverts a request.
func UndoPath(set int64) string { return Path + "/sets/" + strconv.FormatInt(set, 10) + "/reversal" }

// Deactivation is the draft as that of a deactivation.
func (f Form) Deactivation() hiding.Deactivation {
	return hiding.Deactivation{UserIDs: f.Draft.UserIDs, Reason: f.Draft.Reason}
}

// Done says that people are in a state now, or no longer are, and who of them is still
// not visible because of the other state.
func Done(ctx context.Context, done hiding.Undone) string {
	if done.Hidden {
		return count(ctx, done.State, "hidden", len(done.People))
	}
	var texts []string
	if visible := len(done.People) - done.Absent; visible > 0 {
		texts = append(texts, count(ctx, done.State, "shown", visible))
	}
	if done.Absent > 0 {
		texts = append(texts, count(ctx, done.State, "shown.absent", done.Absent))
	}
	return strings.Join(texts, " ")
}

// tomorrow is the first day on which somebody can be shown again.
func (f Form) tomorrow() string {
	return f.Frame.Now.In(f.Frame.Zone()).AddDate(0, 0, 1).Format(time.DateOnly)
}

// texts returns a text as the errors of a field; nothing for "".
func texts(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
